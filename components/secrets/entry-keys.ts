import { LayoutError } from "./granted-access";
import { requireSecretKey } from "./secret-key";

/**
 * The credentials of a deployment's account as keys of a Secret. Those of a single entry keep their names; with several
 * entries each key begins with the name of its entry and a dot. Source: Deployment Interface; the layout is decided (DEP-088).
 *
 * @param credentials As the driver returned them: its entries, each with its keys.
 * @throws LayoutError for a key that a Secret cannot have, and for two keys that would be the same.
 */
export function entryKeys(
  credentials: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Record<string, string> {
  const entries = Object.entries(credentials);
  const keys = new Map<string, string>();
  for (const [entry, secrets] of entries) {
    for (const [name, value] of Object.entries(secrets)) {
      const key = entries.length === 1 ? name : `${entry}.${name}`;
      requireSecretKey(key);
      requireFree(keys, key, entry);
      keys.set(key, value);
    }
  }
  return Object.fromEntries(keys);
}

/** `a.b` of entry `c`, and `b` of entry `c.a`, would have one key. */
function requireFree(keys: ReadonlyMap<string, string>, key: string, entry: string): void {
  if (!keys.has(key)) return;
  throw new LayoutError(
    `the driver issued two credentials for the same key of the Secret, ${JSON.stringify(key)}, one of them in the entry ` +
      `${JSON.stringify(entry)}: it has to rename one of them`,
  );
}
