import * as pulumi from "@pulumi/pulumi";
import type { BucketAccessRotation } from "../../provider/bucket-access/bucket-access";
import {
  DeploymentAccess as DriverAccess,
  type ExistingDeploymentAccount,
} from "../../provider/deployment-access/deployment-access";
import { accountPrefix } from "../../provider/models/deployment/names";
import type { RevokeNotFound } from "../../provider/run/revoke-outcome";
import { requireSameNamespace, writeAccess } from "../claimed/access-object";
import { requireSameDriver } from "../claimed/driver-names";
import { ComponentResource } from "../kubernetes/component-resource";
import { nameFromUid, type MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { given, requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import { entryKeys } from "../secrets/entry-keys";
import type { DeploymentAccessClass } from "./deployment-access-class";
import type { DeploymentRequest } from "./deployment-request";
import { scopeOf } from "./installation";

/** Access to a request's deployment, with credentials in a Secret. */
export interface DeploymentAccessArgs extends MetadataArgs, ClusterArgs {
  /** Namespace of the request. */
  namespace: pulumi.Input<string>;
  deploymentRequest: DeploymentRequest;
  deploymentAccessClass: DeploymentAccessClass;
  /**
   * Name of the Secret that the credentials are written to. It must not exist yet. It gets the keys that the driver returns;
   * if the driver returns several sets of keys, each key begins with the name of its set and a dot.
   */
  credentialsSecretName: pulumi.Input<string>;
  /**
   * Labels of the Secret.
   *
   * @default none
   */
  secretLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When to replace the account with a new one. The Secret is updated in place; the old account is revoked once everything
   * that depends on the access has been updated. The object lists its accounts in the annotation `pulumi-cosi/accounts`.
   *
   * @default none: the account stays for the life of the access
   */
  rotation?: BucketAccessRotation;
  /**
   * Takes over an existing account as it is: its credentials go into the Secret, and nothing is sent to the driver. It is
   * never revoked.
   *
   * @default none: the driver grants an account
   */
  existingAccount?: ExistingDeploymentAccount;
}

/**
 * A DeploymentAccess (platform.plural.sh/v1alpha1): an account of its own, and the Secret with its credentials. A change of
 * any argument replaces it and revokes the old account first; the exceptions are labels, annotations, rotation,
 * `revokeNotFound`, and the Secret's labels.
 *
 * @example
 * ```ts
 * const access = new cosi.deployment.DeploymentAccess("orders-rw", {
 *   namespace: "shop", deploymentRequest: orders, deploymentAccessClass: login, credentialsSecretName: "orders-login",
 * });
 * ```
 */
export class DeploymentAccess extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:deployment:DeploymentAccess";

  /** The driver's id of the account. */
  readonly accountId: pulumi.Output<string>;
  /** Name of the Secret, known once the Secret is written. */
  readonly secretName: pulumi.Output<string>;
  /** All credentials as the driver returned them: its entries, each with its keys. Secret. */
  readonly credentials: pulumi.Output<Record<string, Record<string, string>>>;
  /** When the driver granted the account, RFC 3339. */
  readonly grantedAt: pulumi.Output<string | null>;
  /** Changes with the credentials: put it in an annotation of a pod template, and a rotation rolls out the pods. */
  readonly checksum: pulumi.Output<string | null>;

  constructor(name: string, args: DeploymentAccessArgs, opts?: pulumi.ComponentResourceOptions) {
    super(DeploymentAccess.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["revokeNotFound", "rotation", "secretLabels"]);
    const { deploymentRequest, deploymentAccessClass } = args;
    orInvalid(scope, () => {
      requireGiven(args, "namespace", "deploymentRequest", "deploymentAccessClass", "credentialsSecretName");
    });
    const credentialsSecretName = judge<string, string>(scope, args.credentialsSecretName, (secret) =>
      given("credentialsSecretName", secret),
    );
    const namespace = pulumi.output(args.namespace);
    const place = judge<[string, string], unknown>(
      scope,
      [namespace, deploymentRequest.namespace],
      ([ownNamespace, requestNamespace]) => {
        requireSameNamespace(ownNamespace, requestNamespace, "request");
      },
    );
    const drivers = judge<[string, string], unknown>(
      scope,
      [deploymentAccessClass.driverName, deploymentRequest.driverName],
      ([ofClass, ofDeployment]) => {
        const words = { accessClass: "deploymentAccessClass", bucket: "deployment" };
        requireSameDriver(ofClass, ofDeployment, words);
      },
    );

    const { account, secretName, checksum } = writeAccess(scope, {
      api: scope.api,
      namespace,
      name: pulumi.output(args.name ?? name),
      args,
      claim: deploymentRequest,
      claimName: deploymentRequest.requestName,
      accessClass: deploymentAccessClass,
      credentialsSecretName,
      spec: {
        deploymentRequestName: deploymentRequest.requestName,
        deploymentAccessClassName: deploymentAccessClass.className,
        credentialsSecretName,
      },
      // The request's name stays when it is replaced, or its deployment; the deployment's name does not.
      identity: { deploymentName: deploymentRequest.deployment.id },
      warnings: pulumi.all([place, drivers]).apply(() => []),
      grant: (objects, uid, options) =>
        new DriverAccess(
          name,
          {
            deployment: deploymentRequest.deployment,
            name: nameFromUid(accountPrefix, uid),
            authenticationType: deploymentAccessClass.authenticationType,
            deploymentAccessClassName: deploymentAccessClass.className,
            parameters: deploymentAccessClass.parameters.apply((known) => known ?? {}),
            ...(args.revokeNotFound === undefined ? {} : { revokeNotFound: args.revokeNotFound }),
            ...(args.rotation === undefined ? {} : { rotation: args.rotation }),
            ...(args.existingAccount === undefined ? {} : { existingAccount: args.existingAccount }),
            objects,
          },
          options,
        ),
      data: ({ credentials }) => judge(scope, credentials, entryKeys),
    });
    this.accountId = account.accountId;
    this.secretName = secretName;
    this.credentials = account.credentials;
    this.grantedAt = account.grantedAt;
    this.checksum = checksum;
    this.registerOutputs({ accountId: this.accountId, secretName: this.secretName });
  }
}
