import { apiProtocol } from "../../provider/models/objectstorage-v1alpha1/protocols";
import { LayoutError, type GrantedAccess } from "./granted-access";

/** What `spec.bucketName` of a BucketInfo is. */
export type BucketInfoName = "object" | "id";

/** The values of {@link BucketInfoName}, for checks. */
export const bucketInfoNames: readonly string[] = ["object", "id"] satisfies BucketInfoName[];

/** How {@link bucketInfo} departs from its defaults. */
export interface BucketInfoOptions {
  /**
   * What `spec.bucketName` is: the name of the Bucket object, as COSI writes it, or the backend's id, by which clients reach
   * the bucket.
   *
   * @default "object"
   */
  bucketInfoName?: BucketInfoName | undefined;
}

/**
 * The layout of COSI: one key `BucketInfo` with a JSON document, byte for byte what the sidecar of COSI v0.2.2
 * writes, and `spec.bucketID` added at its end. Source: COSI v0.2.2, BucketInfo.
 *
 * @throws LayoutError for keys of a protocol that the layout has no place for; an identity of the platform has none.
 */
export function bucketInfo(access: GrantedAccess, options: BucketInfoOptions = {}): Record<string, string> {
  const { credentials, bucketId } = access;
  if (credentials.protocol === "GCS" && access.authenticationType === "Key") {
    throw new LayoutError(
      "BucketInfo has a place for credentials of S3 and Azure only, but the driver returned those of GCS",
    );
  }
  const document = {
    metadata: { name: `bc-${access.accessUid}`, creationTimestamp: null },
    spec: {
      bucketName: options.bucketInfoName === "id" ? bucketId : access.bucketName,
      authenticationType: access.authenticationType,
      secretS3:
        credentials.protocol === "S3"
          ? {
              endpoint: credentials.endpoint ?? "",
              region: credentials.region ?? "",
              accessKeyID: credentials.accessKeyId ?? "",
              accessSecretKey: credentials.accessSecretKey ?? "",
            }
          : null,
      secretAzure:
        credentials.protocol === "Azure"
          ? {
              accessToken: credentials.accessToken ?? "",
              expiryTimeStamp: credentials.expiry === null ? null : inSeconds(credentials.expiry),
            }
          : null,
      protocols: [apiProtocol(credentials.protocol)],
      bucketID: bucketId,
    },
  };
  return { BucketInfo: asGoWrites(document) };
}

/** A time of the Kubernetes API has no fraction of a second, and is in UTC. */
function inSeconds(time: string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Go's encoder escapes what could end a script in HTML; an Azure token is full of `&`. */
function asGoWrites(document: unknown): string {
  return JSON.stringify(document).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
