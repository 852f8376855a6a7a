import type { KubernetesClient } from "../../kubernetes/client";
import { requireDeletable } from "../../kubernetes/dry-run";
import type { KubernetesObject } from "../../kubernetes/object";
import { finalizer, objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket } from "./records";
import type { UidReference } from "./status";

/**
 * Makes sure that a claim and its ObjectBucket may be deleted, before the call for what they stand for; see `removeClaim`, which
 * does it.
 *
 * @param found What has the claim's name now.
 * @throws RefusedError where one of them may not.
 */
export async function requireRemovable(
  client: KubernetesClient,
  { name }: { readonly name: string },
  claim: UidReference,
  found: KubernetesObject | undefined,
): Promise<void> {
  const { uid } = claim;
  const finalizers = [finalizer];
  const bucket = await client.get(objectBucketKind, { name });
  await requireDeletable(client, [
    ...(bucket !== undefined && isOfClaim(readObjectBucket(bucket), uid)
      ? [{ kind: objectBucketKind, reference: { name }, uid: bucket.metadata.uid, finalizers, known: bucket }]
      : []),
    ...(found?.metadata.uid === uid
      ? [{ kind: objectBucketClaimKind, reference: claim, uid, finalizers, known: found }]
      : []),
  ]);
}
