import type { AccessMode } from "./parameters";

/**
 * What each mode may do on the bucket and on its objects. No mode may change the bucket itself: its tags are the
 * driver's record, and its policy or ACL could open it to others. Deleting one version for good is left out as well,
 * since versioning is there to undo what an application did. ACLs of objects are for who may read and write: who may
 * only write would let itself read by them. All names are known to SeaweedFS too, which refuses
 * a policy with a name that it does not know, and which knows no difference between writing and deleting objects.
 */
const ACTIONS: Readonly<Record<AccessMode, { bucket: readonly string[]; objects: readonly string[] }>> = {
  ro: {
    bucket: [
      "s3:ListBucket",
      "s3:ListBucketVersions",
      "s3:ListBucketMultipartUploads",
      "s3:GetBucketLocation",
    ],
    objects: ["s3:GetObject", "s3:GetObjectVersion", "s3:GetObjectAcl"],
  },
  wo: {
    bucket: [],
    objects: ["s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"],
  },
  /** Beside those of the other two. */
  rw: { bucket: [], objects: ["s3:PutObjectAcl"] },
};

/** The IAM policy that lets a user into one bucket and nowhere else. */
export function accessPolicy(bucket: string, mode: AccessMode, partition: string): string {
  const parts = mode === "rw" ? [ACTIONS.ro, ACTIONS.wo, ACTIONS.rw] : [ACTIONS[mode]];
  const arn = bucketArn(bucket, partition);
  const statements = [
    { Effect: "Allow", Action: parts.flatMap((part) => part.bucket), Resource: arn },
    { Effect: "Allow", Action: parts.flatMap((part) => part.objects), Resource: `${arn}/*` },
  ];
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.filter(({ Action }) => Action.length > 0),
  });
}

/** The name of a bucket in policies, in a partition such as `aws`. */
export function bucketArn(bucket: string, partition: string): string {
  return `arn:${partition}:s3:::${bucket}`;
}
