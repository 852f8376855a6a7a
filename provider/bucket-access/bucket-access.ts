import * as pulumi from "@pulumi/pulumi";
import type { Bucket } from "../bucket/bucket";
import type { AuthenticationType, IssuedCredential, PolicyActions } from "../contracts/contract";
import type { CredentialProtocol, Credentials } from "../credentials/credentials";
import type { Driver } from "../driver-resource/driver";
import { refuseDeletedWith } from "../dynamic/deleted-with";
import { ignoringInputs } from "../dynamic/ignored-inputs";
import { DynamicResource, parentUrn } from "../dynamic/resource";
import { isSecretInput } from "../dynamic/secret-input";
import { requireArguments } from "../inputs/core-arguments";
import type { AccessObjects } from "../models/model";
import type { RevokeNotFound } from "../run/revoke-outcome";

/**
 * When to replace the account of an access with a new one, which has keys of its own. The new account is granted and
 * handed on first. The old one works until everything that depends on the access has been updated, and is then revoked,
 * at the end of the same `up`. If that `up` fails or is killed, the next one completes the rotation.
 */
export interface BucketAccessRotation {
  /**
   * Any value. Changing it rotates, and so does setting it for the first time on an existing access. It is stored in the
   * state as it is.
   *
   * @default none: only `everyDays` rotates
   */
  trigger?: pulumi.Input<string | number | boolean>;
  /**
   * Age in days at which the next `up` rotates, counted from the last rotation, or from when it was first set.
   *
   * @default none: only `trigger` rotates
   */
  everyDays?: pulumi.Input<number>;
}

/**
 * An existing account, made by hand or by another tool, with its credentials. Nothing is sent to the driver for it,
 * neither a grant nor a revoke. A rotation replaces it with an account that the driver grants.
 */
export interface ExistingBucketAccount {
  /** Id of the account at the driver, or at the store. */
  accountId: pulumi.Input<string>;
  /**
   * S3: access key; with `accessSecretKey`.
   *
   * @default none: `accessToken` is given
   */
  accessKeyId?: pulumi.Input<string>;
  /**
   * S3: secret key. Secret in the state.
   *
   * @default none: `accessToken` is given
   */
  accessSecretKey?: pulumi.Input<string>;
  /**
   * Azure: shared access signature. Secret in the state.
   *
   * @default none: the keys are given
   */
  accessToken?: pulumi.Input<string>;
}

/** What an access needs to know about its bucket; a `cosi.Bucket` has it. */
export type AccessedBucket = Pick<Bucket, "id" | "bucketId" | "bucketInfo" | "driverResource">;

/** An account with credentials for one bucket. */
export interface BucketAccessArgs {
  /** The bucket: a `cosi.Bucket`. */
  bucket: AccessedBucket;
  /**
   * The driver that grants access.
   *
   * @default The bucket's.
   */
  driver?: Driver;
  /**
   * Actions that the account is allowed or denied, in the driver's own terms. Only for the contract that has a field for
   * them (`cosi-2020-07`). A change replaces the access.
   *
   * @default none: the driver's own default applies
   */
  policyActions?: pulumi.Input<PolicyActions>;
  /**
   * The platform's service account that gets access. Only for the contract that has a field for it (`cosi-2020-07`), with
   * authentication type `IAM`. A change replaces the access.
   *
   * @default none
   */
  serviceAccount?: pulumi.Input<{ namespace: pulumi.Input<string>; name: pulumi.Input<string> }>;
  /**
   * Account name sent to the driver: 1 to 63 letters, digits, dots and dashes, with a letter or digit at both ends. A
   * change replaces the access. If another stack gives the same name, it gets the same account, unless the driver refuses
   * (as `cosi-driver-s3` does), and a destroy of either stack revokes it for both.
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
   * has `largeFields`. A change replaces the access.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Protocol whose credentials are used.
   *
   * @default The only one that the driver returns.
   */
  protocol?: pulumi.Input<CredentialProtocol>;
  /**
   * Name of the class that the parameters were copied from. As long as it does not change, the copy is kept.
   *
   * @default none: a change of the parameters applies to the access
   */
  bucketAccessClassName?: pulumi.Input<string>;
  /**
   * URL of the store, if the driver does not report it.
   *
   * @default what the driver reports; if neither is known, `null` with a warning
   */
  endpoint?: pulumi.Input<string>;
  /**
   * Region of the store, if the driver does not report it.
   *
   * @default what the driver reports; if neither is known, `null` with a warning
   */
  region?: pulumi.Input<string>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke. Some drivers also answer it
   * when the administrator's secret is missing; the key would then stay alive. For `destroy`, which runs no program, set
   * PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
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
  existingAccount?: ExistingBucketAccount;
  /** Kubernetes objects of an API model that describe this access; set by the components. @internal */
  objects?: pulumi.Input<AccessObjects>;
}

