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
   * Name that is sent to the driver: 1 to 63 characters, at most 128 bytes. A change replaces the deployment.
   *
   * @default Computed from the driver's seed and the resource's name; it stays as it is while the deployment is in the state.
   */
  name?: pulumi.Input<string>;
  /**
   * The specification's word for `name`; only one of them is given.
   *
   * @default `name`
   */
  deploymentName?: pulumi.Input<string>;
  /**
   * Parameters of the driver, sent as they are: at most 4096 bytes in all keys and values, unless the Driver has
   * `largeFields`. Left out, the driver's own defaults hold. A change replaces the deployment.
   *
   * @default none
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The specification's word for `parameters`; only one of them is given.
   *
   * @default `parameters`
   */
  deploymentContext?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * What becomes of the deployment in the backend when the resource goes: kept, or deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<DeletionPolicy>;
  /**
   * Id of a deployment that exists already (brownfield). The driver is not asked to create it, and it is never deleted: only
   * `Retain` goes with it.
   *
   * @default none: the driver makes the deployment
   */
  existingDeploymentId?: pulumi.Input<string>;
  /**
   * Takes the name that is sent as the driver's id of the deployment where the driver does not tell one, with a warning: it
   * answers OK with an empty id, or ALREADY_EXISTS. For drivers whose ids are their names. Under a name of the user's
   * ALREADY_EXISTS may speak of somebody else's deployment; that one is taken over for good, never deleted, and only `Retain`
   * goes with it.
   *
   * @default false
   */
  nameAsId?: pulumi.Input<boolean>;
  /**
   * Refuses a replacement that would delete the deployment. To let one pass, set it to `false` and run `pulumi up` before the
   * change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Has `pulumi up` wait after the create until the driver says that the deployment is ready. A driver without the call for
   * it (`DriverGetDeploymentStatus`, an extension) is asked once, and its answer to the create then counts.
   * Source: requirements of the Deployment Interface, section 4.
   *
   * @default false
   */
  waitUntilReady?: pulumi.Input<boolean>;
  /**
   * Longest of these waits, in seconds. At its end the run fails, and the deployment stays in the state.
   *
   * @default 600
   */
  readyTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Name of the class that parameters and policy were copied from; while it stays, the copy stays.
   *
   * @default none: a change of the parameters is a change of the deployment
   */
  deploymentClassName?: pulumi.Input<string>;
  /**
   * The policy does not come from the class, and may change while the class name stays; set by the components.
   *
   * @internal
   */
  ownDeletionPolicy?: boolean;
  /** Kubernetes objects of an API model that tell of this deployment; set by the components. @internal */
  objects?: pulumi.Input<BucketObjects>;
}

/**
 * What a driver of the Deployment Interface makes, or has already: a database, a queue, a bucket.
 *
 * Its id is the name that is sent to the driver (brownfield: the given id); the driver's own id is the output
 * `deploymentId`. Replacing it deletes the old one first, by its own policy.
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
  /** What clients need to reach the deployment, if it is a bucket and the driver tells it. */
  declare readonly deploymentInfo: pulumi.Output<BucketInfo | null>;
  declare readonly deletionPolicy: pulumi.Output<DeletionPolicy>;
  /** What a delete of this resource does, in words. */
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
