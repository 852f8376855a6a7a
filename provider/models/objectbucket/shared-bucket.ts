import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { bucketStateKey, driverStateKey } from "./additional-state";
import { objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket } from "./records";
import type { UidReference } from "./status";

/**
 * Makes sure that no other claim uses the bucket which is to be deleted.
 *
 * @param name Of the claim's own ObjectBucket. One that is gone tells nothing.
 * @throws RefusedError that names who uses it.
 */
export async function refuseSharedBucket(
  client: KubernetesClient,
  claim: UidReference,
  name: string,
): Promise<void> {
  const found = await client.get(objectBucketKind, { name });
  if (found === undefined) return;
  const own = readObjectBucket(found);
  const [bucket, driver] = [own.additionalState[bucketStateKey], own.additionalState[driverStateKey]];
  if (!isOfClaim(own, claim.uid) || bucket === undefined || driver === undefined) return;
  for (const object of await client.list(objectBucketKind)) {
    const { claimRef, additionalState } = readObjectBucket(object);
    if (claimRef === undefined || claimRef.uid === claim.uid) continue;
    if (additionalState[bucketStateKey] !== bucket || additionalState[driverStateKey] !== driver) continue;
    throw new RefusedError(
      `the bucket ${bucket} of driver ${driver} is used by ${describe(objectBucketClaimKind, claimRef)} too, so that it is not ` +
        `deleted with ${describe(objectBucketClaimKind, claim)}. Next: remove that claim first`,
    );
  }
}
