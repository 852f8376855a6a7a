import { containsUnknown, isRecord } from "../dynamic/values";
import { mapSizeProblem, type DriverLimits } from "./limits";

/**
 * What is wrong with the parameters of a bucket or an access, or `undefined`; what they mean, the driver judges. Keys
 * are named, values never: they may be secret.
 */
export function parametersProblem(parameters: unknown, driver: DriverLimits): string | undefined {
  if (containsUnknown(parameters)) return undefined;
  if (!isRecord(parameters)) return "is not a map: give strings by their keys";
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters)) {
    if (typeof value !== "string") {
      return `has a value that is not a string at the key ${JSON.stringify(key)}: put it in quotes, as the driver reads texts`;
    }
    texts[key] = value;
  }
  return mapSizeProblem(texts, driver);
}
