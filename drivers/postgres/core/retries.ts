import { setTimeout as sleep } from "node:timers/promises";
import { kindOf } from "./server-error";

/** How long others may be in the way. */
const BOUND_MS = 20_000;

/** Long enough for those who queue behind an attempt to get ahead of the next one. */
const PAUSE_MS = 300;

/**
 * Tries again as long as others are in the way: a lock is not to be had in time, or two changed the same at once.
 *
 * @throws the last error, after 20 seconds.
 */
export async function retriedWhileAborted<T>(task: () => Promise<T>): Promise<T> {
  const bound = Date.now() + BOUND_MS;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (kindOf(error) !== "aborted" || Date.now() > bound) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
