import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits for what the API server has stored and does not heed yet: it reads rights and policies from a cache of its own.
 *
 * @param what What is waited for, for the error.
 * @throws Error if it is not so after 30 seconds.
 */
export async function untilHeeded(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`the API server does not heed it: ${what}`);
    await pause(100);
  }
}
