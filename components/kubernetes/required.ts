import { ProblemError } from "./problem";

/** The value of an argument. @throws ProblemError without one: a program without types, or an output, may have none. */
export function given<T>(argument: string, value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new ProblemError(`${argument} is missing`);
  return value;
}

/** @throws ProblemError that names the first of the arguments that a program without types left out. */
export function requireGiven<T extends object>(args: T, ...required: (keyof T & string)[]): void {
  for (const argument of required) given(argument, args[argument]);
}
