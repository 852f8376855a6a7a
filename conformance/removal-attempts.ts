import { status } from "@grpc/grpc-js";
import { recoveryOf } from "../provider/driver/call/codes";
import { pauseBeforeRetry } from "../provider/driver/call/retry";
import { firstPause } from "./busy-waits";
import type { Context } from "./context";
import { isPassing, type Exchange } from "./exchange";
import { NotJudgedError } from "./not-judged-error";

/** What became of a call of a clean-up. */
export interface Attempt<Reply = unknown> {
  /** `undefined` if there was no call. */
  readonly exchange: Exchange<Reply> | undefined;
  /** In words, for the list of what is left. */
  readonly text: string;
}

/**
 * Makes a call of a clean-up, at most so often while a later attempt may end otherwise. A driver that has died of an
 * earlier call is started again before; one that dies of this call gets it no more.
 */
export async function tried<Reply>(
  context: Context,
  attempts: number,
  call: () => Promise<Exchange<Reply>>,
): Promise<Attempt<Reply>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(context, call);
    const { exchange } = outcome;
    const isOpen = exchange !== undefined && mayEndOtherwise(exchange);
    if (attempt >= attempts || !isOpen || context.control?.hasDied === true) return outcome;
    await context.pause(pauseBeforeRetry(attempt, firstPause));
  }
}

/** A removal with the context of the create or grant, and without where the driver does not take it. */
export async function triedRemoval(
  context: Context,
  attempts: number,
  call: (withContext: boolean) => Promise<Exchange>,
): Promise<Attempt> {
  const first = await tried(context, attempts, () => call(true));
  if (first.exchange?.code !== status.INVALID_ARGUMENT) return first;
  return tried(context, attempts, () => call(false));
}

/** True if the driver has said for good that it did not do it. */
export function isFinalRefusal({ exchange }: Attempt): boolean {
  const code = exchange?.code;
  return code !== undefined && code !== status.OK && recoveryOf(code) === "final";
}

/** A later attempt may end otherwise. What a driver cannot do now has been repeated already, by each call. */
function mayEndOtherwise(exchange: Exchange): boolean {
  const { code, lost } = exchange;
  if (lost !== undefined) return true;
  return code !== undefined && code !== status.OK && !isPassing(exchange) && recoveryOf(code) !== "final";
}

async function once<Reply>(context: Context, call: () => Promise<Exchange<Reply>>): Promise<Attempt<Reply>> {
  try {
    const hasDied = context.control?.hasDied === true;
    await context.revive();
    // What the dead one did not answer is not held against the new one.
    if (hasDied) context.forgetLostCalls();
    const exchange = await call();
    return { exchange, text: `${exchange.rpc}: ${exchange.answered}` };
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    return { exchange: undefined, text: error.message };
  }
}
