import * as pulumi from "@pulumi/pulumi";
import type { BucketAccessRotation } from "../bucket-access/bucket-access";
import type { AuthenticationType } from "../contracts/contract";
import type { Deployment } from "../deployment/deployment";
import type { Driver } from "../driver-resource/driver";
import { refuseDeletedWith } from "../dynamic/deleted-with";
import { ignoringInputs } from "../dynamic/ignored-inputs";
import { DynamicResource, parentUrn } from "../dynamic/resource";
import { isSecretInput } from "../dynamic/secret-input";
import { requireArguments } from "../inputs/core-arguments";
import type { AccessObjects } from "../models/model";
import type { RevokeNotFound } from "../run/revoke-outcome";

/** An account of a deployment that somebody made before. */
export interface ExistingDeploymentAccount {
  /** The driver's id of the account. */
  accountId: pulumi.Input<string>;
  /** Its keys by their names, by an entry, as a driver would have given them. Secret in the state. */
  credentials: pulumi.Input<Record<string, pulumi.Input<Record<string, pulumi.Input<string>>>>>;
}

/** What an access needs to know of its deployment, which `cosi.Deployment` tells. */
export type AccessedDeployment = Pick<
  Deployment,
  "id" | "deploymentId" | "deploymentInfo" | "driverResource"
>;

/** An account with credentials for one deployment. */
export interface DeploymentAccessArgs {
  /** The deployment: a `cosi.Deployment`. */
  deployment: AccessedDeployment;
  /**
   * The driver that grants.
   *
   * @default The deployment's.
   */
  driver?: Driver;
  /**
   * Name of the account that is sent to the driver: 1 to 63 characters, at most 128 bytes. A change replaces the access.
   *
   * @default Computed from the driver's seed and the resource's name.
   */
  name?: pulumi.Input<string>;
  /**
   * Keys, or the platform's service account. Other spellings (`KEY`) are taken, with a warning.
   *
   * @default "Key"
   */
  authenticationType?: pulumi.Input<AuthenticationType>;
  /**
   * Parameters of the driver, sent as they are: at most 4096 bytes in all keys and values, unless the Driver has
   * `largeFields`. Left out, the driver's own defaults hold. A change replaces the access.
   *
   * @default none
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Name of the class that the parameters were copied from; while it stays, the copy stays.
   *
   * @default none: a change of the parameters is a change of the access
   */
  deploymentAccessClassName?: pulumi.Input<string>;
  /**
   * Takes NOT_FOUND in answer to the revoke as done. For a `destroy`, which runs no program:
   * PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When the account gives way to a new one. Taken away again, the account stays that it has led to. `--replace` on an access
   * with a rotation keeps its account: change the trigger.
   *
   * @default none: the account stays for the life of the access
   */
  rotation?: BucketAccessRotation;
  /**
   * Takes an account that exists over as it is. It is never revoked, and stays when the access is deleted or rotated.
   *
   * @default none: the driver grants an account
   */
  existingAccount?: ExistingDeploymentAccount;
  /** Kubernetes objects of an API model that tell of this access; set by the components. @internal */
  objects?: pulumi.Input<AccessObjects>;
}

/**
 * Access to a deployment: an account of its own, with credentials. Deleting it revokes the account; replacing it revokes
 * the old account first, and rotating it last.
 *
 * @example
 * ```ts
 * const access = new cosi.DeploymentAccess("orders-rw", { deployment: orders });
 * export const url = access.credentials.apply(({ postgres }) => postgres?.DATABASE_URL);
 * ```
 */
export class DeploymentAccess extends DynamicResource {
  /** Name of the account that was sent to the driver. */
  declare readonly name: pulumi.Output<string>;
  /** The driver's id of the account, byte for byte. */
  declare readonly accountId: pulumi.Output<string>;
  /** As granted: a class that is edited later changes no access. */
  declare readonly authenticationType: pulumi.Output<AuthenticationType>;
  /** All credentials as the driver gave them: by its keys, by its entries. Secret. */
  declare readonly credentials: pulumi.Output<Record<string, Record<string, string>>>;
  /** When the driver granted the account, RFC 3339. */
  declare readonly grantedAt: pulumi.Output<string | null>;
  /** Changes with the credentials: in an annotation of a pod template it makes a rollout of a rotation. */
  declare readonly checksum: pulumi.Output<string | null>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi:DeploymentAccess";

  constructor(name: string, args: DeploymentAccessArgs, options: pulumi.CustomResourceOptions = {}) {
    requireArguments("DeploymentAccess", name, args);
    refuseDeletedWith("DeploymentAccess", name, options);
    const opts = ignoringInputs(options, {
      deployment: ["deploymentName", "deploymentId", "deploymentInfo"],
    });
    const { deployment, driver = deployment.driverResource(), existingAccount, ...inputs } = args;
    const outputs = {
      name: undefined,
      authenticationType: undefined,
      accountId: undefined,
      credentials: undefined,
      grantedAt: undefined,
      checksum: undefined,
    };
    const props = {
      ...outputs,
      ...inputs,
      ...(existingAccount === undefined ? {} : { existingAccount: pulumi.secret(existingAccount) }),
      driver: driver.reference(),
      deploymentName: deployment.id,
      deploymentId: deployment.deploymentId,
      deploymentInfo: deployment.deploymentInfo,
      secretParameters: isSecretInput(args.parameters),
      logicalName: name,
      parent: parentUrn(opts),
    };
    super(
      "cosi",
      "DeploymentAccess",
      "deployment-access/provider",
      name,
      props,
      // The option would take precedence over what the provider says, who rotates in the other order.
      args.rotation === undefined ? pulumi.mergeOptions({ deleteBeforeReplace: true }, opts) : opts,
    );
  }
}
