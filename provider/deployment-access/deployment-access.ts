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

/** An existing account for a deployment, with its credentials. */
export interface ExistingDeploymentAccount {
  /** Id of the account at the driver. */
  accountId: pulumi.Input<string>;
  /** Its credentials as a driver would return them: entries, each with its keys and their values. Secret in the state. */
  credentials: pulumi.Input<Record<string, pulumi.Input<Record<string, pulumi.Input<string>>>>>;
}

/** What an access needs to know about its deployment; a `cosi.Deployment` has it. */
export type AccessedDeployment = Pick<
  Deployment,
  "id" | "deploymentId" | "deploymentInfo" | "driverResource"
>;

/** An account with credentials for one deployment. */
export interface DeploymentAccessArgs {
  /** The deployment: a `cosi.Deployment`. */
  deployment: AccessedDeployment;
  /**
   * The driver that grants access.
   *
   * @default The deployment's.
   */
  driver?: Driver;
  /**
   * Account name sent to the driver: 1 to 63 characters, at most 128 bytes. A change replaces the access. If another
   * stack gives the same name, it gets the same account, unless the driver refuses (as `deployment-driver-postgres` does), and a
   * destroy of either stack revokes it for both.
   *
   * @default Computed from the driver's seed and the resource's name.
   */
  name?: pulumi.Input<string>;
  /**
   * Keys (`Key`), or the platform's service account (`IAM`). Other spellings (`KEY`) are accepted with a warning.
   *
   * @default "Key"
   */
  authenticationType?: pulumi.Input<AuthenticationType>;
  /**
   * Parameters for the driver, sent unchanged: at most 4096 bytes for all keys and values together, unless the Driver
   * has `largeFields`. Without them the driver's own defaults apply. A change replaces the access.
   *
   * @default none
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Name of the class that the parameters were copied from. As long as it does not change, the copy is kept.
   *
   * @default none: a change of the parameters applies to the access
   */
  deploymentAccessClassName?: pulumi.Input<string>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke. For `destroy`, which runs no
   * program, set PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When to replace the account with a new one. If you remove the rotation, the current account stays. `--replace` on an
   * access with a rotation keeps its account: change the trigger instead.
   *
   * @default none: the account stays for the life of the access
   */
  rotation?: BucketAccessRotation;
  /**
   * Takes over an existing account as it is. It is never revoked, and stays when the access is deleted or rotated.
   *
   * @default none: the driver grants an account
   */
  existingAccount?: ExistingDeploymentAccount;
  /** Kubernetes objects of an API model that describe this access; set by the components. @internal */
  objects?: pulumi.Input<AccessObjects>;
}

/**
 * Access to a deployment: an account of its own, with credentials. Deleting it revokes the account. Replacing it revokes
 * the old account first; rotating it revokes the old account last.
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
  /** As granted: editing the class later changes no access. */
  declare readonly authenticationType: pulumi.Output<AuthenticationType>;
  /** All credentials as the driver returned them: its entries, each with its keys. Secret. */
  declare readonly credentials: pulumi.Output<Record<string, Record<string, string>>>;
  /** When the driver granted the account, RFC 3339. */
  declare readonly grantedAt: pulumi.Output<string | null>;
  /** Changes with the credentials: put it in an annotation of a pod template, and a rotation rolls out the pods. */
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
