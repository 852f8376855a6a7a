import * as pulumi from "@pulumi/pulumi";
import type { BucketArgs as DriverBucketArgs } from "../../provider/bucket/bucket";
import type { Driver } from "../../provider/driver-resource/driver";
import type { BucketObjects } from "../../provider/models/model";
import { bucketKind, modelName } from "../../provider/models/objectstorage-v1alpha1/kinds";
import { ComponentResource } from "../kubernetes/component-resource";
import { customResource, guardName, inParts, uidOf, type MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";
import type { Normalised } from "../kubernetes/problem";
import { claimProtocols } from "./normalise";
import { requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";

/** A Bucket object for a driver to look up. */
export interface BucketMirrorArgs extends MetadataArgs, ClusterArgs {
  driver: Driver;
  /**
   * Name of the object: the id by which the driver knows the bucket. If the driver makes the bucket, this is also the name
   * sent to it. A change replaces object and bucket.
   *
   * @default the component's name in the program; renaming the component with an alias does not change it
   */
  name?: pulumi.Input<string>;
  /**
   * Parameters that the driver finds in the object when it deletes or revokes; a bucket that the driver makes gets the same
   * ones. A change replaces object and bucket.
   *
   * @default none
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Name of a BucketClass, for a driver that reads it.
   *
   * @default ""
   */
  bucketClassName?: pulumi.Input<string>;
  /**
   * Protocols by which the bucket is reached: `S3`, `Azure`, `GCP`.
   *
   * @default ["S3"]
   */
  protocols?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments that a bucket shares with its mirror. */
type MirroredArgs = Required<Pick<DriverBucketArgs, "driver" | "parameters" | "objects">>;

/**
 * A Bucket object (objectstorage.k8s.io/v1alpha1) for a bucket without a claim. When they delete or revoke, some drivers
 * (ceph-cosi, and those of Scality, HPE and IBM) read the Bucket object whose name is the bucket's id, and fail if there
 * is none. A claim makes that object; for a `cosi.Bucket` this component does. A static `objectstorage.Bucket` whose
 * `name` is its `existingBucketId` already is such an object.
 *
 * The bucket takes its arguments from {@link greenfield} or {@link brownfield}. They make it depend on the object, so the
 * object is there before the create and goes after the delete. The object's status describes the bucket, and a finalizer
 * keeps the object until the driver has answered. COSI's own sidecar makes and deletes nothing for it, as the object has
 * `existingBucketID` and `Retain`.
 *
 * @example
 * ```ts
 * const mirror = new cosi.objectstorage.BucketMirror("photos", {
 *   driver, name: "photos-prod", parameters: { objectStoreUserSecretName: "admin", objectStoreUserSecretNamespace: "ceph" },
 * });
 * const photos = new cosi.Bucket("photos", { ...mirror.greenfield, deletionPolicy: "Delete" });
 * ```
 * @example A bucket that exists
 * ```ts
 * const mirror = new cosi.objectstorage.BucketMirror("archive", { driver, name: "company-archive" });
 * const archive = new cosi.Bucket("archive", mirror.brownfield);
 * ```
 */
export class BucketMirror extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectstorage:BucketMirror";

  /** Name of the object, which is the bucket's id. */
  readonly bucketName: pulumi.Output<string>;
  /** Arguments for a `cosi.Bucket` that the driver makes. */
  readonly greenfield: MirroredArgs & Required<Pick<DriverBucketArgs, "name">>;
  /** Arguments for a `cosi.Bucket` that already exists; it is neither made nor deleted. */
  readonly brownfield: MirroredArgs & Required<Pick<DriverBucketArgs, "existingBucketId">>;

  constructor(name: string, args: BucketMirrorArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketMirror.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["bucketClassName", "protocols"]);
    orInvalid(scope, () => {
      requireGiven(args, "driver");
    });
    const { driver } = args;
    const protocols = judge<string[], Normalised<string[]>>(scope, args.protocols ?? ["S3"], claimProtocols);
    const guard = guardName(
      scope,
      bucketKind,
      { name: args.name ?? name },
      protocols.apply(({ warnings }) => warnings),
      { told: { driverName: driver.driverName } },
    );
    this.bucketName = guard.name;
    const parameters = args.parameters === undefined ? {} : { parameters: args.parameters };
    const object = customResource(scope, {
      kind: bucketKind,
      name: this.bucketName,
      labels: args.labels,
      annotations: args.annotations,
      fields: {
        spec: {
          driverName: guard.told["driverName"],
          bucketClassName: args.bucketClassName ?? "",
          bucketClaim: {},
          protocols: protocols.apply(({ value }) => value),
          deletionPolicy: "Retain",
          existingBucketID: this.bucketName,
          ...parameters,
        },
      },
      // The driver reads the old parameters when the old bucket goes: a change in place would show it the new ones.
      immutable: { name: this.bucketName, ...parameters },
      guard,
      dependsOn: [guard],
    });
    const mirrored = {
      driver,
      parameters: args.parameters ?? {},
      objects: inParts<BucketObjects>({
        model: modelName,
        kubernetes: scope.installation.target,
        owner: scope.installation.owner,
        claim: null,
        bucket: { name: this.bucketName, uid: uidOf(object) },
      }),
    };
    // With the object's URN: what goes with an object that is replaced is told by the properties that depend on it.
    const bucketId = pulumi.all([this.bucketName, object.urn]).apply(([known]) => known);
    this.greenfield = { ...mirrored, name: bucketId };
    this.brownfield = { ...mirrored, existingBucketId: bucketId };
    this.registerOutputs({ bucketName: this.bucketName });
  }
}
