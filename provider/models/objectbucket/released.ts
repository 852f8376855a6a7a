import type { KubernetesClient } from "../../kubernetes/client";
import { objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket } from "./records";
import { writePhase, type UidReference } from "./status";

/** Says in the ObjectBucket and the claim that they go. Objects that are gone, or another claim's, stay. Source: OBC-096. */
export async function tellReleased(
  client: KubernetesClient,
  claim: UidReference,
  objectBucketName: string,
): Promise<void> {
  const found = await client.get(objectBucketKind, { name: objectBucketName });
  if (found !== undefined) {
    const record = readObjectBucket(found);
    if (isOfClaim(record, claim.uid)) {
      await writePhase(client, objectBucketKind, { name: objectBucketName, uid: record.uid }, "Released");
    }
  }
  await writePhase(client, objectBucketClaimKind, claim, "Released");
}
