import { status } from "@grpc/grpc-js";
import type { Problem } from "./check";
import type { Context } from "./context";
import type { Exchange } from "./exchange";
import { problem } from "./judge";
import type { Parameters } from "./ledger";

/** Whether a call with other parameters than the first was told from it. */
export interface Distinction {
  readonly problem: Problem | undefined;
  /** Why it could not be seen. */
  readonly note: string | undefined;
}

/** Parameters other than the usual ones: those that the user gives, or the usual ones and one that nobody knows. */
export function otherThan(
  context: Context,
  usual: Parameters,
  given: Parameters | undefined,
): Map<string, string> {
  return new Map(given ?? [...usual, context.unknownParameter()]);
}

/**
 * Judges the answer to a repeated call with other parameters. A driver that knows its parameters may find the unknown
 * one first; then nothing can be said without valid ones from the user.
 */
export function judgeDistinction(
  exchange: Exchange,
  given: Parameters | undefined,
  option: string,
): Distinction {
  if (exchange.code === status.ALREADY_EXISTS) return { problem: undefined, note: undefined };
  if (exchange.code === status.INVALID_ARGUMENT && given === undefined) {
    return {
      problem: undefined,
      note: `the driver checks its parameters first: give valid other ones with ${option} to see more`,
    };
  }
  const wanted = "ALREADY_EXISTS (6): the name is known with other parameters";
  return { problem: problem(exchange, wanted), note: undefined };
}
