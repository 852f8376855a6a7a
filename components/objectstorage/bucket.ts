import * as pulumi from "@pulumi/pulumi";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import { api } from "../../provider/models/objectstorage-v1alpha1/api";
import type { BucketObjectReference } from "../claimed/bucket-object";
import { alwaysKept, existingId, writeStatic } from "../claimed/static-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import type { Normalised } from "../kubernetes/problem";
import { requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import type { BucketClass } from "./bucket-class";
import { scopeOf } from "./installation";
import { claimProtocols } from "./normalise";

/** The only claim that a static Bucket is for. */
export interface BucketClaimReference {
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
}

/** A bucket that the backend already has. */
export interface BucketArgs extends MetadataArgs, ClusterArgs {
  /** Provides the driver, and the parameters that grants may need. */
  bucketClass: BucketClass;
  /** The backend's id of the bucket. */
  existingBucketId: pulumi.Input<string>;
  /** Protocols by which the bucket is reached: `S3`, `Azure`, `GCP`. */
  protocols: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The only claim that may take the Bucket.
   *
   * @default the first claim that takes it
   */
  bucketClaim?: BucketClaimReference;
  /**
   * Parameters for the driver.
   *
   * @default those of the class
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Only `Retain`: a bucket that existed before is never deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<string>;
}

/**
 * A static Bucket (objectstorage.k8s.io/v1alpha1): an object that stands for a bucket that the backend already has. The
 * driver is not asked to make the bucket, and the bucket stays when the stack is destroyed.
 *
 * @example
 * ```ts
 * const archive = new cosi.objectstorage.Bucket("archive", {
 *   bucketClass: gold, existingBucketId: "archive-2019", protocols: ["S3"],
 *   bucketClaim: { namespace: "shop", name: "archive" },
 * });
 * ```
 */
export class Bucket extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectstorage:Bucket";

  /** Name of the object. */
  readonly bucketName: pulumi.Output<string>;
  /** The backend's id. */
  readonly bucketId: pulumi.Output<string>;
  /** @internal */
  readonly bucket: DriverBucket;
  /** @internal */
  readonly object: BucketObjectReference;
  /** @internal */
  readonly bucketClass: BucketClass;

  constructor(name: string, args: BucketArgs, opts?: pulumi.ComponentResourceOptions) {
    super(Bucket.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["parameters"]);
    const { bucketClass } = args;
    orInvalid(scope, () => {
      requireGiven(args, "bucketClass");
    });
    const existingBucketId = existingId(scope, "existingBucketId", args.existingBucketId);
    this.bucketClass = bucketClass;
    const policy = alwaysKept(scope, args.deletionPolicy, "existingBucketId");
    const checked = judge<string[], Normalised<string[]>>(scope, args.protocols, claimProtocols);

    const { object, reference, taken } = writeStatic(scope, {
      api,
      name: pulumi.output(args.name ?? name),
      args,
      bucketClass,
      spec: {
        bucketClassName: bucketClass.className,
        bucketClaim: args.bucketClaim ?? {},
        protocols: checked.apply(({ value }) => value),
        deletionPolicy: policy,
        existingBucketID: existingBucketId,
      },
      warnings: checked.apply(({ warnings }) => warnings),
    });
    this.bucketName = reference.name;
    this.object = reference;
    this.bucket = new DriverBucket(
      name,
      { ...taken, driver: bucketClass.driver, existingBucketId, bucketClassName: bucketClass.className },
      { parent: this, dependsOn: [object], ...ignoring(scope, carriedAs("parameters")) },
    );
    this.bucketId = this.bucket.bucketId;
    this.registerOutputs({ bucketName: this.bucketName, bucketId: this.bucketId });
  }
}
