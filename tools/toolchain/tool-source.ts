import type { Tool } from "./tool";

/** What a source answers: where the tool is, or why it cannot give it. */
export type Answer =
  | { readonly path: string; readonly version: string }
  | {
      readonly path?: undefined;
      /** Why not, as the end of a sentence that begins with the source. */
      readonly reason: string;
      /** What the user can do about it. */
      readonly remedy?: string;
    };

/** Says what is going on while a source works; each call is one line. */
export type Report = (text: string) => void;

/** One place that a tool can come from. */
export interface ToolSource {
  /** In a word or two: it is shown beside the tool's version. */
  readonly label: string;
  /** Where it looks, for the error message. */
  readonly description: string;
  /** Looks for the tool. What is absent, too old or broken is an answer, not an error. */
  find(tool: Tool, report: Report): Promise<Answer>;
}
