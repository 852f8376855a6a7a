import { sureJson } from "../../policy/resources/sure-json";
import { canonical, isRecord } from "../../provider/dynamic/values";

/** What a rule may have by which no object ends. Source: Amazon S3 API, PutBucketLifecycleConfiguration. */
const harmless: readonly string[] = [
  "ID",
  "Status",
  "Prefix",
  "Filter",
  "Transitions",
  "NoncurrentVersionTransitions",
  "AbortIncompleteMultipartUpload",
];
const ending: readonly string[] = ["Expiration", "NoncurrentVersionExpiration"];

/**
 * True if objects may end by rules for their life that did not by those of before. Rules that cannot be read for sure may say
 * so; an empty text has none.
 */
export function mayExpireMore(before: string, after: string): boolean {
  const rules = rulesOf(after);
  if (rules === undefined) return before !== after;
  const known = new Set((rulesOf(before) ?? []).map(canonical));
  return rules.some((rule) => !isHarmless(rule) && !known.has(canonical(rule)));
}

function isHarmless(rule: unknown): boolean {
  if (!isRecord(rule)) return false;
  const names = rule["Status"] === "Disabled" ? [...harmless, ...ending] : harmless;
  return Object.keys(rule).every((name) => names.includes(name));
}

function rulesOf(text: string): readonly unknown[] | undefined {
  if (text === "") return [];
  const document = sureJson(text);
  const rules = isRecord(document) ? document["Rules"] : undefined;
  return Array.isArray(rules) ? rules : undefined;
}
