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
export async function becomes(trial: Trial, wanted: BackendAnswer, patience: number): Promise<boolean> {
  const end = Date.now() + patience;
  while ((await trial.attempt()) !== wanted) {
    if (Date.now() >= end) return false;
    await sleep(lookInterval);
  }
  return true;
}
