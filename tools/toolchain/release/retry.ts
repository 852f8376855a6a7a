import { setTimeout as sleep } from "node:timers/promises";

import { DownloadError, TransientError } from "./download-error";
import type { DownloadLimits } from "./limits";

/** What is tried, and who is told. */
export interface Retries {
  readonly limits: DownloadLimits;
  /** How much there is by now: a try that adds enough to it does not count as a failure in a row. */
  readonly received: () => number;
  /** Called before the wait for the next try. */
  readonly onRetry: (reason: string, waitMs: number) => void;
}

/**
 * Tries again what failed in a way that may pass, with back-off.
 *
 * @throws TransientError the last one, when none of the tries in a row brought anything.
 * @throws DownloadError at once, when it is final, or when the server asks to wait too long.
 */
export async function withRetries<T>(attempt: () => Promise<T>, retries: Retries): Promise<T> {
  const { limits, received, onRetry } = retries;
  for (let failures = 0; ;) {
    const before = received();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      failures = received() - before >= limits.progressBytes ? 1 : failures + 1;
      if (failures >= limits.tries) throw error;
      const waitMs = error.waitMs ?? limits.firstDelayMs * 2 ** (failures - 1);
      if (waitMs > limits.longestWaitMs) {
        throw new DownloadError(
          `${error.message}, and asks to wait ${Math.ceil(waitMs / 1000)} s`,
          "run the same command again later",
          { cause: error },
        );
      }
      onRetry(error.message, waitMs);
      await sleep(waitMs);
    }
  }
}
