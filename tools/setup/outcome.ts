/** How many checks and tests passed and failed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** What failed, and why: a text of some lines for each, to be shown once more where a run ends. */
  readonly failures: readonly string[];
}

export const NOTHING_RAN: Outcome = { passed: 0, failed: 0, failures: [] };

export function sumOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce(
    (sum, { passed, failed, failures }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      failures: [...sum.failures, ...failures],
    }),
    NOTHING_RAN,
  );
}
