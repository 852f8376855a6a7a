import { createHash } from "node:crypto";
import { knownContract } from "../contracts/registry";
import { canonical } from "../dynamic/values";
import { stringSizeProblem, type DriverLimits } from "./limits";

/** Longest name that is sent to a driver, in characters. Source: COSI specification, Size Limits. */
export const maximumNameLength = 63;

const hashLength = 16;

/**
 * The name that is sent to a driver for a resource without a name of the user's. It is a pure function of what the
 * state holds already, so that a run that was killed sends the same name again: a driver answers an equal call with
 * the same bucket.
 *
 * @param seed Random text that the Driver resource recorded at its own create: two state backends with equal projects
 * and stacks get different names.
 * @param logicalName The resource's name in the program; its readable part leads the result.
 * @param identity What else tells this resource from others, and everything that forces a replacement.
 * @returns At most 63 characters of `[a-z0-9-]`, alphanumeric at both ends.
 */
export function computedName(seed: string, logicalName: string, identity: unknown): string {
  const hash = createHash("sha256")
    .update(canonical([seed, logicalName, identity]))
    .digest("hex")
    .slice(0, hashLength);
  const readable = logicalName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maximumNameLength - hashLength - 1)
    .replace(/^-+|-+$/g, "");
  return readable === "" ? `x-${hash}` : `${readable}-${hash}`;
}

/**
 * What is wrong with a name of the user's, or `undefined`; what more a store demands, the driver judges.
 *
 * @param driver Its contract says whether names have a form, beside their length.
 */
export function nameProblem(name: string, driver: DriverLimits): string | undefined {
  if (name === "") return "is empty: leave it out to have one computed, or give 1 to 63 characters";
  if (name.length > maximumNameLength) {
    return `has ${name.length} characters, and a driver takes at most ${maximumNameLength}: shorten ${JSON.stringify(name)}`;
  }
  if (knownContract(driver.contract)?.limitsNames === false) return stringSizeProblem(name, driver);
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(name)) {
    return `may hold letters, digits, dots and dashes, with a letter or digit at both ends; ${JSON.stringify(name)} does not fit`;
  }
  return undefined;
}
