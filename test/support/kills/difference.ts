import { isRecord } from "../../../provider/dynamic/values";

/** In what a value differs from the expected one: one line per place, `store.buckets.0: "a" where "b" is due`. */
export function differences(value: unknown, expected: unknown, place = ""): string[] {
  const within = (key: string | number): string => (place === "" ? String(key) : `${place}.${key}`);
  if (Array.isArray(value) && Array.isArray(expected)) {
    const found: readonly unknown[] = value;
    const due: readonly unknown[] = expected;
    return Array.from({ length: Math.max(found.length, due.length) }, (_, index) =>
      differences(found[index], due[index], within(index)),
    ).flat();
  }
  if (isRecord(value) && isRecord(expected)) {
    const keys = [...new Set([...Object.keys(value), ...Object.keys(expected)])];
    return keys.flatMap((key) => differences(value[key], expected[key], within(key)));
  }
  if (Object.is(value, expected)) return [];
  return [`${place}: ${text(value)} where ${text(expected)} is due`];
}

function text(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