/**
 * Access to a bucket: an account of its own, with credentials. Deleting it revokes the account. Replacing it revokes
 * the old account first; rotating it revokes the old account last.
 *
 * @example
 * ```ts
 * const access = new cosi.BucketAccess("photos-rw", { bucket: photos });
 * export const accessKeyId = access.accessKeyId;
 * ```
 */
export class BucketAccess extends DynamicResource {
  /** Name of the account that was sent to the driver. */
  declare readonly name: pulumi.Output<string>;
  /** The driver's id of the account, byte for byte. */
  declare readonly accountId: pulumi.Output<string>;
  /** As granted: editing the class later changes no access. */
  declare readonly authenticationType: pulumi.Output<AuthenticationType>;
  /** All credentials, in the form that every Secret layout takes. Secret. */
  declare readonly credentials: pulumi.Output<Credentials>;
  /** S3: access key. Secret. */
  declare readonly accessKeyId: pulumi.Output<string | null>;
  /** S3: secret key. Secret. */
  declare readonly accessSecretKey: pulumi.Output<string | null>;
  /** Azure: shared access signature. Secret. */
  declare readonly accessToken: pulumi.Output<string | null>;
  /** URL at which the workload reaches the store. */
  declare readonly endpoint: pulumi.Output<string | null>;
  /** Region of the store. */
  declare readonly region: pulumi.Output<string | null>;
  /** Azure: when the token expires, RFC 3339. */
  declare readonly expiry: pulumi.Output<string | null>;
  /** The credentials as the driver issued them, if the contract's revoke names them (`cosi-2020-07`). Secret. */
  declare readonly issued: pulumi.Output<readonly IssuedCredential[] | null>;
  /** When the driver granted the account, RFC 3339. */
  declare readonly grantedAt: pulumi.Output<string | null>;
  /** Changes with the credentials: put it in an annotation of a pod template, and a rotation rolls out the pods. */
  declare readonly checksum: pulumi.Output<string | null>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi:BucketAccess";

  constructor(name: string, args: BucketAccessArgs, options: pulumi.CustomResourceOptions = {}) {
    requireArguments("BucketAccess", name, args);
    refuseDeletedWith("BucketAccess", name, options);
    const opts = ignoringInputs(options, {
      bucket: ["bucketName", "bucketId", "bucketInfo"],
      endpoint: ["defaultEndpoint"],
      region: ["defaultRegion"],
    });
    const { bucket, driver = bucket.driverResource(), endpoint, region, existingAccount, ...inputs } = args;
    const outputs = {
      name: undefined,
      authenticationType: undefined,
      accountId: undefined,
      issued: undefined,
      credentials: undefined,
      accessKeyId: undefined,
      accessSecretKey: undefined,
      accessToken: undefined,
      endpoint: undefined,
      region: undefined,
      expiry: undefined,
      grantedAt: undefined,
      checksum: undefined,
    };
    const props = {
      ...outputs,
      ...inputs,
      ...(existingAccount === undefined ? {} : { existingAccount: pulumi.secret(existingAccount) }),
      ...(endpoint === undefined ? {} : { defaultEndpoint: endpoint }),
      ...(region === undefined ? {} : { defaultRegion: region }),
      secretEndpoint: isSecretInput(endpoint),
      secretRegion: isSecretInput(region),
      driver: driver.reference(),
      bucketName: bucket.id,
      bucketId: bucket.bucketId,
      bucketInfo: bucket.bucketInfo,
      secretParameters: isSecretInput(args.parameters),
      nameIsSecret: isSecretInput(args.name),
      logicalName: name,
      parent: parentUrn(opts),
    };
    super(
      "cosi",
      "BucketAccess",
      "bucket-access/provider",
      name,
      props,
      // The option would take precedence over what the provider says, who rotates in the other order.
      args.rotation === undefined ? pulumi.mergeOptions({ deleteBeforeReplace: true }, opts) : opts,
    );
  }
}
