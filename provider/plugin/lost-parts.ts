import type { ValueType } from "../inputs/described";
import { isMap } from "../inputs/found";
import { pathTo } from "../inputs/property-path";
import { withoutMark } from "../inputs/value-problems";

/**
 * Where a value is an empty map that cannot be one: what is secret within an output without a type comes through YAML's host
 * as that. Of a type with properties none need be given, and one that takes every value takes that too.
 */
export function lostIn(path: string, given: unknown, type: ValueType): string[] {
  const value = withoutMark(given);
  const { items, additionalProperties, properties } = type;
  if (isEmptyMap(value)) return properties === undefined && Object.keys(type).length > 0 ? [path] : [];
  if (Array.isArray(value)) {
    return items === undefined
      ? []
      : value.flatMap((entry, index) => lostIn(`${path}[${index}]`, entry, items));
  }
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const inner = properties?.[key] ?? additionalProperties;
    return inner === undefined ? [] : lostIn(pathTo(path, key), entry, inner);
  });
}

/** True for a map without entries, under whatever mark. */
export function isEmptyMap(given: unknown): boolean {
  const value = withoutMark(given);
  return isMap(value) && Object.keys(value).length === 0;
}
