import * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy } from "../bucket/state";
import type { BucketInfo } from "../contracts/contract";
import type { Driver } from "../driver-resource/driver";
import { refuseDeletedWith } from "../dynamic/deleted-with";
import { ignoringInputs } from "../dynamic/ignored-inputs";
import { DynamicResource, parentUrn } from "../dynamic/resource";
import { isSecretInput } from "../dynamic/secret-input";
import { requireArguments } from "../inputs/core-arguments";
import type { BucketObjects } from "../models/model";

/** A deployment at a driver. */
export interface DeploymentArgs {
  /** A driver of the contract `deployment.v1alpha1`, or `database.v1alpha1`. */
  driver: Driver;
  /**
   * Name sent to the driver: 1 to 63 characters, at most 128 bytes. A change replaces the deployment. If another
   * stack gives the same name, it gets the same deployment, unless the driver refuses (as `deployment-driver-postgres` does),
   * and under `Delete` a destroy of either stack deletes it for both.
   *
   * @default Computed from the driver's seed and the resource's name; it does not change while the deployment is in the state.
   */
  name?: pulumi.Input<string>;
  /**
   * The specification's word for `name`. Give only one of the two.
   *
   * @default `name`
   */
  deploymentName?: pulumi.Input<string>;
  /**
   * Parameters for the driver, sent unchanged: at most 4096 bytes for all keys and values together, unless the Driver
   * has `largeFields`. Without them the driver's own defaults apply. A change replaces the deployment.
   *
   * @default none
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The specification's word for `parameters`. Give only one of the two.
   *
   * @default `parameters`
   */
  deploymentContext?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * What happens to the deployment in the backend when the resource is deleted or replaced: it is kept, or deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<DeletionPolicy>;
  /**
   * Id of an existing deployment (brownfield). The driver is not asked to create it, and it is never deleted: only `Retain`
   * is allowed.
   *
   * @default none: the driver creates the deployment
   */
  existingDeploymentId?: pulumi.Input<string>;
  /**
   * Takes the name that was sent for the deployment's id, with a warning, when the driver returns no id: it answers OK with an
   * empty id, or ALREADY_EXISTS. For drivers whose ids are the names. If you set `name`, ALREADY_EXISTS may mean somebody
   * else's deployment: that deployment is taken over for good and never deleted, and only `Retain` is allowed.
   *
   * @default false
   */
  nameAsId?: pulumi.Input<boolean>;
  /**
   * Refuses a replacement that would delete the deployment. To allow one, set it to `false` and run `pulumi up` before the
   * change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Makes `pulumi up` wait after the create until the driver reports that the deployment is ready. A driver without the call
   * for it (`DriverGetDeploymentStatus`, an extension) is asked once, and its answer to the create then counts.
   * Source: requirements of the Deployment Interface, section 4.
   *
   * @default false
   */
  waitUntilReady?: pulumi.Input<boolean>;
  /**
   * Longest such wait, in seconds. When it is over, the run fails, and the deployment stays in the state.
   *
   * @default 600
   */
  readyTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Name of the class that parameters and policy were copied from. As long as it does not change, the copy is kept.
   *
   * @default none: a change of the parameters applies to the deployment
   */
  deploymentClassName?: pulumi.Input<string>;
  /**
   * The policy does not come from the class, and may change while the class name stays; set by the components.
   *
   * @internal
   */
  ownDeletionPolicy?: boolean;
  /** Kubernetes objects of an API model that describe this deployment; set by the components. @internal */
  objects?: pulumi.Input<BucketObjects>;
}

/**
 * What a driver of the Deployment Interface makes, or already has: a database, a queue, a bucket.
 *
 * The resource's id is the name sent to the driver (brownfield: the given id); the driver's own id is the output
 * `deploymentId`. Replacing the resource deletes the old one first, according to its own policy.
 *
 * @example
 * ```ts
 * const postgres = new cosi.Driver("postgres", {
 *   contract: "deployment.v1alpha1",
 *   command: ["deployment-driver-postgres"],
 * });
 * const orders = new cosi.Deployment("orders", { driver: postgres, deletionPolicy: "Delete" });
 * ```
 */
export class Deployment extends DynamicResource {
  /** Name that was sent to the driver; brownfield: the given id. */
  declare readonly name: pulumi.Output<string>;
  /** The driver's id of the deployment, byte for byte. */
  declare readonly deploymentId: pulumi.Output<string>;
  /** What clients need to reach the deployment, if it is a bucket and the driver reports it. */
  declare readonly deploymentInfo: pulumi.Output<BucketInfo | null>;
  declare readonly deletionPolicy: pulumi.Output<DeletionPolicy>;
  /** What deleting this resource does, in words. */
  declare readonly onDelete: pulumi.Output<string>;
  /** Name of the driver that the deployment belongs to. */
  readonly driverName: pulumi.Output<string>;
  readonly #driver: Driver;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi:Deployment";

  /** @throws RunError if an argument is given under both of its names. */
  constructor(name: string, args: DeploymentArgs, options: pulumi.CustomResourceOptions = {}) {
    requireArguments("Deployment", name, args);
    refuseDeletedWith("Deployment", name, options);
    const opts = ignoringInputs(options, {
      deploymentName: ["name"],
      deploymentContext: ["parameters"],
    });
    const { driver, deploymentName, deploymentContext, ...inputs } = args;
    refuseBoth(name, "name", args.name, "deploymentName", deploymentName);
    refuseBoth(name, "parameters", args.parameters, "deploymentContext", deploymentContext);
    const parameters = args.parameters ?? deploymentContext;
    const outputs = {
      deploymentId: undefined,
      deploymentInfo: undefined,
    };
    const props = {
      ...outputs,
      deletionPolicy: undefined,
      onDelete: undefined,
      ...inputs,
      name: args.name ?? deploymentName,
      parameters,
      driver: driver.reference(),
      secretParameters: isSecretInput(parameters),
      logicalName: name,
      parent: parentUrn(opts),
    };
    super(
      "cosi",
      "Deployment",
      "deployment/provider",
      name,
      props,
      pulumi.mergeOptions({ deleteBeforeReplace: true }, opts),
    );
    this.driverName = driver.driverName;
    this.#driver = driver;
  }

  /** The resource of the driver that the deployment belongs to. @internal */
  driverResource(): Driver {
    return this.#driver;
  }
}

/** DEP-003: either spelling means the same. */
function refuseBoth(resource: string, name: string, value: unknown, alias: string, other: unknown): void {
  if (value === undefined || other === undefined) return;
  throw new pulumi.RunError(
    `Deployment ${resource}: ${name} and ${alias} are both given, and mean the same. Next: leave one of them out.`,
  );
}
