import type * as pulumi from "@pulumi/pulumi";
import type { AnonymousAccess } from "../../provider/contracts/contract";
import { isRecord } from "../../provider/dynamic/values";
import {
  accessModeNames,
  readAccessMode,
  type PermittedNamespace,
} from "../../provider/models/cosi-2020-07/specs";
import type { ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import { asFound, namespaceNamed } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";

/** A namespace from which requests may bind to a Bucket. */
export interface PermittedNamespaceArgs {
  /** Name of the namespace. */
  name: pulumi.Input<string>;
  /**
   * UID of the namespace; a namespace that is deleted and made again has another one.
   *
   * @default that of the live namespace, read when the Bucket is written
   */
  uid?: pulumi.Input<string>;
}

/** K07-040: what callers without credentials may do, as the API stores it. */
export function accessModeNamed(value: unknown): AnonymousAccess {
  const mode = readAccessMode(value ?? "private");
  if (mode !== undefined) return mode;
  throw new ProblemError(`anonymousAccessMode ${asFound(value)}: give one of ${quoted(accessModeNames)}`);
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
      `${found} of ${prefix.length} characters: give at most ${longest}, as the bucket's name has at most ` +
        `${longestBucketName}, and the request's UID takes ${uidLength} of them`,
    );
  }
  const isAzure = protocol === "azureBlob";
  if ((isAzure ? /^[a-z0-9][a-z0-9-]*$/ : /^[a-z0-9][a-z0-9.-]*$/).test(prefix)) return prefix;
  const allowed = isAzure ? 'digits and "-"' : 'digits, "-" and "."';
  throw new ProblemError(`${found}: give lower-case letters, ${allowed}, with a letter or digit first`);
}
