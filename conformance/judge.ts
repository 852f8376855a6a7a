import { status } from "@grpc/grpc-js";
import type { Problem, Verdict } from "./check";
import { codeText, type Exchange } from "./exchange";

/** `undefined` if the call was answered with this code. */
export function wantCode(exchange: Exchange, code: number, why: string): Problem | undefined {
  if (exchange.code === code && (code !== status.OK || exchange.reply !== undefined)) return undefined;
  return problem(exchange, `${codeText(code)}: ${why}`);
}

/** `undefined` if the call was answered OK with a message that can be read. */
export function wantOk(exchange: Exchange, why: string): Problem | undefined {
  return wantCode(exchange, status.OK, why);
}

/**
 * `undefined` if the call was refused with INVALID_ARGUMENT and a message that names one of the words: a field of the
 * request or a key of a map. Case and separators do not matter.
 */
export function wantInvalid(exchange: Exchange, words: readonly string[], why: string): Problem | undefined {
  const wrong = wantCode(exchange, status.INVALID_ARGUMENT, why);
  if (wrong !== undefined) return wrong;
  if (exchange.mentions(words)) return undefined;
  return problem(exchange, `a message that names ${words.join(" or ")}: ${why}`);
}

/** An answer that is not what is wanted. */
export function problem({ sent, answered }: Exchange, wanted: string): Problem {
  return { sent, answered, wanted };
}

/** The driver does not have the RPC, which it may. */
export function leftOut({ rpc, answered }: Exchange): Verdict {
  return { is: "not-judged", reason: `${rpc} was answered: ${answered}` };
}

/** Kept if there is no problem. */
export function verdict(problems: readonly (Problem | undefined)[], note?: string): Verdict {
  const found = problems.filter((entry) => entry !== undefined);
  if (found.length > 0) return { is: "broken", problems: found };
  return note === undefined ? { is: "kept" } : { is: "kept", note };
}
