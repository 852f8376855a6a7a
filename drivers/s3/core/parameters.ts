import {
  type Parameters,
  type Rule,
  type Rules,
  checkParameters as check,
  formatParameters,
  oneOf,
} from "../../common/parameters";
import { quote } from "../../common/text";
import { SETTING_RULES } from "./settings/bucket-settings";

export { type Parameters, formatParameters };

const region: Rule = (value) =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) && value.length <= 32
    ? undefined
    : `${quote(value)} is not the name of a region (lower-case letters, digits and dashes)`;

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

const RULES: Rules = {
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

/** The parameters of a line of {@link formatParameters}. */
export function parseParameters(line: string): Parameters {
  return new Map(
    line
      .split(" ")
      .map((pair) => pair.split("=", 2))
      .map(([key = "", value = ""]) => [key, value]),
  );
}

function only(rules: Rules, parameters: Parameters): Parameters {
  return new Map([...parameters].filter(([key]) => Object.hasOwn(rules, key)));
}
