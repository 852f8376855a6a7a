import { recoveryOf } from "./codes";

/** Attempts in all that may end in a code which tells nothing of the fault. */
const attemptsOnUnknownFault = 3;
/** Longest pause between two attempts, in milliseconds. */
const longestPause = 5_000;
const jitter = 0.2;

/**
 * Pause before retry `n` (from 1): `first` × 2^(n−1), at most 5 s, each ±20 %, so that callers who failed together
 * do not come back together.
 */
export function pauseBeforeRetry(n: number, first: number, random: () => number = Math.random): number {
  const pause = Math.min(first * 2 ** (n - 1), longestPause);
  return pause * (1 + jitter * (2 * random() - 1));
}

/** The codes in which the attempts of one call ended, one after the other. */
export class AttemptCodes {
  #unknownFaults = 0;

  /**
   * Notes the code of the last attempt. GRPC-079: only those that tell nothing of the fault are counted, as a driver that
   * starts, or is at work, ends any number of attempts in another one before.
   *
   * @returns True if there may be another attempt.
   */
  allowAfter(code: number): boolean {
    const recovery = recoveryOf(code);
    if (recovery !== "three-attempts") return recovery === "retry";
    this.#unknownFaults += 1;
    return this.#unknownFaults < attemptsOnUnknownFault;
  }
}

/** Resolves after the milliseconds given. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
