import type { LifecycleRule } from "@aws-sdk/client-s3";
import { quote, shorten } from "../../../common/text";
import { isObject, jsonObject } from "./json-object";

/** Longest name of an unknown member that is repeated in a message. */
const MAX_MEMBER = 64;

/** Rules as they are sent, or what is wrong with their text. */
export type Lifecycle =
  { readonly rules: LifecycleRule[]; readonly problem?: never } | { readonly problem: string };

/** What a member of the document holds: a plain value, a list, or members of its own. */
type Shape = "text" | "count" | "flag" | "date" | readonly [Members] | Members;
interface Members {
  readonly [name: string]: Shape;
}

const tag = { Key: "text", Value: "text" } satisfies Members;
const scope = {
  Prefix: "text",
  ObjectSizeGreaterThan: "count",
  ObjectSizeLessThan: "count",
} satisfies Members;

const actions = {
  Expiration: { Days: "count", Date: "date", ExpiredObjectDeleteMarker: "flag" },
  Transitions: [{ Days: "count", Date: "date", StorageClass: "text" }],
  NoncurrentVersionExpiration: { NoncurrentDays: "count", NewerNoncurrentVersions: "count" },
  NoncurrentVersionTransitions: [
    { NoncurrentDays: "count", NewerNoncurrentVersions: "count", StorageClass: "text" },
  ],
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: "count" },
} satisfies Members;

/** Source: Amazon S3 API, PutBucketLifecycleConfiguration, in the JSON of its command line and of Rook. */
const rule = {
  ID: "text",
  Status: "text",
  Prefix: "text",
  Filter: { ...scope, Tag: tag, And: { ...scope, Tags: [tag] } },
  ...actions,
} satisfies Members;

/**
 * Reads the rules for the life of objects. A member that is not known is a fault: left out, as the SDK would, it might turn
 * a rule for some objects into one for all.
 */
export function readLifecycle(text: string): Lifecycle {
  const document = jsonObject(text);
  if (document === undefined) return { problem: "is not a JSON object" };
  const { Rules: rules, ...others } = document;
  const [other] = Object.keys(others);
  if (other !== undefined)
    return { problem: `has ${quote(other)} beside "Rules", the only key that it may have` };
  if (!Array.isArray(rules)) return { problem: 'has no list "Rules"' };
  if (rules.length === 0) {
    return { problem: 'has an empty list "Rules": give a rule, or an empty text for no rules' };
  }
  const problem = rules.map((entry, index) => ruleProblem(entry, `Rules[${index}]`)).find(isText);
  return problem === undefined ? { rules: withDates(text).Rules } : { problem };
}

function ruleProblem(entry: unknown, path: string): string | undefined {
  const problem = shapeProblem(entry, rule, path);
  if (problem !== undefined || !isObject(entry)) return problem;
  if (entry["Status"] !== "Enabled" && entry["Status"] !== "Disabled") {
    return `has no Status Enabled or Disabled in ${path}`;
  }
  if (!Object.keys(actions).some((action) => action in entry)) {
    return `has no action in ${path}: give one of ${Object.keys(actions).join(", ")}`;
  }
  // A rule that has neither is refused by some stores, and by others taken for all objects.
  if ("Prefix" in entry === "Filter" in entry) {
    return `needs one of Filter and Prefix in ${path}: Filter {} stands for all objects`;
  }
  const filter = entry["Filter"];
  return isObject(filter) && Object.keys(filter).length > 1
    ? `has more than one member in ${path}.Filter: put them into And`
    : undefined;
}

function shapeProblem(value: unknown, shape: Shape, path: string): string | undefined {
  if (typeof shape === "string") {
    return fits[shape](value) ? undefined : `has a ${path} that is not ${words[shape]}`;
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return `has a ${path} that is not a list`;
    return value.map((entry, index) => shapeProblem(entry, shape[0], `${path}[${index}]`)).find(isText);
  }
  if (!isObject(value)) return `has a ${path} that is not an object`;
  return Object.entries(value)
    .map(([name, member]) => {
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return known === undefined
        ? `has ${path}.${shorten(name, MAX_MEMBER)}, which is not known: ${path} may have ${Object.keys(shape).join(", ")}`
        : shapeProblem(member, known, `${path}.${name}`);
    })
    .find(isText);
}

const fits = {
  text: isText,
  count: (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  flag: (value: unknown) => typeof value === "boolean",
  date: (value: unknown) => isText(value) && !Number.isNaN(Date.parse(value)),
};

const words = {
  text: "a text",
  count: "a whole number",
  flag: "true or false",
  date: "a date such as 2030-01-31T00:00:00Z",
};

function isList(shape: readonly [Members] | Members): shape is readonly [Members] {
  return Array.isArray(shape);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The document as the SDK takes it: of the shape above, with dates that are dates. */
function withDates(text: string): { Rules: LifecycleRule[] } {
  return JSON.parse(text, (key, value: unknown) =>
    key === "Date" && isText(value) ? new Date(value) : value,
  ) as { Rules: LifecycleRule[] };
}
