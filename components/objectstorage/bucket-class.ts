import * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { Driver } from "../../provider/driver-resource/driver";
import { bucketClassKind } from "../../provider/models/objectstorage-v1alpha1/kinds";
import { driverNameOf, type ClassDriverArgs } from "./class-driver";
import { writeClass } from "./class-object";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";
import { deletionPolicy } from "./normalise";
import { requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";

/** A class of buckets: driver, parameters, and what becomes of a bucket in the end. */
export interface BucketClassArgs extends ClassDriverArgs, MetadataArgs, ClusterArgs {
  /**
   * What becomes of a bucket in the backend when its claim goes: `Retain` or `Delete`.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<string>;
  /**
   * Parameters of the driver, sent as they are when a bucket is made.
   *
   * @default none: the driver's own defaults
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * A BucketClass (objectstorage.k8s.io/v1alpha1). Editing it changes no bucket that exists: each keeps what was copied
 * when it was made.
 *
 * @example
 * ```ts
 * const gold = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
 * ```
 */
export class BucketClass extends pulumi.ComponentResource {
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
    super("cosi:objectstorage:BucketClass", name, {}, opts);
    const scope = scopeOf(this, name, args, opts);
    orInvalid(scope, () => {
      requireGiven(args, "driver");
    });
    this.driver = args.driver;
    // The name is the argument, not an output of the object: a class that is made anew replaces no claim.
    this.className = pulumi.output(args.name ?? name);
    this.driverName = driverNameOf(scope, args);
    this.deletionPolicy = judge<string, DeletionPolicy>(
      scope,
      args.deletionPolicy ?? "Retain",
      deletionPolicy,
    );
    this.parameters = pulumi.output(args.parameters);

    writeClass(scope, args, {
      kind: bucketClassKind,
      className: this.className,
      driverName: this.driverName,
      fields: { deletionPolicy: this.deletionPolicy },
      warnings: this.deletionPolicy.apply(() => []),
    });
    this.registerOutputs({ className: this.className, driverName: this.driverName });
  }
}
