import { isRecord } from "../../dynamic/values";
import type { KubernetesObject } from "../../kubernetes/object";

/** `status` of a Bucket. */
export interface BucketStatus {
  bucketReady: boolean;
  bucketId: string;
}

/** `status` of a BucketClaim. */
export interface ClaimStatus {
  bucketReady: boolean;
  bucketName: string;
}

/** `status` of a BucketAccess. */
export interface AccessStatus {
  accessGranted: boolean;
  accountId: string;
}

/** What a Bucket says of itself; absent fields read as `false` and `""`. */
export function bucketStatus(bucket: KubernetesObject): BucketStatus {
  const status = statusOf(bucket);
  return { bucketReady: status["bucketReady"] === true, bucketId: textOf(status["bucketID"]) };
}

/** What a BucketClaim says of itself; absent fields read as `false` and `""`. */
export function claimStatus(claim: KubernetesObject): ClaimStatus {
  const status = statusOf(claim);
  return { bucketReady: status["bucketReady"] === true, bucketName: textOf(status["bucketName"]) };
}

/** What a BucketAccess says of itself; absent fields read as `false` and `""`. */
export function accessStatus(access: KubernetesObject): AccessStatus {
  const status = statusOf(access);
  return { accessGranted: status["accessGranted"] === true, accountId: textOf(status["accountID"]) };
}

function statusOf(object: KubernetesObject): Record<string, unknown> {
  return isRecord(object["status"]) ? object["status"] : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
