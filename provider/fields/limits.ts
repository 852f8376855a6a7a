import { traitsOf } from "../contracts/traits";
import type { ConnectionSettings } from "../driver/settings";
import { isUnknown } from "../dynamic/values";

/** Largest string field of the contract, in UTF-8 bytes. Source: COSI specification, Size Limits. */
export const maximumStringBytes = 128;

/** Largest map field of the contract, in UTF-8 bytes of all keys and values. Source: COSI specification, Size Limits. */
export const maximumMapBytes = 4096;

/** Size of a map field as the contract counts it: the UTF-8 bytes of all keys and values. */
export function mapBytes(entries: Iterable<readonly [string, string]>): number {
  let bytes = 0;
  for (const [key, value] of entries) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  return bytes;
}

/** How much a driver takes, as far as its settings tell it. */
export type DriverLimits = Partial<Pick<ConnectionSettings, "contract" | "largeFields">>;

/** True if fields may be as large as they are: the contract has no limits, or the driver's switch lifts them. */
export function hasNoLimits({ contract, largeFields }: DriverLimits): boolean {
  return largeFields === true || traitsOf(contract)?.limitsFields === false;
}

/** What is wrong with the size of a text that a program gives, or `undefined`; as {@link mapSizeProblem}. */
export function stringSizeProblem(text: string, driver: DriverLimits): string | undefined {
  if (hasNoLimits(driver) || isUnknown(driver.largeFields) || isUnknown(driver.contract)) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maximumStringBytes) return undefined;
  return `has ${bytes} bytes, and the contract allows ${maximumStringBytes}: shorten ${JSON.stringify(text)}`;
}

/**
 * What is wrong with the size of a map that a program gives, or `undefined`. The driver's switch `largeFields` lifts
 * the limit; one that a preview does not know judges nothing.
 */
export function mapSizeProblem(
  map: Readonly<Record<string, string>>,
  driver: DriverLimits,
): string | undefined {
  if (hasNoLimits(driver) || isUnknown(driver.largeFields) || isUnknown(driver.contract)) return undefined;
  const bytes = mapBytes(Object.entries(map));
  if (bytes <= maximumMapBytes) return undefined;
  return (
    `has ${bytes} bytes in its keys and values, and the contract allows ${maximumMapBytes}: shorten it, or set ` +
    "largeFields at the Driver if the driver documents larger fields"
  );
}
