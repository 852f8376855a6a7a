/** How binding a line of a specification is. */
export type Level = "MUST" | "SHOULD" | "MAY";

/** Lists of duties, one for each specification. */
export type DutyList = "cosi" | "deployment";

/** One duty of a driver, as a requirement list has it. */
export interface Duty {
  /** As in docs/requirements. */
  readonly id: string;
  /** The duty, as one sentence. */
  readonly title: string;
  readonly level: Level;
  /** Section of the specification that demands it. */
  readonly section: string;
}
