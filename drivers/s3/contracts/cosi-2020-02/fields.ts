import {
  AccessMode,
  DataProtocol,
  DeleteBucketRequest_BucketRetainPolicy as RetainPolicy,
} from "../../../../gen/cosi-2020-02/cosi/v1/cosi";
import { DriverError } from "../../../common/driver-error";
import { type Parameters, checkParameters } from "../../core/parameters";

/** Bucket and account, as a request names them. */
export interface Named {
  readonly BucketName: string;
  readonly UserName: string;
}

/** A oneof of a request; the fields of protocols other than S3 are of no interest. */
export type Oneof =
  | { readonly $case: "S3"; readonly value: Named }
  | { readonly $case: "AzureBlob" | "Gcs"; readonly value: object }
  | undefined;

/**
 * The bucket that a request is about, and its account.
 *
 * @param field Name of the oneof, for the message.
 * @throws DriverError `invalid-argument` for another protocol than S3, for none, and for no bucket.
 */
export function requireNamed(field: string, oneof: Oneof): Named {
  if (oneof?.$case !== "S3") {
    const reason =
      oneof === undefined ? "is required and was not given" : `${oneof.$case} is not offered, only S3`;
    throw new DriverError("invalid-argument", `${field} ${reason}`);
  }
  requireBucket(`${field}.S3.BucketName`, oneof.value.BucketName);
  return oneof.value;
}

/** @throws DriverError `invalid-argument` for no bucket. */
export function requireBucket(field: string, bucket: string): void {
  if (bucket === "") throw new DriverError("invalid-argument", `${field} is required and was not given`);
}

/** The bucket that a request is about, for messages; empty if it names none. */
export function bucketIn(oneof: Oneof): string {
  return oneof?.$case === "S3" ? oneof.value.BucketName : "";
}

/** @throws DriverError `invalid-argument` for another protocol than S3. */
export function requireS3(protocol: DataProtocol): void {
  if (protocol === DataProtocol.S3) return;
  throw new DriverError(
    "invalid-argument",
    `RequestProtocol ${nameIn(DataProtocol, protocol)} is not offered, only S3`,
  );
}

/**
 * What the account may do, as parameters of the core; both when the caller leaves it to the driver.
 *
 * @throws DriverError `invalid-argument` for a mode that is none.
 */
export function accountParameters(mode: AccessMode): Parameters {
  switch (mode) {
    case AccessMode.RO:
      return new Map([["accessMode", "ro"]]);
    case AccessMode.WO:
      return new Map([["accessMode", "wo"]]);
    case AccessMode.MODE_UNSPECIFIED:
    case AccessMode.RW:
      return new Map([["accessMode", "rw"]]);
    default:
      throw new DriverError("invalid-argument", `AccessMode ${String(mode)} is unknown: it is RO, WO or RW`);
  }
}

/**
 * Checks the parameters of a create or a grant. What the account may do is a field of its own here: beside it, the parameter
 * that says so elsewhere would have no effect, and the account more rights than were asked for.
 *
 * @throws DriverError `invalid-argument` naming a key.
 */
export function checkDriverParameters(parameters: Parameters): void {
  checkParameters("DriverParameters", parameters);
  if (parameters.has("accessMode")) {
    throw new DriverError(
      "invalid-argument",
      'DriverParameters: key "accessMode": what the account may do is the field AccessMode, leave the key out',
    );
  }
}

/**
 * A bucket that is kept is not for a delete: to end its account is the work of RevokeBucketAccess.
 *
 * @throws DriverError `invalid-argument`
 */
export function requireDelete(policy: RetainPolicy): void {
  if (policy === RetainPolicy.DELETE) return;
  throw new DriverError(
    "invalid-argument",
    `RetainPolicy ${nameIn(RetainPolicy, policy)} is not offered, only DELETE: to keep the bucket and end its account, ` +
      "call RevokeBucketAccess; nothing was changed",
  );
}

function nameIn(names: Readonly<Record<number, string>>, number: number): string {
  return names[number] ?? `number ${String(number)}`;
}
