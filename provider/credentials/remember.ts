import { secretMask } from "../driver/secrets/secret-mask";
import { isAddressKey } from "./address-keys";
import { secretsWithin } from "./address-password";

/**
 * Keeps credentials out of every later text of this process; of addresses the passwords in them alone.
 *
 * @param names What the object is called in plain sight; a driver may repeat it among the credentials.
 */
export function rememberCredentials(
  values: Readonly<Record<string, string>>,
  names: readonly (string | null)[] = [],
): void {
  for (const [key, value] of Object.entries(values)) {
    const secrets = [...(isAddressKey(key) ? [] : [value]), ...secretsWithin(value)];
    for (const secret of secrets) if (!names.includes(secret)) secretMask.remember(secret);
  }
}
