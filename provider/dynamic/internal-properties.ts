/**
 * Properties that mean nothing to whoever reads a preview: the package tells them to itself, from one resource to another or from
 * one run to the next. Pulumi shows no property whose name begins with two underscores, so in the state they have such a name.
 */
const internal: ReadonlySet<string> = new Set([
  "conflictingDeployment",
  "copied",
  "isDefaultName",
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
  "schemaVersion",
  "secretCommand",
  "secretParameters",
  "told",
  "warnings",
]);

const mark = "__";

/** Names of the internal ones among properties. */
export function internalNames(properties: object): string[] {
  return Object.keys(properties).filter((name) => internal.has(name));
}

/** The name under which Pulumi keeps an internal property. */
export function hiddenName(name: string): string {
  return `${mark}${name}`;
}

/** Properties as Pulumi keeps them. */
export function withHidden<Properties extends object>(properties: Properties): Properties {
  return renamedKeys(properties, (key) => (internal.has(key) ? hiddenName(key) : key));
}

/** Properties as the code knows them. */
export function withoutHidden<Properties extends object>(properties: Properties): Properties {
  return renamedKeys(properties, (key) => (isHiddenName(key) ? key.slice(mark.length) : key));
}

/** True for properties that come from Pulumi's state or a program; a caller of the provider itself hides none. */
export function hasHidden(properties: object): boolean {
  return Object.keys(properties).some(isHiddenName);
}

function isHiddenName(key: string): boolean {
  return key.startsWith(mark) && internal.has(key.slice(mark.length));
}

/** What it returns has the same properties, by other names, which no type can say. */
function renamedKeys<Properties extends object>(
  properties: Properties,
  rename: (key: string) => string,
): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [rename(key), value]),
  ) as Properties;
}
