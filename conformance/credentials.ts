import type { DriverGrantBucketAccessResponse } from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { isAddressKey } from "../provider/credentials/address-keys";
import { secretsWithin } from "../provider/credentials/address-password";

/** A key's id, or a user's name. It opens nothing alone, and drivers log it. */
const identityKey = /^accesskeyid$|user(?:_?name)?$/i;
/** Where a database is, under the keys that drivers use. */
const placeKey = /(?:host|hostaddr|port|database|dbname|db_name|sslmode)$/i;
/** What opens something alone. */
const openingKey = /pass|pwd|secret|token|private/i;
const address = /^[a-z][a-z0-9+.-]*:\/\//i;

type Granted = Pick<DriverGrantBucketAccessResponse, "credentials">;

/** Without addresses, which are equal for two accounts. */
function secretEntries({ credentials }: Granted): [string, string][] {
  return [...credentials.values()].flatMap(({ secrets }) =>
    [...secrets].filter(([key, value]) => value !== "" && !isAddressKey(key) && !placeKey.test(key)),
  );
}

/** Values of a grant's reply that no report may show. */
export function secretValues(granted: Granted): string[] {
  return [...secretEntries(granted).map(([, value]) => value), ...passwords(granted)];
}

/** Values of a grant's reply that a driver must not log. */
export function unloggableValues(granted: Granted): string[] {
  const values = secretEntries(granted).flatMap(([key, value]) => (identityKey.test(key) ? [] : [value]));
  return [...values, ...passwords(granted)];
}

/** Two grants gave the same credential if and only if these texts are equal; `undefined` if there is none. */
export function credentialOf(granted: Granted): string | undefined {
  const entries = secretEntries(granted).map(([key, value]) => JSON.stringify([key.toLowerCase(), value]));
  return entries.length === 0 ? undefined : entries.sort().join();
}

/**
 * Values of a grant's reply that open the door alone, as far as their keys tell: passwords, tokens, keys, and the
 * password in an address with one.
 */
export function openingValues(granted: Granted): string[] {
  const values = secretEntries(granted).flatMap(([key, value]) =>
    openingKey.test(key) && !address.test(value) ? [value] : [],
  );
  return [...new Set([...values, ...passwords(granted)])];
}

/** Passwords within addresses: `postgres://user:password@host/database`. */
function passwords({ credentials }: Granted): string[] {
  return [...credentials.values()].flatMap(({ secrets }) => [...secrets.values()].flatMap(secretsWithin));
}
