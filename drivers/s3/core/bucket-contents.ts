import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  type MultipartUpload,
  type ObjectIdentifier,
  type S3Client,
} from "@aws-sdk/client-s3";
import { DriverError } from "../../common/driver-error";
import { kindOfCode } from "./store-error";
import { quote, shorten } from "../../common/text";

/** The second pass takes what arrived behind the first; whoever writes after that goes on writing. */
const PASSES = 2;

/** So long an emptying goes on before it is asked again whether the bucket is still the one. */
const CONFIRM_MS = 5_000;

/** Longest reason of a store, for one object, that is passed on. */
const MAX_REASON = 200;

/**
 * What a bucket holds, in words and with the first key, or undefined if it is empty. The driver looks for itself,
 * since stores differ: a delete may take objects, and nearly always takes unfinished uploads, along.
 */
export async function contentsOf(s3: S3Client, bucket: string): Promise<string | undefined> {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket: bucket, MaxKeys: 1 }),
  );
  const { Uploads = [] } =
    Versions.length + DeleteMarkers.length > 0
      ? {}
      : await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, MaxUploads: 1 }));
  for (const [what, found] of [
    ["objects", Versions],
    ["delete markers of versioned objects", DeleteMarkers],
    ["unfinished multipart uploads", Uploads],
  ] as const) {
    const [first] = found;
    if (first !== undefined) {
      return `${what}, the first ${quote(first.Key ?? "")}`;
    }
  }
  return undefined;
}

/**
 * Removes all objects with all versions, and all unfinished uploads, one page of the store's listing at a time. What
 * was cut short is finished by doing it again.
 *
 * @param removed - told after each request how many things it removed; what it throws ends the work there.
 * @param confirm - called now and then before something is removed; what it throws ends the work there. The caller has just
 * confirmed the bucket.
 * @throws DriverError naming the first object that the store does not let go; those after its page are left alone.
 */
export async function emptyBucket(
  s3: S3Client,
  bucket: string,
  removed: (count: number) => void = () => undefined,
  confirm: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  let confirmed = performance.now();
  const confirmSometimes = async () => {
    if (performance.now() - confirmed < CONFIRM_MS) return;
    await confirm();
    confirmed = performance.now();
  };
  for (let pass = 1, found = true; found && pass <= PASSES; pass++) {
    found = false;
    for await (const objects of pagesOfVersions(s3, bucket)) {
      if (objects.length > 0) {
        found = true;
        await confirmSometimes();
        await deleteObjects(s3, bucket, objects);
        removed(objects.length);
      }
    }
    for await (const upload of uploadsOf(s3, bucket)) {
      found = true;
      await confirmSometimes();
      await abortUpload(s3, bucket, upload);
      removed(1);
    }
    // What is there after a whole pass may be of a bucket that came after this one.
    confirmed = Number.NEGATIVE_INFINITY;
  }
}

async function deleteObjects(s3: S3Client, bucket: string, objects: ObjectIdentifier[]): Promise<void> {
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
  );
  const [first, ...others] = Errors.filter(({ Code }) => Code !== "NoSuchKey" && Code !== "NoSuchVersion");
  if (first !== undefined) {
    const { Key = "", VersionId, Code = "refused", Message = "" } = first;
    const version = VersionId === undefined || VersionId === "null" ? "" : ` (version ${VersionId})`;
    const more = others.length > 0 ? `, and ${others.length} more like it` : "";
    throw new DriverError(
      kindOfCode(Code) ?? "failed-precondition",
      `it cannot be emptied: the store keeps object ${quote(Key)}${version}: ` +
        `${shorten(`${Code}: ${Message}`, MAX_REASON)}${more}; remove it or what protects it, and delete again`,
    );
  }
}

async function abortUpload(s3: S3Client, bucket: string, { Key, UploadId }: MultipartUpload): Promise<void> {
  try {
    await s3.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
  } catch (error) {
    if (!(error instanceof Error && error.name === "NoSuchUpload")) {
      throw error;
    }
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
