import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { Driver } from "../../provider/driver-resource/driver";
import { bucketClassKind } from "../../provider/models/objectstorage-v1alpha1/kinds";
import type { ClassDriverArgs } from "../claimed/class-driver";
import { writeBucketClass } from "../claimed/class-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";

/** A class of buckets: driver, parameters, and what happens to a bucket in the end. */
export interface BucketClassArgs extends ClassDriverArgs, MetadataArgs, ClusterArgs {
  /**
   * What happens to a bucket in the backend when its claim goes: `Retain` or `Delete`.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<string>;
  /**
   * Parameters for the driver, sent unchanged when a bucket is made.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * A BucketClass (objectstorage.k8s.io/v1alpha1). Editing it changes no existing bucket: each keeps what was copied when it
 * was made.
 *
 * @example
 * ```ts
 * const gold = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
 * ```
 */
export class BucketClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectstorage:BucketClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver. */
  readonly driverName: pulumi.Output<string>;
  readonly deletionPolicy: pulumi.Output<DeletionPolicy>;
  /** `undefined` for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string> | undefined>;
  /** @internal */
  readonly driver: Driver;

  constructor(name: string, args: BucketClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["deletionPolicy", "parameters"]);
    const written = writeBucketClass(scope, args, { kind: bucketClassKind, made: "cosi.Bucket" });
    this.driver = written.driver;
    this.className = written.className;
    this.driverName = written.driverName;
    this.deletionPolicy = written.deletionPolicy;
    this.parameters = written.parameters;
    this.registerOutputs({ className: this.className, driverName: this.driverName });
  }
}
