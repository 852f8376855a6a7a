import type * as pulumi from "@pulumi/pulumi";
import type { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import { referenceNamed } from "../kubernetes/named-values";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";
import type { BucketRequest } from "./bucket-request";
import type { Scope } from "./installation";

/** The bucket that a request asks access to. */
export interface AccessedBucketArgs {
  /**
   * The request for the bucket. Either this or `bucketInstance`.
   *
   * @default none: `bucketInstance` is given
   */
  bucketRequest?: BucketRequest;
  /**
   * Name of the Bucket. The namespace has one BucketRequest for it, made elsewhere.
   *
   * @default none: `bucketRequest` is given
   */
  bucketInstance?: pulumi.Input<string>;
}

/** A bucket that access is asked for. */
export interface AccessedBucket {
  /** Name of the Bucket object. */
  readonly name: pulumi.Output<string>;
  /** If this changes, it is another bucket, although its object has the same name. */
  readonly resource: pulumi.Output<string>;
  /** @default it is that of another request, or of an admin */
  readonly bucket?: DriverBucket;
  /** @default looked up at `up` */
  readonly request?: BucketRequest;
}

/** K07-065: the bucket, by its request or by its name. @throws ProblemError for neither, and for both. */
export function accessedBucket(
  scope: Scope,
  { bucketRequest, bucketInstance }: AccessedBucketArgs,
): AccessedBucket {
  if (bucketRequest !== undefined && bucketInstance !== undefined) {
    throw new ProblemError(
      "bucketRequest and bucketInstance are both given: leave bucketInstance out, as the request provides it",
    );
  }
  if (bucketRequest !== undefined) {
    const { bucketName: name, bucket } = bucketRequest;
    if (bucket === undefined) return { name, resource: name, request: bucketRequest };
    return { name, resource: bucket.id, bucket, request: bucketRequest };
  }
  if (bucketInstance === undefined) {
    throw new ProblemError("bucketRequest and bucketInstance are both missing: give one of them");
  }
  const name = judge<unknown, string>(scope, bucketInstance, (value) =>
    referenceNamed("bucketInstance", value),
  );
  return { name, resource: name };
}
