/** What the work of a step can say while it runs. */
export interface StepReport {
  /** A line of its own, now: for what takes long. */
  readonly note: (text: string) => void;
  /** Added to the line that closes the step. */
  readonly detail: (text: string) => void;
}

/** How a step shows itself. */
export interface StepOptions {
  /** The work writes to the terminal itself, so no line is kept open for it meanwhile. @default false */
  readonly writes?: boolean;
}

/**
 * Does one step of a run and closes it with one line: `✓ title: detail  1.2 s`, or `✗ …` when it failed.
 *
 * @throws what `work` throws.
 */
export function step<T>(
  title: string,
  work: (report: StepReport) => Promise<T>,
  options?: StepOptions,
): Promise<T>;
