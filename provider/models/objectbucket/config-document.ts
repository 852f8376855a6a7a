import { canonical, isRecord } from "../../dynamic/values";

/** An object that is written in JSON; `undefined` for any other text. */
export function documentOf(text: string): Record<string, unknown> | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isRecord(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with a policy in JSON, or `undefined`. What is allowed in it, the store judges. */
export function policyProblem(text: string): string | undefined {
  return documentOf(text) === undefined ? "is no object in JSON" : undefined;
}

/** What is wrong with rules for the life of objects in JSON, or `undefined`. */
export function lifecycleProblem(text: string): string | undefined {
  const document = documentOf(text);
  if (document === undefined) return "is no object in JSON";
  const rules = document["Rules"];
  if (!Array.isArray(rules)) return 'has no list "Rules"';
  // A store refuses it, when the bucket is there already.
  if (rules.length === 0) return 'has an empty list "Rules"';
  return rules.every(isRecord) ? undefined : 'has an entry in "Rules" that is no object';
}

/**
 * One text for documents that mean the same, whatever the order of their keys, their white space, and whether a single
 * text stands in a list; the rules of a lifecycle are a set.
 */
export function meaningOf(document: Record<string, unknown>): string {
  const rules = document["Rules"];
  const sorted = Array.isArray(rules) ? rules.map((rule) => canonical(unlisted(rule))).sort() : undefined;
  return canonical([unlisted({ ...document, Rules: undefined }), sorted]);
}

/** S3 takes a text for a list of one text. */
function unlisted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    const [first] = entries;
    return entries.length === 1 && typeof first === "string" ? first : entries.map(unlisted);
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, unlisted(entry)]));
}
