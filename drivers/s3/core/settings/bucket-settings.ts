import type { LifecycleRule } from "@aws-sdk/client-s3";
import { quote } from "../../../common/text";
import { jsonObject } from "./json-object";
import { readLifecycle } from "./lifecycle-document";
import { bytesOf } from "./quota-limit";

/**
 * What a create says of a bucket that may be said anew: unlike what the bucket was made with, it can be changed by the same
 * call with other values. A member that is not given is not touched at the store, as somebody else may see to it.
 */
export interface BucketSettings {
  /** Policy of the bucket, in JSON; empty for none. */
  readonly policy?: string | undefined;
  /** Rules for the life of its objects; empty for none. */
  readonly lifecycle?: readonly LifecycleRule[] | undefined;
  /** IAM user with full access to it; empty for none. */
  readonly owner?: string | undefined;
  readonly quota?: Quota | undefined;
}

/** How much a bucket may hold. */
export interface Quota {
  /** The parameter that says so. */
  readonly key: SizeKey;
  /** 0 for no limit. */
  readonly bytes: bigint;
}

type SizeKey = (typeof sizeKeys)[number];

/** The store knows one quota per bucket, and none of an account; an account of a claim has no other bucket. */
const sizeKeys = ["maxSize", "bucketMaxSize"] as const;

type Problem = (value: string) => string | undefined;

const orEmpty =
  (problem: Problem): Problem =>
  (value) =>
    value === "" ? undefined : problem(value);

const policy = orEmpty((value) =>
  jsonObject(value) === undefined
    ? "is not a JSON object: give a policy document, or leave it empty"
    : undefined,
);

const lifecycle = orEmpty((value) => readLifecycle(value).problem);

/** Source: IAM API, CreateUser, UserName. */
const owner = orEmpty((value) =>
  /^[\w+=,.@-]{1,64}$/.test(value) ? undefined : `${quote(value)} is not the name of an IAM user`,
);

const size = orEmpty((value) => {
  const bytes = bytesOf(value);
  if (bytes === undefined) {
    return `${quote(value)} is not a size below 2^63 bytes: give one such as 1000, 2G or 4Ki, or leave it empty`;
  }
  return bytes === 0n ? "is 0, and a quota cannot be 0: leave it empty for no quota" : undefined;
});

const count = orEmpty(
  () =>
    "this driver's API (S3 and IAM) has no quota of objects: leave it out, and set the quota at the store itself",
);

/** Keys of settings, with what is wrong with a value. Source of the names: Rook, object bucket claims, `additionalConfig`. */
export const SETTING_RULES = {
  bucketPolicy: policy,
  bucketLifecycle: lifecycle,
  bucketOwner: owner,
  maxObjects: count,
  maxSize: size,
  bucketMaxObjects: count,
  bucketMaxSize: size,
} satisfies Record<string, Problem>;

/** The settings that checked parameters ask for. */
export function bucketSettings(parameters: ReadonlyMap<string, string>): BucketSettings {
  const rules = parameters.get("bucketLifecycle");
  return {
    policy: parameters.get("bucketPolicy"),
    lifecycle: rules === undefined ? undefined : rules === "" ? [] : rulesOf(rules),
    owner: parameters.get("bucketOwner"),
    quota: smallest(
      sizeKeys.flatMap((key) => {
        const bytes = bytesOf(parameters.get(key) ?? "none");
        return bytes === undefined ? [] : { key, bytes };
      }),
    ),
  };
}

function rulesOf(text: string): readonly LifecycleRule[] {
  const read = readLifecycle(text);
  if (read.problem !== undefined) throw new Error(`bucketLifecycle ${read.problem}`);
  return read.rules;
}

/** Of two limits the lower one; no limit is the highest. */
function smallest(quotas: readonly Quota[]): Quota | undefined {
  const limits = quotas.filter(({ bytes }) => bytes > 0n);
  const [first, second] = limits.length > 0 ? limits : quotas;
  return first !== undefined && second !== undefined && second.bytes < first.bytes ? second : first;
}
