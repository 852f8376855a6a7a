import type { IssuedCredential } from "../../provider/contracts/contract";
import { requireSecretKey } from "./secret-key";

/**
 * Credentials as their driver issued them: a key for each field that has a value, by the field's own name, or, for a
 * generic credential, by the driver's key. With several credentials each key begins with the position of its credential,
 * from 0, and a dot. Source: COSI proposal of 2020-07-08, GrantBucketAccessResponse; the layout is decided (K07-074).
 *
 * @throws LayoutError for a key that a Secret cannot have.
 */
export function issuedKeys(issued: readonly IssuedCredential[]): Record<string, string> {
  const keys = issued.flatMap(({ values }, index) =>
    Object.entries(values)
      .filter(([, value]) => value !== "")
      .map(([key, value]) => [issued.length === 1 ? key : `${index}.${key}`, value] as const),
  );
  for (const [key] of keys) requireSecretKey(key);
  return Object.fromEntries(keys);
}
