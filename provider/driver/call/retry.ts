/** Attempts in all after a code that tells nothing of the fault. */
export const attemptsOnUnknownFault = 3;
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

/** Resolves after the milliseconds given. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
