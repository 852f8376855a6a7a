/** The entries of an object with these keys, those that are absent left out. */
export function select<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const selected: Partial<Pick<T, K>> = {};
  for (const key of keys) {
    if (object[key] !== undefined) selected[key] = object[key];
  }
  return selected;
}

/** The entries of an object in two parts: those for which `isFirst` holds, and the others. */
export function split(
  object: object,
  isFirst: (key: string, value: unknown) => boolean,
): [first: Record<string, unknown>, second: Record<string, unknown>] {
  const parts: ReturnType<typeof split> = [{}, {}];
  for (const [key, value] of Object.entries(object)) parts[isFirst(key, value) ? 0 : 1][key] = value;
  return parts;
}
