import type { Context } from "./context";
import type { DutyList, Level } from "./duty";

/** What a check needs beside a driver that answers. */
export type Need = "bucket" | "access" | "command" | "store" | "proc";

/** Something that the driver did otherwise than the specification demands. */
export interface Problem {
  /** The call, or what was done to the process. Without secrets. */
  readonly sent: string;
  readonly answered: string;
  readonly wanted: string;
}

/**
 * What a check has seen. `broken` becomes a failure for a MUST and a warning for the rest; `doubtful` is a warning
 * for all: a sign of a fault that RPCs alone do not prove.
 */
export type Verdict =
  | { readonly is: "kept"; readonly note?: string }
  | { readonly is: "broken" | "doubtful"; readonly problems: readonly Problem[] }
  | {
      readonly is: "not-judged";
      readonly reason: string;
      /** The check was begun, or was to be, and did not come to its end: a MUST that ends so leaves no verdict. */
      readonly unfinished?: true;
    };

/**
 * How a duty, or a part of one, is judged. The contracts have the same messages under other names, and most duties in
 * common: so a check has the id of its duty in each list, and takes all words from the contract of the run.
 */
export interface Check {
  /** Id of the duty in each list that has it; a contract whose list has no such duty does without the check. */
  readonly ids: Readonly<Partial<Record<DutyList, string>>>;
  /**
   * How binding this part of the duty is.
   *
   * @default as binding as the whole duty
   */
  readonly level?: "SHOULD";
  /** The check is skipped, with the reason, where one of them is missing. */
  readonly needs?: readonly Need[];
  /** True if it judges what all other checks have seen, and so runs after them. */
  readonly last?: boolean;
  /** True if it calls nobody: it judges what is written down already, also of a driver that is not there any more. */
  readonly recordsOnly?: boolean;
  /** @throws NotJudgedError if the driver did not let itself be brought into the state that is to be judged. */
  run(context: Context): Promise<Verdict>;
}

/** What a check has said of a duty, and how binding that part of the duty is. */
export interface Finding {
  readonly level: Level;
  readonly verdict: Verdict;
}
