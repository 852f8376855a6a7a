import type * as pulumi from "@pulumi/pulumi";
import type { AuthenticationType } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import { bucketAccessClassKind } from "../../provider/models/objectstorage-v1alpha1/kinds";
import type { ClassDriverArgs } from "../claimed/class-driver";
import { writeAccessClass } from "../claimed/class-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";

/** A class of accesses: driver, parameters, and how workloads log in. */
export interface BucketAccessClassArgs extends ClassDriverArgs, MetadataArgs, ClusterArgs {
  /** How workloads log in: `Key`, or `IAM` for the platform's service accounts. */
  authenticationType: pulumi.Input<string>;
  /**
   * Parameters for the driver, sent unchanged when access is granted.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * A BucketAccessClass (objectstorage.k8s.io/v1alpha1). Editing it changes no existing access.
 *
 * @example
 * ```ts
 * const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
 * ```
 */
export class BucketAccessClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectstorage:BucketAccessClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver. */
  readonly driverName: pulumi.Output<string>;
  readonly authenticationType: pulumi.Output<AuthenticationType>;
  /** `undefined` for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string> | undefined>;
  /** @internal */
  readonly driver: Driver;

  constructor(name: string, args: BucketAccessClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketAccessClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["authenticationType", "parameters"]);
    const written = writeAccessClass(scope, args, { kind: bucketAccessClassKind, made: "cosi.Bucket" });
    this.driver = written.driver;
    this.className = written.className;
    this.driverName = written.driverName;
    this.authenticationType = written.authenticationType;
    this.parameters = written.parameters;
    this.registerOutputs({ className: this.className, driverName: this.driverName });
  }
}
