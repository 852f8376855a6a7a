import { isSecretOutput, isUnknown } from "../dynamic/values";
import type { InputProblem, ObjectType, ValueType } from "./described";
import { found, isMap, isOpen } from "./found";
import { nearName } from "./near-name";
import { pathTo } from "./property-path";
import { resourceProblems, wantedResource } from "./resource-problems";

/** What is wrong with a value that the program gives, at any depth. Paths are told, and values never. */
export function valueProblems(path: string, given: unknown, type: ValueType): InputProblem[] {
  if (type.resource !== undefined) return resourceProblems(path, given, type);
  // Whoever takes an output judges it.
  if (isOpen(given)) return [];
  const value = withoutMark(given);
  if (isUnknown(value)) return [];
  const { items, additionalProperties, properties, required = [] } = type;
  if (properties !== undefined) return objectProblems(path, value, { properties, required });
  if (items !== undefined && Array.isArray(value)) {
    return value.flatMap((entry, index) => valueProblems(`${path}[${index}]`, entry, items));
  }
  if (additionalProperties !== undefined && isMap(value)) {
    return Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .flatMap(([key, entry]) => valueProblems(pathTo(path, key), entry, additionalProperties));
  }
  const isPlain = items === undefined && additionalProperties === undefined;
  if (isPlain && (type.type === undefined || typeof value === type.type)) return [];
  return [wrongType(path, value, wanted(type))];
}

/** What is wrong with an object of a type that has properties. */
function objectProblems(path: string, value: unknown, type: ObjectType): InputProblem[] {
  const names = publicNames(type);
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

/** The names that a program may use. */
export function publicNames({ properties }: ObjectType): string[] {
  return Object.keys(properties).filter((name) => properties[name]?.isInternal !== true);
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
  if (isOpen(given)) return false;
  const value = withoutMark(given);
  return value === undefined || value === null;
}

/** The value itself, of one that is secret as a whole. */
export function withoutMark(value: unknown): unknown {
  return isSecretOutput(value) ? withoutMark(value.value) : value;
}

/** What is said of a value of another type than the wanted one. */
export function wrongType(property: string, value: unknown, asked: string): InputProblem {
  const isPlain = ["number", "boolean"].includes(typeof value);
  const hint = asked === "a text" && isPlain ? ": put it in quotes" : "";
  return { property, reason: `is ${found(value)}, and must be ${asked}${hint}` };
}

function wanted(type: ValueType): string {
  const { type: name, items, additionalProperties, properties } = type;
  if (type.resource !== undefined) return wantedResource(type);
  if (items !== undefined) return "a list";
  if (additionalProperties !== undefined || properties !== undefined || name === "object") return "a map";
  if (name === "boolean") return "true or false";
  return name === undefined ? "a value" : name === "string" ? "a text" : `a ${name}`;
}
