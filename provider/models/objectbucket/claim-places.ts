import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { configMapKind, describe, secretKind } from "../../kubernetes/object";
import { isOwnedByUid } from "../../kubernetes/ownership";
import type { ClaimId } from "./claim-id";
import type { ClaimInputs } from "./claim-state";
import { createSentAnnotation, objectBucketClaimKind, objectBucketKind } from "./kinds";
import { provisionerLabel, provisionerLabelValue } from "./names";
import { isOfClaim, readClaim, readObjectBucket } from "./records";
import { driverStateKey } from "./additional-state";
import { isWrittenBy } from "./written-by";

/**
 * Makes sure that the names which a claim will write are free, or are its own. Source: OBC-044, OBC-055, OBC-074, OBC-116.
 *
 * @param uid Of the claim, if it is there; `""`: nothing of that name can be its own.
 * @param bucket Name of the bucket that will be made; `undefined` for one that nobody else can have, or that was there.
 * @throws RefusedError that names what has the place.
 */
export async function requirePlaces(
  client: KubernetesClient,
  inputs: ClaimInputs,
  uid: string,
  bucket: string | undefined,
): Promise<void> {
  const claim = describe(objectBucketClaimKind, inputs);
  await requireObjectBucket(client, inputs, uid, claim);
  for (const [kind, name, argument] of [
    [secretKind, inputs.secretName, "secretName"],
    [configMapKind, inputs.configMapName, "configMapName"],
  ] as const) {
    const found = await client.get(kind, { namespace: inputs.namespace, name });
    if (found === undefined || (uid !== "" && isOwnedByUid(found, uid))) continue;
    throw new RefusedError(
      `${describe(kind, found.metadata)} exists and does not belong to ${claim} (no ownerReference has its UID); it stays as ` +
        `it is: choose another ${argument}, or delete it first`,
    );
  }
  if (bucket !== undefined) await requireFreeBucket(client, inputs, uid, bucket);
}

async function requireObjectBucket(
  client: KubernetesClient,
  inputs: ClaimInputs,
  uid: string,
  claim: string,
): Promise<void> {
  const { objectBucketName: name } = inputs;
  const found = await client.get(objectBucketKind, { name });
  if (found === undefined) return;
  const record = readObjectBucket(found);
  if (isOfClaim(record, uid) || (uid !== "" && isWrittenBy(found, inputs))) return;
  const { claimRef } = record;
  const whose =
    claimRef === undefined
      ? "has no claimRef"
      : `is of ${describe(objectBucketClaimKind, claimRef)} (UID ${claimRef.uid})`;
  throw new RefusedError(
    `${describe(objectBucketKind, { name })} exists and ${whose}, so ${claim} cannot have it; it stays as it is: give ` +
      'objectBucketNaming "hashed", choose another name for the claim, or delete it first if nobody needs it',
  );
}

/** OBC-116: a driver answers an equal name with the same bucket. */
async function requireFreeBucket(
  client: KubernetesClient,
  { driverName, storageClassName, provisioner }: ClaimInputs,
  uid: string,
  bucket: string,
): Promise<void> {
  for (const object of await client.list(objectBucketKind)) {
    const record = readObjectBucket(object);
    if (record.endpoint.bucketName !== bucket || isOfClaim(record, uid)) continue;
    const driver = record.additionalState[driverStateKey];
    if (driver === undefined ? record.storageClassName !== storageClassName : driver !== driverName) continue;
    const { claimRef } = record;
    const whose = claimRef === undefined ? "" : ` of ${describe(objectBucketClaimKind, claimRef)}`;
    throw new RefusedError(
      `the bucket ${bucket} is that of ${describe(objectBucketKind, object.metadata)}${whose}: choose another bucketName, or, to ` +
        "share it, a StorageClass with the parameter bucketName",
    );
  }
  const label = provisionerLabelValue(provisioner);
  for (const object of await client.list(objectBucketClaimKind)) {
    const { metadata } = object;
    const isMade = metadata.annotations?.[createSentAnnotation] !== undefined;
    if (!isMade || metadata.uid === uid || metadata.labels?.[provisionerLabel] !== label) continue;
    if (readClaim(object).bucketName !== bucket) continue;
    throw new RefusedError(
      `the bucket ${bucket} is, or will be, that of ${describe(objectBucketClaimKind, metadata)}: choose another bucketName`,
    );
  }
}

/** The bucket that a claim makes under a name which another one may have; see {@link requirePlaces}. */
export function contestedBucket({ isExisting, bucket, uid }: ClaimId): string | undefined {
  return isExisting || (uid !== "" && bucket.includes(uid)) ? undefined : bucket;
}
