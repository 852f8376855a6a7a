import { isRecord } from "../../provider/dynamic/values";

/** Inputs of a resource, as a policy is given them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Where a property stands. */
export type Path = readonly string[];

/** A path as it is written: `spec.driverName`. */
export const path = (text: string): Path => text.split(".");

/** Several of them. */
export const paths = (...texts: readonly string[]): readonly Path[] => texts.map(path);

/** A property as a preview knows it. */
export type Reading =
  { readonly is: "absent" } | { readonly is: "unknown" } | { readonly is: "known"; readonly value: unknown };

/** Reads a property by its path. What a preview does not know is `unknown`: it is judged at `up`, which knows it. */
export function read(properties: Properties, ...keys: Path): Reading {
  let value: unknown = properties;
  for (const key of keys) {
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
export function valueAt(properties: Properties, ...keys: Path): unknown {
  const reading = read(properties, ...keys);
  return reading.is === "known" ? reading.value : undefined;
}

/** A property that is a text and not an empty one; `undefined` where it is absent or not known yet. */
export function textAt(properties: Properties, ...keys: Path): string | undefined {
  const value = valueAt(properties, ...keys);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** True for a property that the program gives, be its value known or not. Of what is within an unknown one nobody can say it. */
export function isGiven(properties: Properties, ...keys: Path): boolean {
  const reading = read(properties, ...keys);
  if (reading.is === "unknown") return read(properties, ...keys.slice(0, -1)).is === "known";
  return reading.is === "known" && reading.value !== "";
}

/** Those of some places where a property stands, or may stand as far as a preview knows. */
export function filled(properties: Properties, places: readonly Path[]): readonly Path[] {
  return places.filter((place) => read(properties, ...place).is !== "absent");
}

/** What @pulumi/policy throws where a policy reads a value that is not known; its types leave the class out. */
function isUnknownValueError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === "UnknownValueError";
}
