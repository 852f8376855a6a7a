import type * as pulumi from "@pulumi/pulumi";
import type { AuthenticationType } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import type { ClassDriverArgs } from "../claimed/class-driver";
import { writeAccessClass } from "../claimed/class-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";

/** A class of accesses: driver, parameters, and how workloads log in. */
export interface DeploymentAccessClassArgs extends ClassDriverArgs, MetadataArgs, ClusterArgs {
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
 * A DeploymentAccessClass (platform.plural.sh/v1alpha1). Editing it changes no existing access.
 *
 * @example
 * ```ts
 * const login = new cosi.deployment.DeploymentAccessClass("login", { driver: postgres, authenticationType: "Key" });
 * ```
 */
export class DeploymentAccessClass extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:deployment:DeploymentAccessClass";

  /** Name of the object. */
  readonly className: pulumi.Output<string>;
  /** Name of the driver. */
  readonly driverName: pulumi.Output<string>;
  readonly authenticationType: pulumi.Output<AuthenticationType>;
  /** `undefined` for a class without parameters. */
  readonly parameters: pulumi.Output<Record<string, string> | undefined>;
  /** @internal */
  readonly driver: Driver;

  constructor(name: string, args: DeploymentAccessClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super(DeploymentAccessClass.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["authenticationType", "parameters"]);
    const kind = scope.kinds.deploymentAccessClass;
    const written = writeAccessClass(scope, args, { kind, made: "cosi.Deployment" });
    this.driver = written.driver;
    this.className = written.className;
    this.driverName = written.driverName;
    this.authenticationType = written.authenticationType;
    this.parameters = written.parameters;
    this.registerOutputs({ className: this.className, driverName: this.driverName });
  }
}
