import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  type MultipartUpload,
  type ObjectIdentifier,
  type S3Client,
} from "@aws-sdk/client-s3";
import { DriverError } from "./driver-error";

/**
 * What a bucket holds, in words, or undefined if it is empty. The driver looks for itself, since stores differ:
 * a delete may take objects, and nearly always takes unfinished uploads, along.
 */
export async function contentsOf(s3: S3Client, bucket: string): Promise<string | undefined> {
  const { Versions, DeleteMarkers } = await s3.send(
    new ListObjectVersionsCommand({ Bucket: bucket, MaxKeys: 1 }),
  );
  if (Versions?.length) {
    return "objects";
  }
  if (DeleteMarkers?.length) {
    return "delete markers of versioned objects";
  }
  const { Uploads } = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, MaxUploads: 1 }));
  return Uploads?.length ? "unfinished multipart uploads" : undefined;
}

/** Removes all objects with all versions, and all unfinished uploads. May be repeated after a failure. */
export async function emptyBucket(s3: S3Client, bucket: string): Promise<void> {
  for await (const objects of pagesOfVersions(s3, bucket)) {
    if (objects.length > 0) {
      await deleteObjects(s3, bucket, objects);
    }
  }
  for await (const { Key, UploadId } of uploadsOf(s3, bucket)) {
    await s3.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
  }
}

async function deleteObjects(s3: S3Client, bucket: string, objects: ObjectIdentifier[]): Promise<void> {
  const { Errors } = await s3.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
  );
  const refused = Errors?.[0];
  if (refused !== undefined) {
    throw new DriverError(
      "failed-precondition",
      `it cannot be emptied: object "${refused.Key ?? ""}": ${refused.Code ?? "refused"}`,
    );
  }
}

/** Versions and delete markers, at most 1000 at a time, which is what one delete request takes. */
async function* pagesOfVersions(s3: S3Client, bucket: string): AsyncGenerator<ObjectIdentifier[]> {
  let next: { KeyMarker: string | undefined; VersionIdMarker: string | undefined } | undefined;
  do {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, ...next }));
    const listed = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    yield listed.flatMap(({ Key, VersionId }) => (Key === undefined ? [] : [{ Key, VersionId }]));
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : undefined;
  } while (next?.KeyMarker);
}

async function* uploadsOf(s3: S3Client, bucket: string): AsyncGenerator<MultipartUpload> {
  let next: { KeyMarker: string | undefined; UploadIdMarker: string | undefined } | undefined;
  do {
    const page = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...next }));
    yield* page.Uploads ?? [];
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined;
  } while (next?.KeyMarker);
}
