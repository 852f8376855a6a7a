import { ProblemError } from "./problem";

/** @throws ProblemError for a value that is none of those; a program without types may give one. */
export function requireOneOf(argument: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const values = known.map((entry) => JSON.stringify(entry)).join(", ");
  throw new ProblemError(`${argument} is ${JSON.stringify(value)}: give ${values}`);
}
