import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { isRecord, isUnknown, sameValue } from "../dynamic/values";
import type { Properties } from "./properties";
import { pathTo } from "../inputs/property-path";

/** What becomes of one property, by its path in the inputs: `parameters.accessMode`. */
export type DetailedDiff = ReadonlyMap<string, PropertyDiff.Kind>;

/**
 * Which inputs change, and which of them replace the resource, for a preview that names them.
 *
 * @param replaces Names of inputs. One that is equal in both is named too: a preview must say what replaces.
 */
export function detailedDiff(olds: Properties, news: Properties, replaces: readonly string[]): DetailedDiff {
  const changes = new Map<string, PropertyDiff.Kind>();
  for (const key of new Set([...Object.keys(olds), ...Object.keys(news)])) {
    compare(key, olds[key], news[key], replaces.includes(key), changes);
  }
  for (const key of replaces) {
    if (!rootsOf(changes).includes(key)) changes.set(key, PropertyDiff.Kind.UPDATE_REPLACE);
  }
  return changes;
}

/** Names of the inputs that change. */
export function rootsOf(changes: DetailedDiff): string[] {
  return [...new Set([...changes.keys()].map((path) => /^[^.[]+/.exec(path)?.[0] ?? path))];
}

function compare(
  path: string,
  before: unknown,
  after: unknown,
  replaces: boolean,
  changes: Map<string, PropertyDiff.Kind>,
): void {
  if (!isUnknown(after) && sameValue(before, after)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(pathTo(path, key), before[key], after[key], replaces, changes);
    }
    return;
  }
  changes.set(path, kindOf(before, after, replaces));
}

function kindOf(before: unknown, after: unknown, replaces: boolean): PropertyDiff.Kind {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
  if (before === undefined || before === null) return replaces ? ADD_REPLACE : ADD;
  if (after === undefined || after === null) return replaces ? DELETE_REPLACE : DELETE;
  return replaces ? UPDATE_REPLACE : UPDATE;
}
