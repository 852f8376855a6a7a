import { setTimeout as pause } from "node:timers/promises";

/** Time in which the steps come that Pulumi starts side by side, in milliseconds. */
const firstSteps = 50;
/** Longest time that a load waits, in milliseconds: a driver that does not answer must not hold up the others. */
const longestWait = 1000;

const calls = new Set<Promise<unknown>>();

/**
 * Lets a call of a driver go out before a large library is loaded, which blocks this process for most of a second: the driver
 * works meanwhile.
 *
 * @returns What the call returns.
 */
export async function beforeLoading<Result>(call: Promise<Result>): Promise<Result> {
  calls.add(call);
  try {
    return await call;
  } finally {
    calls.delete(call);
  }
}

/** Waits for the calls that go first, at most a second. */
export async function untilCallsAreOut(): Promise<void> {
  await pause(firstSteps);
  if (calls.size === 0) return;
  const given = new AbortController();
  await Promise.race([
    Promise.allSettled(calls),
    pause(longestWait, undefined, { signal: given.signal }).catch(() => undefined),
  ]);
  given.abort();
}
