import { DriverError } from "./driver-error";
import { SETTING_RULES } from "./settings/bucket-settings";

/** What a caller says about a bucket or an access, by key. */
export type Parameters = ReadonlyMap<string, string>;

/** A key that the driver knows: the reason why a value is wrong, or undefined if it is right. */
type Rule = (value: string) => string | undefined;

const oneOf =
  (...allowed: string[]): Rule =>
  (value) =>
    allowed.includes(value) ? undefined : `"${value}" is none of ${allowed.join(", ")}`;

const region: Rule = (value) =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) && value.length <= 32
    ? undefined
    : `"${value}" is not the name of a region (lower-case letters, digits and dashes)`;

/**
 * Every key that says what a bucket is, for good. Values must fit into a tag, as they are recorded there: letters, digits,
 * spaces and `_ . : / = + - @`, all together at most 256 characters.
 */
const BUCKET_RULES = {
  region,
  versioning: oneOf("true", "false"),
  emptyOnDelete: oneOf("true", "false"),
} satisfies Record<string, Rule>;

/** Every key that says what an access is, under the same limits. */
const ACCESS_RULES = {
  accessMode: oneOf("rw", "ro", "wo"),
} satisfies Record<string, Rule>;

/** Keys that every class of an object bucket claim may have: its orchestrator reads them, this driver does not. */
const CLASS_RULES = Object.fromEntries(
  ["objectStoreName", "objectStoreNamespace", "objectStore", "endpoint", "bucketName", "bucketID"].map(
    (key) => [key, (): string | undefined => undefined] as const,
  ),
) satisfies Record<string, Rule>;

const RULES: Readonly<Record<string, Rule>> = {
  ...BUCKET_RULES,
  ...SETTING_RULES,
  ...ACCESS_RULES,
  ...CLASS_RULES,
};

/** What an account may do with the objects of its bucket: read and write, only read, only write. */
export type AccessMode = "rw" | "ro" | "wo";

/**
 * Checks the parameters of a create or a grant. Both may bear the keys of the other one, and those of a claim's class, since
 * an object bucket claim has one map for both; each reads its own.
 *
 * @throws DriverError `invalid-argument` naming field, key and reason.
 */
export function checkParameters(field: string, parameters: Parameters): void {
  check(field, parameters, RULES);
}

/**
 * Checks the context of a delete or a revoke: the same keys. Settings are not judged there, where they have no effect: one
 * that a create has refused must not keep its bucket from being deleted.
 *
 * @throws DriverError `invalid-argument` naming field, key and reason.
 */
export function checkContext(field: string, context: Parameters): void {
  check(field, new Map([...context].filter(([key]) => !Object.hasOwn(SETTING_RULES, key))), RULES);
}

/** What a bucket is, of checked parameters: what it is recorded with, and a repeated create must have too. */
export function bucketIdentity(parameters: Parameters): Parameters {
  return only(BUCKET_RULES, parameters);
}

/** What an access is, of checked parameters. */
export function accessIdentity(parameters: Parameters): Parameters {
  return only(ACCESS_RULES, parameters);
}

/** The user of the setting `bucketOwner` in a context, where it names one; no other value of that key is judged there. */
export function ownerIn(context: Parameters): string | undefined {
  const owner = context.get("bucketOwner") ?? "";
  return owner !== "" && SETTING_RULES.bucketOwner(owner) === undefined ? owner : undefined;
}

/** The value of a checked bucket parameter. */
export function bucketParameter(parameters: Parameters, key: keyof typeof BUCKET_RULES): string | undefined {
  return parameters.get(key);
}

/** The access mode of checked parameters, `rw` if they say nothing. */
export function accessMode(parameters: Parameters): AccessMode {
  const value = parameters.get("accessMode");
  return value === "ro" || value === "wo" ? value : "rw";
}

/** Parameters as one line, equal for equal parameters whatever their order: `region=eu-1 versioning=true`. */
export function formatParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(" ");
}

/** The parameters of a line of {@link formatParameters}. */
export function parseParameters(line: string): Parameters {
  return new Map(
    line
      .split(" ")
      .map((pair) => pair.split("=", 2))
      .map(([key = "", value = ""]) => [key, value]),
  );
}

function only(rules: Readonly<Record<string, Rule>>, parameters: Parameters): Parameters {
  return new Map([...parameters].filter(([key]) => Object.hasOwn(rules, key)));
}

function check(field: string, parameters: Parameters, rules: Readonly<Record<string, Rule>>): void {
  for (const [key, value] of parameters) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    // The value of an unknown key may be anything, a secret too: it is not repeated.
    const wrong =
      rule === undefined
        ? `this driver does not know the key; it knows ${Object.keys(rules).join(", ")}`
        : rule(value);
    if (wrong !== undefined) {
      throw new DriverError("invalid-argument", `${field}: key "${key}": ${wrong}`);
    }
  }
}
