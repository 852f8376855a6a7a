import { status } from "@grpc/grpc-js";
import type { Problem } from "./check";
import type { Context } from "./context";
import type { Exchange } from "./exchange";
import { problem, throwIfUnanswered } from "./judge";
import type { Parameters } from "./ledger";

/** Whether a call with other parameters than the first was told from it. */
export interface Distinction {
  readonly problem: Problem | undefined;
  /** Why it could not be seen. */
  readonly note: string | undefined;
}

/** A call that is sent with other parameters than before. */
interface OtherCall {
  readonly usual: Parameters;
  /** Other parameters that the user gives, as a whole set. */
  readonly given: Parameters | undefined;
  /** The option by which they are given. */
  readonly option: string;
  /** Sends the call under a name that is not known yet. */
  readonly anew: (parameters: Map<string, string>) => Promise<Exchange>;
  /** Sends the call under the known name. */
  readonly again: (parameters: Map<string, string>) => Promise<Exchange>;
}

/**
 * Sends a call with other parameters under a known name and judges the answer. What the user gives is tried under a name
 * of its own first; without it the usual ones are sent with one that nobody knows, which a driver may find first. In both
 * cases nothing can be said where the parameters themselves are refused.
 *
 * @throws NotJudgedError
 */
export async function distinction(
  context: Context,
  { usual, given, option, anew, again }: OtherCall,
): Promise<Distinction> {
  if (given === undefined) {
    const exchange = await again(new Map([...usual, context.unknownParameter()]));
    if (exchange.code !== status.INVALID_ARGUMENT) return judged(exchange);
    return unseen(
      `the driver checks its parameters first: give other, valid ones with ${option} to see more`,
    );
  }
  if (areEqual(usual, given)) {
    return unseen(
      `${option} gives the same parameters as the first set: give a second, whole set that differs`,
    );
  }
  const alone = await anew(new Map(given));
  throwIfUnanswered(alone);
  if (alone.code === status.OK) return judged(await again(new Map(given)));
  return unseen(
    `the driver refuses the set of ${option} under a name of its own too: give a valid one, as a whole set and not as an addition. ${alone.sent}: ${alone.answered}`,
  );
}

function judged(exchange: Exchange): Distinction {
  if (exchange.code === status.ALREADY_EXISTS) return { problem: undefined, note: undefined };
  throwIfUnanswered(exchange);
  const wanted = "ALREADY_EXISTS (6): the name is known with other parameters";
  return { problem: problem(exchange, wanted), note: undefined };
}

function unseen(note: string): Distinction {
  return { problem: undefined, note };
}

function areEqual(left: Parameters, right: Parameters): boolean {
  return left.size === right.size && [...left].every(([key, value]) => right.get(key) === value);
}
