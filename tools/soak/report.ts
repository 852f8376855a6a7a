/** What one part of the soak tried and what it found. */
export interface SoakReport {
  /** What was tried, for a reader of the report. */
  readonly title: string;
  /** How many cases were tried. */
  readonly tried: number;
  /** One text per failure, with all that repeats it: the seed and the case. */
  readonly failures: readonly string[];
}

/** The reports of all parts as one text. */
export function reportText(seed: number, reports: readonly SoakReport[]): string {
  const parts = reports.map(({ title, tried, failures }) =>
    [`${title}: ${tried} tried, ${failures.length} failed`, ...failures.map(indented)].join("\n\n"),
  );
  return `soak with seed ${seed}\n\n${parts.join("\n\n")}\n`;
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
