import { containsUnknown, isRecord, isUnknown, sameValue } from "../dynamic/values";

/**
 * The properties that make a resource another one: those that changed, and those that are unknown. An unknown name
 * or UID of the object that a resource belongs to is a reason to replace it, although nothing is known: the engine
 * asks with unknowns what goes with an owner that will be replaced, and would otherwise delete the owner first,
 * which then hangs on its finalizer. A UID that is absent says nothing.
 */
export function identityChanges<T extends object>(
  olds: T,
  news: T,
  keys: readonly (keyof T & string)[],
): string[] {
  return keys.filter((key) => isOther(olds[key], news[key]));
}

function isOther(old: unknown, now: unknown): boolean {
  if (isUnknown(now)) return true;
  if (!isRecord(now)) return containsUnknown(now) || !sameValue(old, now);
  const before = isRecord(old) ? old : {};
  return Object.keys({ ...before, ...now }).some((field) => {
    const value = now[field];
    if (field === "uid" && (value === undefined || value === null)) return false;
    return isOther(before[field], value);
  });
}

/** A reference to an object with the recorded UID filled in where it is absent, which says nothing. */
export function keepUid<T>(old: unknown, now: T): T {
  if (!isRecord(old) || !isRecord(now) || old["name"] !== now["name"]) return now;
  const { uid = null } = now;
  return uid === null && typeof old["uid"] === "string" ? { ...now, uid: old["uid"] } : now;
}
