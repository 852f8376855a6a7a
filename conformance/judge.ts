import { status } from "@grpc/grpc-js";
import type { Problem, Verdict } from "./check";
import { codeText, isBusy, type Exchange } from "./exchange";
import { NotJudgedError } from "./not-judged-error";

/** A problem of the wording alone, which no line of the specification forbids. */
interface PoorWording extends Problem {
  readonly isWording: true;
}

/**
 * `undefined` if the call was answered with this code.
 *
 * @throws NotJudgedError if the driver said that it cannot do it now, however often it was asked, or said nothing in time.
 */
export function wantCode(exchange: Exchange, code: number, why: string): Problem | undefined {
  if (exchange.code === code && (code !== status.OK || exchange.reply !== undefined)) return undefined;
  throwIfUnanswered(exchange);
  return problem(exchange, `${codeText(code)}: ${why}`);
}

/** `undefined` if the call was answered OK with a message that can be read. @throws NotJudgedError */
export function wantOk(exchange: Exchange, why: string): Problem | undefined {
  return wantCode(exchange, status.OK, why);
}

/**
 * `undefined` if the call was refused with INVALID_ARGUMENT and a message that names one of the words: a field of the
 * request or a key of a map. Case and separators do not matter. Only the code is demanded: other words are a warning.
 *
 * @throws NotJudgedError
 */
export function wantInvalid(exchange: Exchange, words: readonly string[], why: string): Problem | undefined {
  const found = wantInvalidNaming(exchange, words, why);
  if (found === undefined || exchange.code !== status.INVALID_ARGUMENT) return found;
  const poor: PoorWording = { ...found, wanted: `(SHOULD) ${found.wanted}`, isWording: true };
  return poor;
}

/** The same where the requirement demands the name too. @throws NotJudgedError */
export function wantInvalidNaming(
  exchange: Exchange,
  words: readonly string[],
  why: string,
): Problem | undefined {
  const wrong = wantCode(exchange, status.INVALID_ARGUMENT, why);
  if (wrong !== undefined) return wrong;
  if (exchange.mentions(words)) return undefined;
  return problem(exchange, `a message that names ${words.join(" or ")}: ${why}`);
}

/** An answer that is not what is wanted. */
export function problem({ sent, answered }: Exchange, wanted: string): Problem {
  return { sent, answered, wanted };
}

/**
 * @throws NotJudgedError if the driver said that it cannot do it now, or has said nothing in the time that the user gives
 * it: neither is an answer to what was asked.
 */
export function throwIfUnanswered(exchange: Exchange): void {
  if (!isBusy(exchange) && !exchange.late) return;
  const how = exchange.repeated ? ", also when it was repeated" : "";
  throw new NotJudgedError(`${exchange.sent}${how}: ${exchange.answered} (--timeout gives it more time)`);
}

/** An example for each RPC, of answers that are not what is wanted. */
export function firstOfEachRpc(exchanges: readonly Exchange[], wanted: string): Problem[] {
  const first = new Map([...exchanges].reverse().map((exchange) => [exchange.rpc, exchange]));
  return [...first.values()].map((exchange) => problem(exchange, wanted));
}

/** The driver does not have the RPC, which it may. */
export function leftOut({ rpc, answered }: Exchange): Verdict {
  return { is: "not-judged", reason: `${rpc} was answered: ${answered}` };
}

/** Kept if there is no problem, doubtful if there are only poor words. */
export function verdict(problems: readonly (Problem | undefined)[], note?: string): Verdict {
  const found = problems.filter((entry) => entry !== undefined);
  if (found.length === 0) return note === undefined ? { is: "kept" } : { is: "kept", note };
  return { is: found.every((entry) => "isWording" in entry) ? "doubtful" : "broken", problems: found };
}
