/** A request in a namespace. */
export interface RequestName {
  readonly namespace: string;
  readonly name: string;
}

/** A request that exists. */
export interface Request extends RequestName {
  readonly uid: string;
}

/** Longest name of an object, in characters. */
const longestName = 253;

/** Name of the Bucket that is made for a BucketRequest. Source: COSI proposal of 2020-07-08, Bucket, `name`. */
export function bucketNameOf({ namespace, name }: RequestName): string {
  return `bucket-${name}-${namespace}`;
}

/**
 * Name of the BucketAccess of a BucketAccessRequest. The proposal's pattern begins with `bucketAccess`, which no object
 * can be called.
 */
export function accessNameOf({ namespace, name }: RequestName): string {
  return `bucketaccess-${name}-${namespace}`;
}

/** What is wrong with a name that is made of those of a request, or `undefined`. */
export function derivedNameProblem(name: string): string | undefined {
  if (name.length <= longestName) return undefined;
  return (
    `makes the name ${JSON.stringify(name)} of ${name.length} characters, and an object's has at most ${longestName}: ` +
    "give the request a shorter name"
  );
}

/** A request as annotations record it, by which it is told from a later one of its name. */
export function requestMark({ namespace, name, uid }: Request): string {
  return `${namespace}/${name}/${uid}`;
}

/** An entry of a Bucket's `bindings`. */
export function bindingEntry(accessName: string, { namespace, name }: RequestName): string {
  return `${accessName}:${namespace}/${name}`;
}

/** True for an entry of a Bucket's `bindings` that a BucketRequest has. */
export function isBoundThrough(entry: string, { namespace, name }: RequestName): boolean {
  return entry.slice(entry.indexOf(":") + 1) === `${namespace}/${name}`;
}

/** Namespace of a provisioner, the part before the slash of its name. */
export function namespaceOfProvisioner(provisioner: string): string {
  return provisioner.slice(0, provisioner.indexOf("/"));
}
