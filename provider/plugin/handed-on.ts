import { holdsSecret, isRecord, isSecretOutput, plainProperties } from "../dynamic/values";
import { isMap } from "../inputs/found";
import { withoutMark } from "../inputs/value-problems";
import type { Properties } from "./properties";
import type { ReferenceType } from "./references";
import { secret } from "./secrets";

/** Keys and indices that lead to a part of a value. */
type Path = readonly (string | number)[];

/** What a reference that is secret as a whole says of itself: where that is which is secret by itself. */
const partsKey = "secretParts";

/**
 * A reference as programs take it from one resource to another. One that holds something secret is secret as a whole: YAML's
 * host makes `{}` of what is secret within an output that has no type of its own.
 */
export function handedOn(parts: Properties): unknown {
  const secrets = secretsIn(parts);
  return secrets.length === 0 ? parts : secret({ ...plainProperties(parts), [partsKey]: secrets });
}

/** True for a reference of the state that arrives whole; the versions before marked what is secret within it. */
export function isHandedOn(reference: unknown): boolean {
  return !holdsSecret(withoutMark(reference));
}

/**
 * A reference as a resource keeps it: what is secret in it is marked by itself, so that a preview shows the rest. A reference
 * that the program has marked, with nothing secret in it, stays secret as a whole.
 */
export function received(given: unknown, { within }: Pick<ReferenceType, "within">): unknown {
  const value = withoutMark(given);
  if (!isMap(value)) return given;
  const { [partsKey]: secrets, ...fields } = value;
  const inner = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const type = within[name];
      return [name, type === undefined ? field : received(field, type)];
    }),
  );
  if (arePaths(secrets)) return secrets.reduce(markedAt, inner);
  return isSecretOutput(given) ? secret(inner) : inner;
}

function secretsIn(value: unknown): Path[] {
  if (isSecretOutput(value)) return [[]];
  if (Array.isArray(value)) return value.flatMap((entry, index) => below(index, entry));
  return isRecord(value) ? Object.entries(value).flatMap(([key, entry]) => below(key, entry)) : [];
}

function below(key: string | number, value: unknown): Path[] {
  return secretsIn(value).map((path) => [key, ...path]);
}

function markedAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return secret(value);
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) => (index === key ? markedAt(entry, rest) : entry));
  }
  return isRecord(value) && Object.hasOwn(value, key)
    ? { ...value, [key]: markedAt(value[key], rest) }
    : value;
}

function arePaths(value: unknown): value is Path[] {
  return (
    Array.isArray(value) &&
    value.every(
      (path) => Array.isArray(path) && path.every((key) => ["string", "number"].includes(typeof key)),
    )
  );
}
