import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";

import type { StoreAccess } from "./store-access";

const BUCKET = "pulumi-cosi-ready";
const TIMEOUT_MS = 5_000;

/**
 * Whether a store takes an object, tried with a bucket that is removed again. A fresh store answers requests before it
 * can store anything.
 *
 * @throws what the store answers while it cannot.
 */
export async function canWriteObjects(access: StoreAccess): Promise<boolean> {
  const { endpoint, region, accessKeyId, secretAccessKey } = access;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  const abort = { abortSignal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }), abort).catch(unlessItExists);
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "ready", Body: "ready" }), abort);
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: "ready" }), abort);
    await client.send(new DeleteBucketCommand({ Bucket: BUCKET }), abort);
    return true;
  } finally {
    client.destroy();
  }
}

/** An earlier try may have got that far. */
function unlessItExists(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "BucketAlreadyOwnedByYou") throw error;
}
