import { DriverError } from "../../../common/driver-error";
import { refusalOf } from "../store-error";

/**
 * Sends what a setting needs. A store that refuses it, as it does not know the feature or not this value, will refuse it each
 * time: that is a fault of the parameter.
 *
 * @param key - the parameter.
 * @throws DriverError `invalid-argument` with the key and the store's answer.
 */
export async function setting<T>(key: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal === undefined
      ? error
      : wrongSetting(key, `${refusal}; give another value, or leave the key out`);
  }
}

/** A setting that cannot be as the parameter says. */
export function wrongSetting(key: string, reason: string): DriverError {
  return new DriverError("invalid-argument", `parameters: key "${key}": ${reason}`);
}
