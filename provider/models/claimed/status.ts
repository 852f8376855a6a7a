import { isRecord } from "../../dynamic/values";
import type { KubernetesObject } from "../../kubernetes/object";
import type { ClaimedApi } from "./claimed-api";

type StatusFields = Pick<ClaimedApi, "fields">;

/** `status` of a Bucket. */
export interface BucketStatus {
  ready: boolean;
  bucketId: string;
}

/** `status` of a claim. */
export interface ClaimStatus {
  ready: boolean;
  bucketName: string;
}

/** `status` of an access. */
export interface AccessStatus {
  accessGranted: boolean;
  accountId: string;
}

/** What a Bucket says of itself; absent fields read as `false` and `""`. */
export function bucketStatus({ fields }: StatusFields, bucket: KubernetesObject): BucketStatus {
  const status = statusOf(bucket);
  return { ready: status[fields.ready] === true, bucketId: textOf(status[fields.bucketId]) };
}

/** What a claim says of itself; absent fields read as `false` and `""`. */
export function claimStatus({ fields }: StatusFields, claim: KubernetesObject): ClaimStatus {
  const status = statusOf(claim);
  return { ready: status[fields.ready] === true, bucketName: textOf(status[fields.bucketName]) };
}

/** The fields of a claim's `status` that tell of its Bucket. */
export function claimStatusFields(
  { fields }: StatusFields,
  { bucketName, ready }: ClaimStatus,
): Record<string, unknown> {
  return { [fields.bucketName]: bucketName, [fields.ready]: ready };
}

/** What an access says of itself; absent fields read as `false` and `""`. */
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
