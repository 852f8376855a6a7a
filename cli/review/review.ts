import { credentialFindings } from "./credentials";
import { dataFindings } from "./data";
import { categories, type Finding } from "./finding";
import { requireJudgeable } from "./judgeable";
import type { PlannedStep } from "./preview";
import { protectionFindings } from "./protection";
import { resentFindings } from "./resent-settings";
import { wideningFindings } from "./widening";

/** What a reviewer wants to know of a preview. */
export interface Review {
  /** In the order of what matters. */
  readonly findings: readonly Finding[];
  /** Number of steps by what they do; what stays as it is is left out. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Reads out of a preview what it does to data, credentials and access. It asks nobody.
 *
 * @throws PreviewError if it does something to a resource of this package of which that cannot be said.
 */
export function review(steps: readonly PlannedStep[]): Review {
  requireJudgeable(steps);
  const found = [
    ...dataFindings(steps),
    ...protectionFindings(steps),
    ...wideningFindings(steps),
    ...resentFindings(steps),
    ...credentialFindings(steps),
  ];
  const counts = Map.groupBy(
    steps.filter(({ op }) => op !== "same"),
    ({ op }) => op,
  );
  return {
    findings: categories.flatMap((category) => found.filter((finding) => finding.category === category)),
    counts: Object.fromEntries([...counts].map(([op, all]) => [op, all.length])),
  };
}
