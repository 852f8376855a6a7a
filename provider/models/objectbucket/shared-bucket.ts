import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import type { BucketToDelete } from "../model";
import { bucketStateKey, driverStateKey } from "./additional-state";
import { objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket, type ObjectBucketRecord } from "./records";
import type { UidReference } from "./status";

/** A bucket of a driver. */
interface BackendBucket {
  readonly bucket: string;
  readonly driver: string;
}

/**
 * Makes sure that no other claim uses the bucket which is to be deleted.
 *
 * @param name Of the claim's own ObjectBucket. What it tells counts beside what the state has: it may be gone, or emptied.
 * @throws RefusedError that names who uses it.
 */
export async function refuseSharedBucket(
  client: KubernetesClient,
  claim: UidReference,
  name: string,
  going: BucketToDelete,
): Promise<void> {
  const found = await client.get(objectBucketKind, { name });
  const own = found === undefined ? undefined : readObjectBucket(found);
  // Of a create without a known outcome the name is what there is.
  const known = [
    { bucket: going.bucketId ?? going.name, driver: going.driverName },
    ...(own !== undefined && isOfClaim(own, claim.uid) ? toldBy(own) : []),
  ];
  for (const object of await client.list(objectBucketKind)) {
    const record = readObjectBucket(object);
    const { claimRef } = record;
    if (claimRef === undefined || claimRef.uid === claim.uid) continue;
    const shared = toldBy(record).find(({ bucket, driver }) =>
      known.some((one) => one.bucket === bucket && one.driver === driver),
    );
    if (shared === undefined) continue;
    throw new RefusedError(
      `the bucket ${shared.bucket} of driver ${shared.driver} is used by ${describe(objectBucketClaimKind, claimRef)} too, so it ` +
        `is not deleted with ${describe(objectBucketClaimKind, claim)}. Next: remove that claim first`,
    );
  }
}

/** The bucket that an ObjectBucket tells of; none of one without its state. */
function toldBy({ additionalState }: ObjectBucketRecord): BackendBucket[] {
  const [bucket, driver] = [additionalState[bucketStateKey], additionalState[driverStateKey]];
  return bucket === undefined || driver === undefined ? [] : [{ bucket, driver }];
}
