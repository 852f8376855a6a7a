import type * as pulumi from "@pulumi/pulumi";
import type { AnonymousAccess } from "../../provider/contracts/contract";
import { isRecord } from "../../provider/dynamic/values";
import { namespaceProblem, objectNameProblem } from "../../provider/kubernetes/names";
import {
  accessModeNames,
  apiProtocols,
  readAccessMode,
  readProtocol,
  type ApiProtocol,
  type PermittedNamespace,
  type ReleasePolicy,
} from "../../provider/models/cosi-2020-07/specs";
import { ProblemError, quoted } from "../kubernetes/problem";

/** A namespace from which requests may bind to a Bucket. */
export interface PermittedNamespaceArgs {
  /** Name of the namespace. */
  name: pulumi.Input<string>;
  /**
   * UID of the namespace: one that was deleted and made again is another one.
   *
   * @default that of the live namespace, read when the Bucket is written
   */
  uid?: pulumi.Input<string>;
}

/** K07-020, K07-021: one of three protocols, in any case, as the API stores it. */
export function protocolNamed(argument: string, value: unknown): ApiProtocol {
  const protocol = readProtocol(value);
  if (protocol !== undefined) return protocol;
  const further = Array.isArray(value) ? ", one for each class" : "";
  throw new ProblemError(`${argument} ${asFound(value)}: give one of ${quoted(apiProtocols)}${further}`);
}

/** K07-040: what callers without credentials may do, as the API stores it. */
export function accessModeNamed(value: unknown): AnonymousAccess {
  const mode = readAccessMode(value ?? "private");
  if (mode !== undefined) return mode;
  throw new ProblemError(`anonymousAccessMode ${asFound(value)}: give one of ${quoted(accessModeNames)}`);
}

const releasePolicies: readonly ReleasePolicy[] = ["Retain", "Delete"];

/** K07-038. */
export function releasePolicyNamed(value: unknown): ReleasePolicy {
  const policy = releasePolicies.find((known) => known === (value ?? "Retain"));
  if (policy !== undefined) return policy;
  throw new ProblemError(`releasePolicy ${asFound(value)}: give one of ${quoted(releasePolicies)}`);
}

/** K07-052. */
export function isDefaultClass(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  throw new ProblemError(`isDefaultBucketClass ${asFound(value)}: give true or false`);
}

/** K07-044: the entries of a list of namespaces. */
export function namespacesNamed(argument: string, value: unknown): PermittedNamespace[] {
  if (!Array.isArray(value)) {
    throw new ProblemError(`${argument} ${asFound(value)}: give a list of { name, uid? }`);
  }
  return value.map((entry: unknown, index) => permittedNamed(`${argument}[${index}]`, entry));
}

function permittedNamed(argument: string, entry: unknown): PermittedNamespace {
  if (!isRecord(entry)) throw new ProblemError(`${argument} ${asFound(entry)}: give { name, uid? }`);
  const { uid = null } = entry;
  const name = namespaceNamed(`${argument}.name`, entry["name"]);
  if (uid === null || uid === "") return { name };
  if (typeof uid === "string") return { name, uid };
  throw new ProblemError(`${argument}.uid ${asFound(uid)}: give the UID of the namespace, or leave it out`);
}

/** The name of a namespace. @throws ProblemError for what cannot be one. */
export function namespaceNamed(argument: string, name: unknown): string {
  if (typeof name !== "string" || name === "") throw new ProblemError(`${argument} ${asFound(name)}`);
  const problem = namespaceProblem(name);
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
  return name;
}

/** Longest name of a bucket that is made, and what of it the UID of its request takes. */
const longestBucketName = 63;
const uidLength = 36;

/**
 * K07-022 to K07-024: a prefix with which the name of every bucket is one that a store can take.
 *
 * @returns The prefix; empty for none.
 */
export function prefixNamed(prefix: string | undefined, protocol: ApiProtocol): string {
  if (prefix === undefined || prefix === "") return "";
  const found = `bucketPrefix is ${JSON.stringify(prefix)}`;
  const longest = longestBucketName - uidLength;
  if (prefix.length > longest) {
    throw new ProblemError(
      `${found} of ${prefix.length} characters: give at most ${longest}, as the name of the bucket has ` +
        `${longestBucketName} at most, and the request's UID is ${uidLength} of them`,
    );
  }
  const isAzure = protocol === "azureBlob";
  if ((isAzure ? /^[a-z0-9][a-z0-9-]*$/ : /^[a-z0-9][a-z0-9.-]*$/).test(prefix)) return prefix;
  const allowed = isAzure ? 'digits and "-"' : 'digits, "-" and "."';
  throw new ProblemError(`${found}: give lower-case letters, ${allowed}, a letter or digit first`);
}

/** The name of an object that is referred to. @throws ProblemError for what cannot be one. */
export function referenceNamed(argument: string, name: unknown): string {
  if (typeof name !== "string" || name === "") throw new ProblemError(`${argument} ${asFound(name)}`);
  const problem = objectNameProblem(name);
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
  return name;
}

/** A value as a message tells of it: `is "x"`, or `is missing`. */
export function asFound(value: unknown): string {
  if (value === undefined || value === null) return "is missing";
  return value === "" ? "is empty" : `is ${JSON.stringify(value)}`;
}
