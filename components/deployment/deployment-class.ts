import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { Driver } from "../../provider/driver-resource/driver";
import type { ClassDriverArgs } from "../claimed/class-driver";
import { writeBucketClass } from "../claimed/class-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";

/** A class of deployments: driver, parameters, and what happens to a deployment in the end. */
export interface DeploymentClassArgs extends ClassDriverArgs, MetadataArgs, ClusterArgs {
  /**
   * What happens to a deployment in the backend when its request goes: `Retain` or `Delete`.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<string>;
  /**
   * Parameters for the driver, sent unchanged when a deployment is made.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * A DeploymentClass (platform.plural.sh/v1alpha1). Editing it changes no existing deployment: each keeps what was copied
 * when it was made.
 *
 * @example
 * ```ts
 * const small = new cosi.deployment.DeploymentClass("small", { driver: postgres, deletionPolicy: "Delete" });
 * ```
 */
export class DeploymentClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:deployment:DeploymentClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver. */
  readonly driverName: pulumi.Output<string>;
  readonly deletionPolicy: pulumi.Output<DeletionPolicy>;
  /** `undefined` for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string> | undefined>;
  /** @internal */
  readonly driver: Driver;

  constructor(name: string, args: DeploymentClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(DeploymentClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["deletionPolicy", "parameters"]);
    const kind = scope.kinds.deploymentClass;
    const written = writeBucketClass(scope, args, { kind, made: "cosi.Deployment" });
    this.driver = written.driver;
    this.className = written.className;
    this.driverName = written.driverName;
    this.deletionPolicy = written.deletionPolicy;
    this.parameters = written.parameters;
    this.registerOutputs({ className: this.className, driverName: this.driverName });
  }
}
