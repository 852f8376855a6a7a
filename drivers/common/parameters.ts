import { DriverError } from "./driver-error";
import { quote } from "./text";

/** What a caller says about an object or an access, by key. */
export type Parameters = ReadonlyMap<string, string>;

/** Why a well-formed value cannot be served. */
export class OutOfRange {
  constructor(readonly reason: string) {}
}

/** A key that a driver knows: the reason why a value is wrong, or undefined if it is right. */
export type Rule = (value: string) => string | OutOfRange | undefined;

/** Keys and what their values may be. */
export type Rules = Readonly<Record<string, Rule>>;

/** One of several words. */
export const oneOf =
  (...allowed: string[]): Rule =>
  (value) =>
    allowed.includes(value) ? undefined : `${quote(value)} is not one of ${allowed.join(", ")}`;

/**
 * Checks each key and value.
 *
 * @throws DriverError naming field, key and reason: `out-of-range` where the rule says so, else `invalid-argument`.
 */
export function checkParameters(field: string, parameters: Parameters, rules: Rules): void {
  for (const [key, value] of parameters) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    // The value of an unknown key may be anything, a secret too: it is not repeated.
    const wrong =
      rule === undefined
        ? `this driver does not know the key; it knows ${Object.keys(rules).join(", ")}`
        : rule(value);
    if (wrong === undefined) continue;
    const [kind, reason] =
      wrong instanceof OutOfRange
        ? (["out-of-range", wrong.reason] as const)
        : (["invalid-argument", wrong] as const);
    throw new DriverError(kind, `${field}: key ${quote(key)}: ${reason}`);
  }
}

/** Parameters as one line, equal for equal parameters whatever their order: `region=eu-1 versioning=true`. */
export function formatParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(" ");
}
