import * as pulumi from "@pulumi/pulumi";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { BucketObjects } from "../../provider/models/model";
import { bucketKind, modelName } from "../../provider/models/objectstorage-v1alpha1/kinds";
import type { BucketClass } from "./bucket-class";
import { customResource, guardName, inParts, uidOf, type MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";
import { ProblemError, type Normalised } from "../kubernetes/problem";
import { claimProtocols, deletionPolicy } from "./normalise";
import { given, requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";

/** The one claim that a static Bucket is for. */
export interface BucketClaimReference {
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
}

/** A bucket that the backend has already. */
export interface BucketArgs extends MetadataArgs, ClusterArgs {
  /** Gives the driver, and the parameters that grants may need. */
  bucketClass: BucketClass;
  /** The backend's id of the bucket. */
  existingBucketId: pulumi.Input<string>;
  /** Protocols by which the bucket is reached: `S3`, `Azure`, `GCP`. */
  protocols: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The one claim that may take the Bucket.
   *
   * @default the claim that takes it first
   */
  bucketClaim?: BucketClaimReference;
  /**
   * Parameters of the driver.
   *
   * @default those of the class
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Only `Retain`: a bucket that was there before is never deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<string>;
}

/**
 * A static Bucket (objectstorage.k8s.io/v1alpha1): an object that stands for a bucket which the backend has already.
 * The driver is not asked to make it, and it stays when the stack is destroyed.
 *
 * @example
 * ```ts
 * const archive = new cosi.objectstorage.Bucket("archive", {
 *   bucketClass: gold, existingBucketId: "archive-2019", protocols: ["S3"],
 *   bucketClaim: { namespace: "shop", name: "archive" },
 * });
 * ```
 */
export class Bucket extends pulumi.ComponentResource {
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
    super("cosi:objectstorage:Bucket", name, {}, opts);
    const scope = scopeOf(this, name, args, opts);
    const { bucketClass } = args;
    orInvalid(scope, () => {
      requireGiven(args, "bucketClass");
    });
    const existingBucketId = judge<string, string>(scope, args.existingBucketId, (id) =>
      given("existingBucketId", id),
    );
    this.bucketClass = bucketClass;
    this.bucketName = pulumi.output(args.name ?? name);
    // OS1-068: what somebody else made is not ours to delete.
    const policy = judge<string, string>(scope, args.deletionPolicy ?? "Retain", (value) => {
      if (deletionPolicy(value) === "Retain") return value;
      throw new ProblemError(
        'deletionPolicy is "Delete" beside existingBucketId: only "Retain" goes with it',
      );
    });
    const checked = judge<string[], Normalised<string[]>>(scope, args.protocols, claimProtocols);

    const guard = guardName(
      scope,
      bucketKind,
      { name: this.bucketName },
      checked.apply(({ warnings }) => warnings),
      {
        copied: {
          key: bucketClass.className,
          value: bucketClass.parameters.apply((parameters) => parameters ?? {}),
          secret: isSecretInput(bucketClass.parameters),
        },
        told: { driverName: bucketClass.driverName },
      },
    );
    const parameters = args.parameters === undefined ? guard.copied.value : pulumi.output(args.parameters);
    // OS1-010: where the class has none, none are invented.
    const written = parameters.apply((known) => (Object.keys(known).length === 0 ? undefined : known));
    const object = customResource(scope, {
      kind: bucketKind,
      name: this.bucketName,
      labels: args.labels,
      annotations: args.annotations,
      fields: {
        spec: {
          driverName: guard.told["driverName"],
          bucketClassName: bucketClass.className,
          bucketClaim: args.bucketClaim ?? {},
          protocols: checked.apply(({ value }) => value),
          deletionPolicy: policy,
          existingBucketID: existingBucketId,
          parameters: written,
        },
      },
      guard,
      dependsOn: [guard, bucketClass],
    });
    this.object = { name: this.bucketName, uid: uidOf(object) };
    this.bucket = new DriverBucket(
      name,
      {
        driver: bucketClass.driver,
        existingBucketId,
        bucketClassName: bucketClass.className,
        parameters,
        objects: inParts<BucketObjects>({
          model: modelName,
          kubernetes: scope.installation.target,
          owner: scope.installation.owner,
          claim: null,
          bucket: this.object,
        }),
      },
      { parent: this, dependsOn: [object] },
    );
    this.bucketId = this.bucket.bucketId;
    this.registerOutputs({ bucketName: this.bucketName, bucketId: this.bucketId });
  }
}

/** Name and UID of a Bucket object. */
export interface BucketObjectReference {
  readonly name: pulumi.Output<string>;
  readonly uid: pulumi.Output<string>;
}
