import type { DriverGrantBucketAccessResponse } from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { isAddressKey } from "../provider/credentials/address-keys";
import { secretsWithin } from "../provider/credentials/address-password";
import { isOrdinary } from "../provider/driver/process/output-mask";
import { hasOpeningWord, isPath } from "./opening";

/** A key's id, or a user's name. It opens nothing alone, and drivers log it. */
const identityKey = /^accesskeyid$|user(?:_?name)?$/i;
/** Where a database is, under the keys that drivers use. */
const placeKey = /(?:host|hostaddr|port|database|dbname|db_name|sslmode)$/i;
/** What opens something alone. */
const openingKey = /pass|pwd|secret|token|private/i;
/** What tells of a secret, such as how long a token lives: it may be equal for all accounts. */
const describingKey =
  /(?:file|path|type|mode|method|prefix|expir(?:y|es|ation)(?:[_-]?(?:at|in|on|ts))?|ttl|version|policy|audience|issuer|scopes?|algorithm|encryption)$/i;
/** What a secret is called. */
const nameKey = /(?:name|id)$/i;
const address = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A shorter value under a key of any other kind may be a word that stands anywhere. */
const shortestUnnamed = 8;

type Granted = Pick<DriverGrantBucketAccessResponse, "credentials">;
type Entry = readonly [key: string, value: string];

/** Without addresses, which are equal for two accounts. */
function secretEntries({ credentials }: Granted): Entry[] {
  return [...credentials.values()].flatMap(({ secrets }) =>
    [...secrets].filter(([key, value]) => value !== "" && !isAddressKey(key) && !placeKey.test(key)),
  );
}

/** True for what opens the door alone, as far as its key tells. */
function opens([key, value]: Entry): boolean {
  if (!openingKey.test(key) && !hasOpeningWord(key)) return false;
  if (describingKey.test(key) || nameKey.test(key)) return false;
  return !address.test(value) && !isPath(value);
}

/** What opens something, and longer values that do not only describe it. */
function hiddenEntries(granted: Granted): Entry[] {
  return secretEntries(granted).filter((entry) => {
    const [key, value] = entry;
    if (isOrdinary(value)) return false;
    return opens(entry) || (value.length >= shortestUnnamed && !describingKey.test(key) && !isPath(value));
  });
}

/** Values of a grant's reply that no report may show. */
export function secretValues(granted: Granted): string[] {
  return [...hiddenEntries(granted).map(([, value]) => value), ...passwords(granted)];
}

/** Values of a grant's reply that a driver must not log. */
export function unloggableValues(granted: Granted): string[] {
  const values = hiddenEntries(granted).flatMap(([key, value]) => (identityKey.test(key) ? [] : [value]));
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
  const values = secretEntries(granted).flatMap((entry) => (opens(entry) ? [entry[1]] : []));
  return [...new Set([...values, ...passwords(granted)])];
}

/** Passwords within addresses: `postgres://user:password@host/database`. */
function passwords({ credentials }: Granted): string[] {
  return [...credentials.values()].flatMap(({ secrets }) => [...secrets.values()].flatMap(secretsWithin));
}
