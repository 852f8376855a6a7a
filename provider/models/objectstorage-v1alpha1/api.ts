import type { AccessObjects } from "../model";
import type { ClaimedApi } from "../claimed/claimed-api";
import { bucketAccessKind, bucketClaimKind, bucketKind, finalizers } from "./kinds";
import { bucketInfoProblem } from "./protocols";
import { serviceAccountWarning } from "./service-account";

/** The names of the living COSI API. Source: COSI v0.2.2. */
export const api: ClaimedApi = {
  kinds: { claim: bucketClaimKind, bucket: bucketKind, access: bucketAccessKind },
  finalizers,
  fields: {
    claim: "bucketClaim",
    className: "bucketClassName",
    existing: "existingBucketName",
    claimName: "bucketClaimName",
    ready: "bucketReady",
    bucketId: "bucketID",
    bucketName: "bucketName",
  },
  words: { claim: "claim", bucket: "bucket" },
  bucketProblem: bucketInfoProblem,
  grantWarnings: (objects, bucketId) => [
    ...serviceAccountWarnings(objects),
    ...bucketNameWarnings(objects, bucketId),
  ],
};

function serviceAccountWarnings({ serviceAccountName = null }: AccessObjects): string[] {
  return serviceAccountName === null ? [] : [serviceAccountWarning(serviceAccountName)];
}

/** OS1-040: clients of S3 need the backend's name of the bucket. */
function bucketNameWarnings({ bucket, bucketInfoName }: AccessObjects, bucketId: string): string[] {
  if (bucketId === bucket.name || bucketInfoName === "id") return [];
  return [
    `clients need the backend's bucket name ${JSON.stringify(bucketId)}, which the Secret has as spec.bucketID; ` +
      `its spec.bucketName is the Bucket object's, ${JSON.stringify(bucket.name)}. bucketInfoName: "id" puts the ` +
      "backend's name there too",
  ];
}
