import type { Context } from "./context";

/** How binding a line of the specification is. */
export type Level = "MUST" | "SHOULD";

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
 * What a check has seen. `broken` becomes a failure for a MUST and a warning for a SHOULD; `doubtful` is a warning
 * for both: a sign of a fault that RPCs alone do not prove.
 */
export type Verdict =
  | { readonly is: "kept"; readonly note?: string }
  | { readonly is: "broken" | "doubtful"; readonly problems: readonly Problem[] }
  | { readonly is: "not-judged"; readonly reason: string };

/** One duty of a driver and how it is judged. */
export interface Check {
  /** As in docs/requirements/cosi-grpc-v1alpha1.md. */
  readonly id: string;
  /** The duty, as one sentence. */
  readonly title: string;
  readonly level: Level;
  /** Section of the COSI specification that demands it. */
  readonly section: string;
  /** The check is skipped, with the reason, where one of them is missing. */
  readonly needs?: readonly Need[];
  /** True if it judges what all other checks have seen, and so runs after them. */
  readonly last?: boolean;
  /** @throws NotJudgedError if the driver did not let itself be brought into the state that is to be judged. */
  run(context: Context): Promise<Verdict>;
}
