import * as pulumi from "@pulumi/pulumi";
import { isRecord, isSecretOutput, isUnknown } from "../dynamic/values";
import type { InputProblem } from "./kind";
import { nearName } from "./near-name";
import { pathTo } from "./property-path";
import { namedType, type ObjectType, type ValueType } from "./described-types";

/** What is wrong with a value that the program gives, at any depth. Paths are told, and values never. */
export function valueProblems(path: string, given: unknown, type: ValueType): InputProblem[] {
  const value = withoutMark(given);
  if (isUnknown(value)) return [];
  const named = resolved(type);
  if (named === undefined) return [];
  const { items, additionalProperties, properties, required = [] } = named;
  if (properties !== undefined) return objectProblems(path, value, { properties, required });
  if (items !== undefined && Array.isArray(value)) {
    return value.flatMap((entry, index) => valueProblems(`${path}[${index}]`, entry, items));
  }
  if (additionalProperties !== undefined && isMap(value)) {
    return Object.entries(value).flatMap(([key, entry]) =>
      valueProblems(pathTo(path, key), entry, additionalProperties),
    );
  }
  const isPlain = items === undefined && additionalProperties === undefined;
  return isPlain && typeof value === named.type ? [] : [wrongType(path, value, wanted(named))];
}

/** What is wrong with an object of a type that has a name. */
function objectProblems(path: string, value: unknown, type: ObjectType): InputProblem[] {
  const names = Object.keys(type.properties);
  if (!isMap(value)) return [wrongType(path, value, `a map with ${names.join(", ")}`)];
  const unknownNames = Object.keys(value)
    .filter((name) => !isLeftOut(value[name]) && !names.includes(name))
    .map((name) => ({
      property: pathTo(path, name),
      reason: `is no property of ${path}: ${way(name, names)}`,
    }));
  return [...unknownNames, ...propertyProblems(value, type, (name) => pathTo(path, name))];
}

/** What is wrong with the properties that a type has; those that it does not have are left alone. */
export function propertyProblems(
  values: Readonly<Record<string, unknown>>,
  { properties, required }: ObjectType,
  path: (name: string) => string = (name) => name,
): InputProblem[] {
  return Object.entries(properties).flatMap(([name, type]) => {
    const value = values[name];
    if (!isLeftOut(value)) return valueProblems(path(name), value, type);
    return required.includes(name)
      ? [{ property: path(name), reason: `is missing: give ${wanted(type)}` }]
      : [];
  });
}

/** What to do about a name that there is none of. @param others Names that mean another one. */
export function way(
  name: string,
  names: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  const meant = Object.hasOwn(others, name) ? others[name] : nearName(name, names);
  return meant === undefined
    ? `leave it out, or use one of ${names.join(", ")}`
    : `leave it out, or call it ${meant}`;
}

/** True for a property that counts as not given. */
export function isLeftOut(given: unknown): boolean {
  const value = withoutMark(given);
  return value === undefined || value === null;
}

/** The value itself, of one that is secret as a whole. */
export function withoutMark(value: unknown): unknown {
  return isSecretOutput(value) ? withoutMark(value.value) : value;
}

/** True for a map of the program, which an asset or an archive is not. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(pulumi.runtime.specialSigKey in value);
}

/** What is said of a value of another type than the wanted one. */
export function wrongType(property: string, value: unknown, asked: string): InputProblem {
  const isPlain = ["number", "boolean"].includes(typeof value);
  const hint = asked === "a text" && isPlain ? ": put it in quotes" : "";
  return { property, reason: `is ${found(value)}, and must be ${asked}${hint}` };
}

/** The type itself; `undefined` for one that takes any value. */
function resolved(type: ValueType): ReturnType<typeof namedType> {
  return type.$ref === undefined ? type : namedType(type.$ref);
}

function wanted(type: ValueType): string {
  const { type: name, items, additionalProperties } = resolved(type) ?? {};
  if (items !== undefined) return "a list";
  if (additionalProperties !== undefined || name === "object") return "a map";
  if (name === "boolean") return "true or false";
  return name === undefined ? "a value" : name === "string" ? "a text" : `a ${name}`;
}

function found(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  if (isMap(value)) return "a map";
  if (isRecord(value)) return "an asset or an archive";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
