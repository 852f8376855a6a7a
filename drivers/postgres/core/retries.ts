import { setTimeout as sleep } from "node:timers/promises";
import { kindOf, sqlStateOf } from "./server-error";

/** How long others may be in the way. */
const BOUND_MS = 20_000;

/** Long enough for those who queue behind an attempt to get ahead of the next one. */
const PAUSE_MS = 300;

/** `dependent_objects_still_exist` */
const IN_USE = "2BP01";

/**
 * Tries again as long as others are in the way: a lock is not to be had in time, or two changed the same at once.
 *
 * @throws the last error, after 20 seconds.
 */
export function retriedWhileAborted<T>(task: () => Promise<T>): Promise<T> {
  return retriedWhile((error) => kindOf(error) === "aborted", task);
}

/**
 * Tries again also as long as something that is to go is in use, for a task that looks anew each time what that is.
 *
 * @throws the last error, after 20 seconds.
 */
export function retriedWhileInUse<T>(task: () => Promise<T>): Promise<T> {
  return retriedWhile((error) => kindOf(error) === "aborted" || sqlStateOf(error) === IN_USE, task);
}

async function retriedWhile<T>(isInTheWay: (error: unknown) => boolean, task: () => Promise<T>): Promise<T> {
  const bound = Date.now() + BOUND_MS;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isInTheWay(error) || Date.now() > bound) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
