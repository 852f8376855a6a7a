import * as pulumi from "@pulumi/pulumi";

/** True for what Pulumi does not know yet; only `check` and `diff` meet such values, in a preview. */
export function isUnknown(value: unknown): value is typeof pulumi.runtime.unknownValue {
  return value === pulumi.runtime.unknownValue;
}

/** True if the value is unknown or holds an unknown one at any depth. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isRecord(value) && Object.values(value).some(containsUnknown);
}

/** True for plain objects, which is what Pulumi makes of every nested input. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The properties without those that are `null`, which a program may write for one that it leaves out. */
export function withoutNulls<T extends object>(properties: T): T {
  const result = { ...properties };
  for (const [key, value] of Object.entries(properties)) {
    if (value === null) Reflect.deleteProperty(result, key);
  }
  return result;
}

/** Equality of property values: order of keys is irrelevant, and an absent value equals `null` and `undefined`. */
export function sameValue(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

/** One text for equal property values, whatever the order of their keys; for hashes and comparisons. */
export function canonical(value: unknown): string {
  if (value === undefined || value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isRecord(value)) {
    const entries = Object.entries(value)
      .filter(([, entry]) => entry !== undefined && entry !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`);
    return `{${entries.join(",")}}`;
  }
  return JSON.stringify(value);
}

/**
 * Marks an output as secret from inside a provider, whatever the options of the resource say, hence also after an
 * import or a refresh: the state keeps it encrypted and previews show `[secret]`. `null` stays as it is: there is
 * nothing to hide.
 *
 * @returns What Pulumi's host reads as the secret value. It has the type of the value, which is what Pulumi makes of
 * it again before it hands it back.
 */
export function secretOutput<T>(value: T): T {
  if (value === null) return value;
  const marked: unknown = { [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig, value };
  return marked as T;
}

/** True for what {@link secretOutput} has marked. */
export function isSecretOutput(value: unknown): value is { readonly value?: unknown } {
  return isRecord(value) && value[pulumi.runtime.specialSigKey] === pulumi.runtime.specialSecretSig;
}

/** True if the value, or a part of it, is marked as secret. */
export function holdsSecret(value: unknown): boolean {
  if (isSecretOutput(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isRecord(value) && Object.values(value).some(holdsSecret);
}

/** The value without its marks, at any depth: the providers work on plain values. */
export function plain(value: unknown): unknown {
  if (isSecretOutput(value)) return plain(value.value);
  if (Array.isArray(value)) return value.map(plain);
  return isRecord(value) ? plainProperties(value) : value;
}

/** The same, of a resource's properties. */
export function plainProperties(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, plain(value)]));
}

/**
 * Marks each value of a map as secret. Pulumi forgets the mark of a map as a whole where the program gives one under the
 * same key that holds no secret.
 */
export function secretValues(values: Record<string, string>): Record<string, string> {
  if (!isRecord(values)) return secretOutput(values);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, secretOutput(value)]));
}
