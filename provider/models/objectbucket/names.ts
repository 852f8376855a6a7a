import { createHash } from "node:crypto";
import { isIPv4 } from "node:net";
import { labelValue } from "../../kubernetes/label-value";

/**
 * How the bucket of a claim is called that names none: `prefixAndUid` puts the claim's UID behind its
 * `generateBucketName`; `namespaceAndName` takes the claim's namespace and name, and a hash of the two.
 */
export type BucketNaming = "prefixAndUid" | "namespaceAndName";

/** How the ObjectBucket of a claim is called: `hashed` puts a hash behind the name, so that no two claims have one. */
export type ObjectBucketNaming = "plain" | "hashed";

/** A claim, without what tells it from a later one of its name. */
export interface ClaimName {
  readonly namespace: string;
  readonly name: string;
}

/** Longest name of a bucket, and of an account, in characters. Source: S3, bucket naming rules. */
const longestBucketName = 63;
const shortestBucketName = 3;

/** What stays of a prefix, so that a UID of 36 characters fits behind it. */
const longestPrefix = 26;

/** Longest name of an object, in characters. Source: Kubernetes, DNS subdomain names (RFC 1123). */
const longestObjectName = 253;

const hashLength = 8;

/**
 * Name of a bucket that is made under a prefix: OBC-052. The UID takes the place of the random one of the operators'
 * library, which would be another one in each try.
 */
export function generatedBucketName(prefix: string, uid: string): string {
  return `${cut(prefix, longestPrefix)}-${uid}`;
}

/** Name of a bucket by the claim's namespace and name; the hash keeps `a-b`/`c` and `a`/`b-c` apart: OBC-054. */
export function namedBucketName(claim: ClaimName): string {
  return hashed(`${claim.namespace}-${claim.name}`, claim, longestBucketName);
}

/**
 * Name of a claim's ObjectBucket, as the tools of today expect it: OBC-055. One that an object cannot have is cut, with a
 * hash at its end: OBC-056.
 */
export function objectBucketNameOf(claim: ClaimName, naming: ObjectBucketNaming = "plain"): string {
  const plain = `obc-${claim.namespace}-${claim.name}`;
  if (naming === "plain" && plain.length <= longestObjectName) return plain;
  return hashed(plain, claim, longestObjectName);
}

/** Name of a claim's account. The UID keeps a claim that is made anew from an account of old: OBC-057. */
export function accountNameOf({ namespace, name, uid }: ClaimName & { readonly uid: string }): string {
  const readable = `obc-${namespace}-${name}`.replace(/[^a-z0-9-]/g, "-").slice(0, longestPrefix);
  return `${readable}-${uid}`;
}

/** Label on claim, ObjectBucket, Secret and ConfigMap, for listing only: {@link provisionerLabelValue} shortens it. */
export const provisionerLabel = "bucket-provisioner";

/** A provisioner as the value of a label: OBC-058. */
export function provisionerLabelValue(provisioner: string): string {
  return labelValue(provisioner);
}

/** What is wrong with the name that a claim gives its bucket, or `undefined`: OBC-053. */
export function bucketNameProblem(name: string): string | undefined {
  return nameProblem(name, shortestBucketName, "");
}

/** What is wrong with the prefix of a bucket's name, or `undefined`: OBC-053. The claim's UID makes it long enough. */
export function bucketPrefixProblem(prefix: string): string | undefined {
  return nameProblem(prefix, 1, '; "-" and the claim\'s UID are put behind it');
}

function nameProblem(text: string, shortest: number, further: string): string | undefined {
  const rule = brokenRule(text, shortest);
  return rule === undefined ? undefined : `is ${JSON.stringify(text)}: ${rule}${further}`;
}

/** What to do by the first rule of S3 that a name does not follow. */
function brokenRule(text: string, shortest: number): string | undefined {
  if (text.length < shortest || text.length > longestBucketName) {
    return `give ${shortest} to ${longestBucketName} characters; these are ${text.length}`;
  }
  if (!/^[a-z0-9.-]*$/.test(text)) return 'give lower-case letters, digits, "." and "-" only';
  if (!/^[a-z0-9].*$/.test(text) || !/[a-z0-9]$/.test(text)) return "give a letter or digit at both ends";
  if (text.includes("..")) return "give no two dots in a row";
  return isIPv4(text) ? "give a name that is no IPv4 address" : undefined;
}

/** A name with a hash of its claim behind it, which is cut as far as the whole has to be. */
function hashed(name: string, { namespace, name: claimName }: ClaimName, longest: number): string {
  const hash = createHash("sha256").update(`${namespace}/${claimName}`).digest("hex").slice(0, hashLength);
  return `${cut(name, longest - hashLength - 1)}-${hash}`;
}

/** The beginning of a name. A cut may end in what no name, and no part of one, ends in. */
function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/[.-]+$/, "");
}
