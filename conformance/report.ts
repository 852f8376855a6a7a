import type { Finding, Problem } from "./check";
import type { Duty, Level } from "./duty";
import type { TestedContractName } from "./tested-contract";
import type { Leftover } from "./tidy";

/** What became of a duty. */
export type LineStatus = "pass" | "fail" | "warning" | "skipped";

/** One duty of the driver in a report. */
export interface ReportLine {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  /** Section of the specification. */
  readonly section: string;
  readonly status: LineStatus;
  /** What was sent, answered and wanted; of a failure and a warning. */
  readonly problems: readonly Problem[];
  /** Why a line was skipped, or what of a passed line was not seen. */
  readonly reason: string | null;
}

/** The outcome of a run. It holds no secret and no value of a parameter. */
export interface Report {
  /** The contract by which the driver was judged. */
  readonly contract: TestedContractName;
  /** Where the driver was reached, or the command that started it. */
  readonly target: string;
  /** The name that the driver gave; `null` if it gave none. */
  readonly driver: string | null;
  readonly lines: readonly ReportLine[];
  /** True if no MUST failed and the run came to its end. */
  readonly compliant: boolean;
  /**
   * Why the run says too little of the driver: it made nothing, a MUST could not be judged to its end, credentials could
   * not be tried as the user asks, or the run was interrupted. `null` for a whole run.
   */
  readonly incomplete: string | null;
  /** What the run has made and could not remove. */
  readonly leftovers: readonly Leftover[];
}

/** The worst first. */
const statuses: readonly LineStatus[] = ["fail", "warning", "pass", "skipped"];

/**
 * The line of a report that the findings on a duty are: as bad as the worst of them, with all problems, the worst ones
 * first. A duty of which a part was seen and kept has passed, and its line says what was not seen.
 */
export function lineOf({ id, title, level, section }: Duty, findings: readonly Finding[]): ReportLine {
  const found = findings.map((finding) => ({ finding, status: statusOf(finding) }));
  const status = statuses.find((one) => found.some((entry) => entry.status === one)) ?? "skipped";
  const problems = statuses.flatMap((one) =>
    found.flatMap((entry) => (entry.status === one ? problemsOf(entry.finding) : [])),
  );
  const reasons = new Set(findings.flatMap(({ verdict }) => reasonOf(verdict)));
  const reason = problems.length > 0 || reasons.size === 0 ? null : [...reasons].join("; ");
  return { id, title, level, section, problems, reason, status };
}

function statusOf({ level, verdict }: Finding): LineStatus {
  switch (verdict.is) {
    case "kept":
      return "pass";
    case "not-judged":
      return "skipped";
    case "doubtful":
      return "warning";
    case "broken":
      return level === "MUST" ? "fail" : "warning";
  }
}

function problemsOf({ verdict }: Finding): readonly Problem[] {
  return verdict.is === "broken" || verdict.is === "doubtful" ? verdict.problems : [];
}

function reasonOf(verdict: Finding["verdict"]): string[] {
  if (verdict.is === "not-judged") return [verdict.reason];
  return verdict.is === "kept" && verdict.note !== undefined ? [verdict.note] : [];
}
