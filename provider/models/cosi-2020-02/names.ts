import type { ApiProtocol } from "../cosi-proposals/protocols";

/** A Bucket that exists. */
export interface BucketName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Longest name of an object, in characters. */
const longestName = 253;

/** Name of the BucketContent of a Bucket: K02-031. */
export function contentNameOf(className: string, { uid }: Pick<BucketName, "uid">): string {
  return `${className}-${uid}`;
}

/** What is wrong with the name of a BucketContent, or `undefined`. */
export function contentNameProblem(name: string): string | undefined {
  if (name.length <= longestName) return undefined;
  return (
    `the BucketContent would be called ${JSON.stringify(name)}, which has ${name.length} characters, and an object's name has ` +
    `at most ${longestName}: use a class of a shorter name`
  );
}

/** The name that the driver is asked for: K02-023. */
export function backendNameOf(prefix: string | null | undefined, { uid }: Pick<BucketName, "uid">): string {
  return `${prefix ?? ""}${uid}`;
}

/** A Bucket as annotations record it, by which it is told from a later one of its name. */
export function bucketMark({ namespace, name, uid }: BucketName): string {
  return `${namespace}/${name}/${uid}`;
}

/** True if one of the names, written in any case, is that of the protocol: K02-051. */
export function supports(supportedProtocols: readonly string[], protocol: ApiProtocol): boolean {
  return supportedProtocols.some((known) => known.toLowerCase() === protocol.toLowerCase());
}
