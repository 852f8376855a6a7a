/** A value as it is written, and what the user should know about the change. */
export interface Normalised<T> {
  readonly value: T;
  readonly warnings: string[];
}

/** A value that cannot be used. The text names argument, value and what to do. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
}

/** A value that stands for `text` in another spelling, with a warning that says so. */
export function normalised<T extends string>(argument: string, text: string, value: T): Normalised<T> {
  const warning = `${argument} ${JSON.stringify(text)} is written as ${JSON.stringify(value)}`;
  return { value, warnings: text === value ? [] : [warning] };
}

/** Values as a message lists them. */
export function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}
