import { secretMask } from "../driver/secrets/secret-mask";
import { isAddressKey } from "./address-keys";

/**
 * Keeps credentials out of every later text of this process, but for addresses.
 *
 * @param names What the object is called in plain sight; a driver may repeat it among the credentials.
 */
export function rememberCredentials(
  values: Readonly<Record<string, string>>,
  names: readonly (string | null)[] = [],
): void {
  for (const [key, value] of Object.entries(values)) {
    if (!isAddressKey(key) && !names.includes(value)) secretMask.remember(value);
  }
}
