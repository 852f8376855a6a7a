import { DriverError } from "./driver-error";

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
 * Every key of a bucket. Values must fit into a tag, as they are recorded there: letters, digits, spaces and
 * `_ . : / = + - @`, all together at most 256 characters.
 */
const BUCKET_RULES = {
  region,
  versioning: oneOf("true", "false"),
  emptyOnDelete: oneOf("true", "false"),
} satisfies Record<string, Rule>;

/** Every key of an access, under the same limits. */
const ACCESS_RULES = {
  accessMode: oneOf("rw", "ro", "wo"),
} satisfies Record<string, Rule>;

/** What an account may do with the objects of its bucket: read and write, only read, only write. */
export type AccessMode = "rw" | "ro" | "wo";

/**
 * Checks the parameters of a bucket, at create or in the context of its delete.
 *
 * @throws DriverError `invalid-argument` naming field, key and reason.
 */
export function checkBucketParameters(field: string, parameters: Parameters): void {
  check(field, parameters, BUCKET_RULES);
}

/**
 * Checks the parameters of an access, at grant or in the context of its revoke.
 *
 * @throws DriverError `invalid-argument` naming field, key and reason.
 */
export function checkAccessParameters(field: string, parameters: Parameters): void {
  check(field, parameters, ACCESS_RULES);
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
