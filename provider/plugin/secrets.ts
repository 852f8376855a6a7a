import { isRecord, isSecretOutput, secretOutput } from "../dynamic/values";

/** The value as a secret, marked once. */
export function secret(value: unknown): unknown {
  return value === undefined || isSecretOutput(value) ? value : secretOutput(value);
}

/**
 * The value with the marks of another one: what was secret in the program stays so under the same path, beside what the
 * value has marked itself.
 */
export function markedLike(value: unknown, pattern: unknown): unknown {
  if (isSecretOutput(pattern)) return secret(value);
  if (isSecretOutput(value)) return value;
  if (Array.isArray(value)) {
    return Array.isArray(pattern) ? value.map((entry, index) => markedLike(entry, pattern[index])) : value;
  }
  return isRecord(value) && isRecord(pattern) ? propertiesMarkedLike(value, pattern) : value;
}

/** The same, of a resource's properties. */
export function propertiesMarkedLike(
  properties: Readonly<Record<string, unknown>>,
  pattern: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, markedLike(value, pattern[key])]),
  );
}

/** The entries of an object that may be secret as a whole; each is then secret by itself. */
export function entriesOf(value: unknown): Record<string, unknown> | undefined {
  if (!isSecretOutput(value)) return isRecord(value) ? value : undefined;
  const inner = entriesOf(value.value);
  return inner === undefined
    ? undefined
    : Object.fromEntries(Object.entries(inner).map(([key, entry]) => [key, secret(entry)]));
}
