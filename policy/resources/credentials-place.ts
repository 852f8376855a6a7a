import type { JudgedResource } from "./judged-resource";
import { isGiven, read, type Path, type Properties } from "./properties";

/** Where a resource puts credentials. */
export interface CredentialsPlace {
  /** Property that names the namespace. */
  readonly field: string;
  /** `undefined` where a preview does not know it. */
  readonly namespace: string | undefined;
  /** No namespace is given. */
  readonly isMissing: boolean;
}

/** The namespace of the Secret that a resource writes, or has written; `undefined` for one that has none written. */
export function credentialsPlaceOf({ places, properties }: JudgedResource): CredentialsPlace | undefined {
  const secret = places?.secret;
  if (secret === undefined) return undefined;
  const hasSecret = secret.givenBy?.some((path) => isGiven(properties, ...path)) ?? true;
  return hasSecret ? placeAt(properties, ...secret.namespace) : undefined;
}

/** The namespace of an object that stands at a path. */
export function placeAt(properties: Properties, ...path: Path): CredentialsPlace {
  const reading = read(properties, ...path);
  const value = reading.is === "known" ? reading.value : undefined;
  return {
    field: path.join("."),
    namespace: typeof value === "string" && value !== "" ? value : undefined,
    isMissing: reading.is === "absent" || value === "",
  };
}
