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
