import { sleep } from "../provider/driver/call/retry";

/** What a backend said to granted credentials. */
export type BackendAnswer = "allowed" | "refused";

/** Granted credentials at work, as a workload would find out whether they open what they are for. */
export interface Trial {
  /** What is done with them, in words: `ListObjectsV2 on bucket photos`. */
  readonly what: string;
  /** Who answers, in words. */
  readonly by: string;
  /** @throws NotJudgedError if there was neither a yes nor a no. */
  attempt(): Promise<BackendAnswer>;
}

const lookInterval = 500;

/**
 * Tries until credentials are answered so, at most for `patience` milliseconds; a backend may take some time to know
 * of a change.
 *
 * @throws NotJudgedError
 */
export function becomes(
  trial: Pick<Trial, "attempt">,
  wanted: BackendAnswer,
  patience: number,
): Promise<boolean> {
  return comesTrue(async () => (await trial.attempt()) === wanted, patience);
}

/**
 * The same for what more than one answer shows, such as which one of several credentials is alive. What is wanted of a
 * backend after a change is never asked once: it would be held against a driver that has done all it can.
 *
 * @throws NotJudgedError
 */
export async function comesTrue(isTrue: () => Promise<boolean>, patience: number): Promise<boolean> {
  const end = Date.now() + patience;
  while (!(await isTrue())) {
    if (Date.now() >= end) return false;
    await sleep(lookInterval);
  }
  return true;
}
