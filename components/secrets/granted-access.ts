import type { Credentials } from "../../provider/credentials/credentials";

/** All that a layout can write about an access. */
export interface GrantedAccess {
  /** UID of the object that asked for access. */
  accessUid: string;
  /** Name of the Bucket object. */
  bucketName: string;
  /** The backend's id of the bucket, which is what clients of S3 name it by. */
  bucketId: string;
  authenticationType: "Key" | "IAM";
  credentials: Credentials;
}

/** A layout has no place for the credentials, or one of their values is missing. The text names keys, never values. */
export class LayoutError extends Error {
  override readonly name = "LayoutError";
}
