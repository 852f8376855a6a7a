import { isRecord } from "../../provider/dynamic/values";

/** Inputs of a resource, as a policy is given them. */
export type Properties = Readonly<Record<string, unknown>>;

/** A property as a preview knows it. */
export type Reading =
  { readonly is: "absent" } | { readonly is: "unknown" } | { readonly is: "known"; readonly value: unknown };

/** Reads a property by its path. What a preview does not know is `unknown`: it is judged at `up`, which knows it. */
export function read(properties: Properties, ...path: readonly string[]): Reading {
  let value: unknown = properties;
  for (const key of path) {
    if (!isRecord(value)) return { is: "absent" };
    try {
      value = value[key];
    } catch (error) {
      if (isUnknownValueError(error)) return { is: "unknown" };
      throw error;
    }
  }
  return value === undefined || value === null ? { is: "absent" } : { is: "known", value };
}

/** The value of a property; `undefined` where it is absent or not known yet. */
export function valueAt(properties: Properties, ...path: readonly string[]): unknown {
  const reading = read(properties, ...path);
  return reading.is === "known" ? reading.value : undefined;
}

/** A property that is a text and not an empty one; `undefined` where it is absent or not known yet. */
export function textAt(properties: Properties, ...path: readonly string[]): string | undefined {
  const value = valueAt(properties, ...path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** True for a property that the program gives, be its value known or not. */
export function isGiven(properties: Properties, ...path: readonly string[]): boolean {
  const reading = read(properties, ...path);
  return reading.is === "unknown" || (reading.is === "known" && reading.value !== "");
}

/** What @pulumi/policy throws where a policy reads a value that is not known; its types leave the class out. */
function isUnknownValueError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === "UnknownValueError";
}
