import { isRecord } from "../dynamic/values";
import type { InputProblem, ValueType } from "./described";
import { className, found, typeOfResource } from "./found";

/** What is wrong with an argument that has to be a resource. */
export function resourceProblems(
  property: string,
  value: unknown,
  { resource = [], parts = [] }: ValueType,
): InputProblem[] {
  const isOne = resource.includes(typeOfResource(value) ?? "");
  const hasParts = parts.length > 0 && isRecord(value) && parts.every((part) => part in value);
  if (isOne || hasParts) return [];
  const asked = wantedResource({ resource });
  return [{ property, reason: `is ${found(value)}, and must be ${asked}: give the resource itself` }];
}

/** Resources that are taken, as a message names them: `a cosi.objectstorage.BucketClass`. */
export function wantedResource({ resource = [] }: ValueType): string {
  return resource.map((token) => `a ${className(token)}`).join(" or ");
}
