import type { KubernetesClient } from "../../kubernetes/client";
import { goingObject, requireDeletable } from "../../kubernetes/dry-run";
import type { KubernetesObject } from "../../kubernetes/object";
import { finalizer, objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket } from "./records";
import type { UidReference } from "./status";

/**
 * Makes sure that a claim and its ObjectBucket may be deleted, before the call for what they stand for; see `removeClaim`, which
 * does it.
 *
 * @param uid The recorded UID of the claim.
 * @param found What has the claim's name now, and is ours.
 * @throws RefusedError where one of them may not.
 */
export async function requireRemovable(
  client: KubernetesClient,
  { name }: { readonly name: string },
  { uid }: UidReference,
  found: KubernetesObject | undefined,
): Promise<void> {
  const bucket = await client.get(objectBucketKind, { name });
  const isBucketOurs = bucket !== undefined && isOfClaim(readObjectBucket(bucket), uid);
  await requireDeletable(client, [
    ...goingObject(objectBucketKind, isBucketOurs ? bucket : undefined, [finalizer]),
    ...goingObject(objectBucketClaimKind, found, [finalizer]),
  ]);
}
