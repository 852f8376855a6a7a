import { canonical, isRecord, isUnknown } from "../../dynamic/values";
import { objectStoreOf } from "./class-parameters";
import { documentOf, lifecycleProblem, meaningOf, policyProblem } from "./config-document";
import { billionthsOf } from "./quantity";

type Texts = Readonly<Record<string, string>>;

/** What is known of a key of `additionalConfig`. */
interface KnownKey {
  /** What is wrong with a value that is not empty. @default any text will do */
  readonly problem?: (text: string) => string | undefined;
  /** One text for values that mean the same; `undefined` for a value of no meaning. @default the value itself */
  readonly meaning?: (text: string) => string | undefined;
}

const quantity: KnownKey = {
  problem: (text) =>
    billionthsOf(text) === undefined
      ? `is ${JSON.stringify(text)}: give a quantity such as "1000", "2G" or "4Ki"`
      : undefined,
  meaning: (text) => billionthsOf(text)?.toString(),
};

const document = (problem: (text: string) => string | undefined, example: string): KnownKey => ({
  problem: (text) => {
    const found = problem(text);
    return found === undefined ? undefined : `${found}: give one such as ${example}`;
  },
  meaning: (text) => {
    const parsed = documentOf(text);
    return parsed === undefined ? undefined : meaningOf(parsed);
  },
});

/** Source: Rook, object bucket claims, `additionalConfig`. */
const known = new Map<string, KnownKey>([
  ["maxObjects", quantity],
  ["maxSize", quantity],
  ["bucketMaxObjects", quantity],
  ["bucketMaxSize", quantity],
  ["bucketPolicy", document(policyProblem, '{"Version":"2012-10-17","Statement":[…]}')],
  ["bucketLifecycle", document(lifecycleProblem, '{"Rules":[{"ID":"old","Status":"Enabled",…}]}')],
  ["bucketOwner", {}],
]);

/** Keys of `additionalConfig` whose meaning is known: those of Rook. */
export const knownConfigKeys: readonly string[] = [...known.keys()];

/** Keys that a claim may have of itself; further ones the class has to allow: OBC-079. */
export const defaultAllowedConfig: readonly string[] = ["maxObjects", "maxSize"];

/** What no claim says, whatever its class allows: OBC-006. */
const ofClassOnly: readonly string[] = [
  "objectStore",
  "objectStoreName",
  "objectStoreNamespace",
  "bucketName",
  "bucketID",
  "reclaimPolicy",
  "provisioner",
];

/** What a claim's class says of its `additionalConfig`. */
export interface ConfigRules {
  /** Keys that the class allows. */
  readonly allowed: readonly string[];
  readonly parameters: Texts;
}

/**
 * What is wrong with the `additionalConfig` of a claim, or `undefined`; what a preview does not know is not judged. An
 * empty value is allowed for every key: it takes away what an earlier one has set.
 */
export function additionalConfigProblem(config: unknown, rules: ConfigRules): string | undefined {
  if (isUnknown(config)) return undefined;
  const entries = config ?? {};
  if (!isRecord(entries)) return "is not a map: give strings by their keys";
  for (const [key, value] of Object.entries(entries)) {
    if (isUnknown(value)) continue;
    const problem = entryProblem(key, value, rules);
    if (problem !== undefined) return problem;
  }
  const problem = ownerQuotaProblem({ ...entries, ...rules.parameters });
  return problem === undefined ? undefined : `with the parameters of the class ${problem}`;
}

function entryProblem(key: string, value: unknown, { allowed, parameters }: ConfigRules): string | undefined {
  const named = JSON.stringify(key);
  if (typeof value !== "string") {
    return `has a value that is not a string at the key ${named}: put it in quotes, as the driver reads texts`;
  }
  const ofClass = classValue(key, parameters);
  if (ofClass !== undefined && sameEntry(key, value, ofClass)) return undefined;
  if (ofClass !== undefined || ofClassOnly.includes(key)) {
    return `has ${named}, which only the class may set, and it does not set it so: leave it out, or use a class that does`;
  }
  if (!allowed.includes(key)) {
    return (
      `has ${named}, which the class does not allow (it allows ${listed(allowed)}): leave it out, or give it in ` +
      "allowedAdditionalConfig of the class"
    );
  }
  const problem = value === "" ? undefined : known.get(key)?.problem?.(value);
  return problem === undefined ? undefined : `has ${named} that ${problem}`;
}

/** What a class says of a key; a name of its object store goes by two keys: OBC-034. */
function classValue(key: string, parameters: Texts): string | undefined {
  const isStore = key === "objectStore" || key === "objectStoreName";
  return isStore ? objectStoreOf(parameters).name : parameters[key];
}

function listed(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(", ") || "none";
}

/**
 * What is wrong with parameters that name an owner of the bucket, or `undefined`: `maxObjects` and `maxSize` are quotas of
 * the account, and that of a user is not touched: OBC-119.
 */
export function ownerQuotaProblem(parameters: Readonly<Record<string, unknown>>): string | undefined {
  if ((parameters["bucketOwner"] ?? "") === "") return undefined;
  const quotas = ["maxObjects", "maxSize"].filter((key) => key in parameters);
  if (quotas.length === 0) return undefined;
  const ofBucket = quotas.map((key) => `bucket${key.charAt(0).toUpperCase()}${key.slice(1)}`);
  return (
    `has bucketOwner beside ${quotas.join(" and ")}, which would change the quota of that owner for all of its buckets: give ` +
    `${ofBucket.join(" and ")} instead, or leave bucketOwner out`
  );
}

/** True for maps that mean the same: OBC-080. No map, `null` and an empty one are the same; an empty value is none of them. */
export function sameConfig(left: Texts | null | undefined, right: Texts | null | undefined): boolean {
  return configMeaning(left) === configMeaning(right);
}

function configMeaning(config: Texts | null | undefined): string {
  const entries = Object.entries(config ?? {}).map(
    ([key, value]) => [key, entryMeaning(key, value)] as const,
  );
  return canonical(Object.fromEntries(entries));
}

function sameEntry(key: string, left: string, right: string): boolean {
  return canonical(entryMeaning(key, left)) === canonical(entryMeaning(key, right));
}

/** A value by its meaning, in a list; one of which nothing is known stands for itself. */
function entryMeaning(key: string, value: unknown): unknown {
  const meaning = typeof value === "string" ? known.get(key)?.meaning?.(value) : undefined;
  return meaning === undefined ? value : [meaning];
}

/** Parameters of the calls for a claim's bucket and account: those of the class, and what the claim adds to them. */
export function createParameters(
  parameters: Texts,
  config: Texts | null | undefined,
): Record<string, string> {
  return { ...config, ...parameters };
}
