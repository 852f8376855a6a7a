import type { Check, Level, Problem, Verdict } from "./check";
import type { Leftover } from "./tidy";

/** What became of a check. */
export type LineStatus = "pass" | "fail" | "warning" | "skipped";

/** One duty of the driver in a report. */
export interface ReportLine {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  /** Section of the COSI specification. */
  readonly section: string;
  readonly status: LineStatus;
  /** What was sent, answered and wanted; of a failure and a warning. */
  readonly problems: readonly Problem[];
  /** Why a line was skipped, or what of a passed line was not seen. */
  readonly reason: string | null;
}

/** The outcome of a run. It holds no secret and no value of a parameter. */
export interface Report {
  /** Where the driver was reached, or the command that started it. */
  readonly target: string;
  /** The name that the driver gave; `null` if it gave none. */
  readonly driver: string | null;
  readonly lines: readonly ReportLine[];
  /** True if no MUST failed and the run came to its end. */
  readonly compliant: boolean;
  /** Why the run says little of the driver: it made no bucket, or was interrupted. `null` for a whole run. */
  readonly incomplete: string | null;
  /** What the run has made and could not remove. */
  readonly leftovers: readonly Leftover[];
}

/** The line of a report that a verdict is. */
export function lineOf({ id, title, level, section }: Check, verdict: Verdict): ReportLine {
  const line = { id, title, level, section, problems: [], reason: null };
  switch (verdict.is) {
    case "kept":
      return { ...line, status: "pass", reason: verdict.note ?? null };
    case "not-judged":
      return { ...line, status: "skipped", reason: verdict.reason };
    case "doubtful":
      return { ...line, status: "warning", problems: verdict.problems };
    case "broken":
      return { ...line, status: level === "MUST" ? "fail" : "warning", problems: verdict.problems };
  }
}
