import * as pulumi from "@pulumi/pulumi";
import { Deployment as DriverDeployment } from "../../provider/deployment/deployment";
import type { BucketObjectReference } from "../claimed/bucket-object";
import { alwaysKept, existingId, writeStatic } from "../claimed/static-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import { requireGiven } from "../kubernetes/required";
import { orInvalid } from "../kubernetes/scope";
import type { DeploymentClass } from "./deployment-class";
import { scopeOf } from "./installation";

/** The only request that a static Deployment is for. */
export interface DeploymentRequestReference {
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
}

/** A deployment that the backend already has. */
export interface DeploymentArgs extends MetadataArgs, ClusterArgs {
  /** Provides the driver, and the parameters that grants may need. */
  deploymentClass: DeploymentClass;
  /** The backend's id of the deployment. */
  existingDeploymentId: pulumi.Input<string>;
  /**
   * The only request that may take the Deployment.
   *
   * @default the first request that takes it
   */
  deploymentRequest?: DeploymentRequestReference;
  /**
   * Parameters for the driver.
   *
   * @default those of the class
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Only `Retain`: a deployment that existed before is never deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<string>;
}

/**
 * A static Deployment (platform.plural.sh/v1alpha1): an object that stands for a deployment that the backend already has.
 * The driver is not asked to make the deployment, and the deployment stays when the stack is destroyed.
 *
 * @example
 * ```ts
 * const ledger = new cosi.deployment.Deployment("ledger", {
 *   deploymentClass: small, existingDeploymentId: "ledger", deploymentRequest: { namespace: "shop", name: "ledger" },
 * });
 * ```
 */
export class Deployment extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:deployment:Deployment";

  /** Name of the object. */
  readonly deploymentName: pulumi.Output<string>;
  /** The backend's id. */
  readonly deploymentId: pulumi.Output<string>;
  /** @internal */
  readonly deployment: DriverDeployment;
  /** @internal */
  readonly object: BucketObjectReference;
  /** @internal */
  readonly deploymentClass: DeploymentClass;

  constructor(name: string, args: DeploymentArgs, opts?: pulumi.ComponentResourceOptions) {
    super(Deployment.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["parameters"]);
    const { deploymentClass } = args;
    orInvalid(scope, () => {
      requireGiven(args, "deploymentClass");
    });
    const existingDeploymentId = existingId(scope, "existingDeploymentId", args.existingDeploymentId);
    this.deploymentClass = deploymentClass;
    const policy = alwaysKept(scope, args.deletionPolicy, "existingDeploymentId");

    const { object, reference, taken } = writeStatic(scope, {
      api: scope.api,
      name: pulumi.output(args.name ?? name),
      args,
      bucketClass: deploymentClass,
      spec: {
        deploymentClassName: deploymentClass.className,
        ...(args.deploymentRequest === undefined ? {} : { deploymentRequest: args.deploymentRequest }),
        deletionPolicy: policy,
        existingDeploymentID: existingDeploymentId,
      },
      warnings: policy.apply(() => []),
    });
    this.deploymentName = reference.name;
    this.object = reference;
    const { driver, className } = deploymentClass;
    this.deployment = new DriverDeployment(
      name,
      { ...taken, driver, existingDeploymentId, deploymentClassName: className },
      { parent: this, dependsOn: [object], ...ignoring(scope, carriedAs("parameters")) },
    );
    this.deploymentId = this.deployment.deploymentId;
    this.registerOutputs({ deploymentName: this.deploymentName, deploymentId: this.deploymentId });
  }
}
