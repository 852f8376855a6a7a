import type { JudgedResource } from "./judged-resource";
import { isGiven, read, type Properties } from "./properties";
import { resourceTypes } from "./types";

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
export function credentialsPlaceOf({
  type,
  object,
  properties,
}: JudgedResource): CredentialsPlace | undefined {
  switch (type) {
    case resourceTypes.secret:
    case resourceTypes.objectBucketClaim:
    case resourceTypes.sourceSecret:
      return placeAt(properties, "namespace");
    case resourceTypes.bucketBinding:
      return placeAt(properties, "bucket", "namespace");
  }
  if (object === undefined) return undefined;
  const hasSecret =
    object.kind === "ObjectBucketClaim" ||
    isGiven(properties, "spec", "credentialsSecretName") ||
    isGiven(properties, "spec", "secretName");
  return hasSecret ? placeAt(properties, "metadata", "namespace") : undefined;
}

/** The namespace of an object that stands at a path. */
export function placeAt(properties: Properties, ...path: readonly string[]): CredentialsPlace {
  const reading = read(properties, ...path);
  const value = reading.is === "known" ? reading.value : undefined;
  return {
    field: path.join("."),
    namespace: typeof value === "string" && value !== "" ? value : undefined,
    isMissing: reading.is === "absent" || value === "",
  };
}
