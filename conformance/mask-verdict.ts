import type { Verdict } from "./check";
import type { ReportMask } from "./report-mask";

/** What a check has said, as a report may show it: without credentials, whoever put them into a text. */
export function maskVerdict(verdict: Verdict, mask: ReportMask): Verdict {
  switch (verdict.is) {
    case "kept":
      return verdict.note === undefined ? verdict : { ...verdict, note: mask.apply(verdict.note) };
    case "not-judged":
      return { ...verdict, reason: mask.apply(verdict.reason) };
    case "broken":
    case "doubtful":
      return {
        ...verdict,
        problems: verdict.problems.map(({ sent, answered, wanted }) => ({
          sent: mask.apply(sent),
          answered: mask.apply(answered),
          wanted: mask.apply(wanted),
        })),
      };
  }
}
