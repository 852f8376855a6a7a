import { namespaceProblem, objectNameProblem } from "../../provider/kubernetes/names";
import { ProblemError } from "./problem";

/** The name of a namespace. @throws ProblemError for what cannot be one. */
export function namespaceNamed(argument: string, name: unknown): string {
  return named(argument, name, namespaceProblem);
}

/** The name of an object that is referred to. @throws ProblemError for what cannot be one. */
export function referenceNamed(argument: string, name: unknown): string {
  return named(argument, name, objectNameProblem);
}

function named(argument: string, name: unknown, problemOf: (name: string) => string | undefined): string {
  if (typeof name !== "string" || name === "") throw new ProblemError(`${argument} ${asFound(name)}`);
  const problem = problemOf(name);
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
  return name;
}

/** A value as a message describes it: `is "x"`, or `is missing`. */
export function asFound(value: unknown): string {
  if (value === undefined || value === null) return "is missing";
  return value === "" ? "is empty" : `is ${JSON.stringify(value)}`;
}
