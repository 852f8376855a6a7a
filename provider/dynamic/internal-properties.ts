/**
 * Properties that mean nothing to whoever reads a preview: the package tells them to itself, from one resource to another or from
 * one run to the next. Pulumi shows no property whose name begins with two underscores, so in the state they have such a name.
 *
 * Most of them are there as texts, see `internalText`: what the program says itself in one, the cluster in one, and in the
 * outputs all that is left in one more.
 */
const internal: ReadonlySet<string> = new Set([
  "conflictingDeployment",
  "copied",
  "finalizer",
  "isDefaultName",
  "kind",
  "kubernetes",
  "logicalName",
  "model",
  "moves",
  "nameComputed",
  "objects",
  "ownDeletionPolicy",
  "owner",
  "parent",
  "resource",
  "rotationSince",
  "schemaVersion",
  "stack",
  "stackServer",
  "secretCommand",
  "secretEndpoint",
  "secretParameters",
  "secretRegion",
  "told",
  "warnings",
]);

/** Those that a program reads as outputs, and those that tell of its values, which it may have marked as secret. */
const apart: ReadonlySet<string> = new Set(["copied", "resource", "told", "warnings"]);

const mark = "__";

/** Holds what the program says itself. */
export const saidText = `${mark}internal`;

/** What stands there beside it: names of properties that are secret in part. */
export const secretNames = "secret";

/** What stands there too: names of properties that `ignoreChanges` leaves as they are; no path leads into a text. */
export const ignoredNames = "ignored";

/** Those that tell something of another property, by its name. */
const tellers: ReadonlyMap<string, string> = new Map([
  ["command", "secretCommand"],
  ["defaultEndpoint", "secretEndpoint"],
  ["defaultRegion", "secretRegion"],
  ["deletionPolicy", "ownDeletionPolicy"],
  ["parameters", "secretParameters"],
]);

/** Holds, in outputs, what else is internal. */
export const restText = `${mark}recorded`;

/** A target: the property itself, or within another one. */
export const target = "kubernetes";

/** True for the name of an internal property. */
export function isInternal(name: string): boolean {
  return internal.has(name);
}

/** True for one of them that keeps a property of its own. */
export function isApart(name: string): boolean {
  return apart.has(name);
}

/** The internal property that tells something of this one; `undefined` for none. */
export function tellerOf(name: string): string | undefined {
  return tellers.get(name);
}

/** The name under which Pulumi keeps an internal property. */
export function hiddenName(name: string): string {
  return `${mark}${name}`;
}

/** The property that Pulumi keeps under this name; `undefined` for a name that is not hidden. */
export function nameOfHidden(key: string): string | undefined {
  const name = key.startsWith(mark) ? key.slice(mark.length) : "";
  return internal.has(name) ? name : undefined;
}

/** True for properties that come from Pulumi's state or a program; a caller of the provider itself hides none. */
export function hasHidden(properties: object): boolean {
  return Object.keys(properties).some(
    (key) => key === saidText || key === restText || nameOfHidden(key) !== undefined,
  );
}
