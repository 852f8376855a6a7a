import type { DriverGrantBucketAccessResponse } from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { isAddressKey } from "../provider/credentials/address-keys";

/** A key's id. It opens nothing alone, and drivers log it. */
const keyIdKey = "accesskeyid";

type Granted = Pick<DriverGrantBucketAccessResponse, "credentials">;

/** Without addresses, which are equal for two accounts. */
function secretEntries({ credentials }: Granted): [string, string][] {
  return [...credentials.values()].flatMap(({ secrets }) =>
    [...secrets].filter(([key, value]) => value !== "" && !isAddressKey(key)),
  );
}

/** Values of a grant's reply that no report may show. */
export function secretValues(granted: Granted): string[] {
  return secretEntries(granted).map(([, value]) => value);
}

/** Values of a grant's reply that a driver must not log. */
export function unloggableValues(granted: Granted): string[] {
  return secretEntries(granted).flatMap(([key, value]) => (key.toLowerCase() === keyIdKey ? [] : [value]));
}

/** Two grants gave the same credential if and only if these texts are equal; `undefined` if there is none. */
export function credentialOf(granted: Granted): string | undefined {
  const entries = secretEntries(granted).map(([key, value]) => JSON.stringify([key.toLowerCase(), value]));
  return entries.length === 0 ? undefined : entries.sort().join();
}
