import { bucketStateKey } from "./additional-state";
import type { ObjectBucketRecord } from "./records";

/**
 * Why an ObjectBucket of a claim is none that the claim can be taken over with, behind its name; `undefined` where it is.
 *
 * @param bucketName The bucket that the claim names. @default any
 */
export function objectBucketFault(
  { deletionTimestamp, phase, phaseText, endpoint, additionalState }: ObjectBucketRecord,
  bucketName = "",
): string | undefined {
  if (deletionTimestamp !== undefined) return `is being deleted since ${deletionTimestamp}`;
  // Not all operators write one.
  if (phaseText !== "" && phase !== "Bound") {
    return `has the phase ${JSON.stringify(phaseText)}, and not Bound`;
  }
  // One of this package has the driver's id there; what the store calls the bucket may be another name.
  if (endpoint.bucketName === "" || bucketName === "" || additionalState[bucketStateKey] !== undefined) {
    return undefined;
  }
  if (endpoint.bucketName === bucketName) return undefined;
  return `is of the bucket ${JSON.stringify(endpoint.bucketName)}, and the claim of ${JSON.stringify(bucketName)}`;
}
