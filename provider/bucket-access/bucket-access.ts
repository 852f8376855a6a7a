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
 * When the account of an access gives way to a new one, with keys of its own. The new account is granted and handed on
 * first; the old one works until everything that depends on the access has been updated, and is then revoked, at the end
 * of the same `up`. If that `up` fails or is killed, the next one completes it.
 */
export interface BucketAccessRotation {
  /**
   * Any value; a change of it rotates, and so does the first one that is given to an access which is there already. It
   * stands in the state as it is.
   *
   * @default none: no rotation but by `everyDays`
   */
  trigger?: pulumi.Input<string | number | boolean>;
  /**
   * Age in days from which the next `up` rotates; it counts from the last rotation, or from when it was first given.
   *
   * @default none: no rotation but by `trigger`
   */
  everyDays?: pulumi.Input<number>;
}

/**
 * An account that exists already, made by hand or by another tool, with its credentials. Nothing is sent to the driver for
 * it, neither a grant nor a revoke; a rotation hands over to an account of the driver's.
 */
export interface ExistingBucketAccount {
  /** The driver's, or the store's, id of the account. */
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

/** What an access needs to know of its bucket, which `cosi.Bucket` tells. */
export type AccessedBucket = Pick<Bucket, "id" | "bucketId" | "bucketInfo" | "driverResource">;

/** An account with credentials for one bucket. */
export interface BucketAccessArgs {
  /** The bucket: a `cosi.Bucket`. */
  bucket: AccessedBucket;
  /**
   * The driver that grants.
   *
   * @default The bucket's.
   */
  driver?: Driver;
  /**
   * Actions that the account may or may not do, in the driver's words, for a contract that has a field for them
   * (`cosi-2020-07`). A change replaces the access.
   *
   * @default none: what the driver gives by itself
   */
  policyActions?: pulumi.Input<PolicyActions>;
  /**
   * The platform's account that gets access, for a contract that has a field for it (`cosi-2020-07`) and the authentication
   * type `IAM`. A change replaces the access.
   *
   * @default none
   */
  serviceAccount?: pulumi.Input<{ namespace: pulumi.Input<string>; name: pulumi.Input<string> }>;
  /**
   * Name of the account that is sent to the driver: 1 to 63 letters, digits, dots and dashes, a letter or digit at both
   * ends. A change replaces the access.
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
   * `largeFields`. A change replaces the access.
   *
   * @default none: the driver's own defaults
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Protocol whose credentials are taken.
   *
   * @default The only one that the driver gives.
   */
  protocol?: pulumi.Input<CredentialProtocol>;
  /**
   * Name of the class that the parameters were copied from; while it stays, the copy stays.
   *
   * @default none: a change of the parameters is a change of the access
   */
  bucketAccessClassName?: pulumi.Input<string>;
  /**
   * URL of the store, where the driver does not tell it.
   *
   * @default what the driver tells; without either `null`, with a warning
   */
  endpoint?: pulumi.Input<string>;
  /**
   * Region of the store, where the driver does not tell it.
   *
   * @default what the driver tells; without either `null`, with a warning
   */
  region?: pulumi.Input<string>;
  /**
   * Takes NOT_FOUND in answer to the revoke as done. Some drivers say so of a missing administrator's secret, and the
   * key would then live on. For a `destroy`, which runs no program: PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When the account gives way to a new one. Taken away again, the account stays that it has led to. `--replace` on an
   * access with a rotation keeps its account: change the trigger.
   *
   * @default none: the account stays for the life of the access
   */
  rotation?: BucketAccessRotation;
  /**
   * Takes an account that exists over as it is. It is never revoked, and stays when the access is deleted or rotated.
   *
   * @default none: the driver grants an account
   */
  existingAccount?: ExistingBucketAccount;
  /** Kubernetes objects of an API model that tell of this access; set by the components. @internal */
  objects?: pulumi.Input<AccessObjects>;
}

/**
 * Access to a bucket: an account of its own, with credentials. Deleting it revokes the account; replacing it revokes
 * the old account first, and rotating it last.
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
  /** As granted: a class that is edited later changes no access. */
  declare readonly authenticationType: pulumi.Output<AuthenticationType>;
  /** All credentials, as every Secret layout takes them. Secret. */
  declare readonly credentials: pulumi.Output<Credentials>;
  /** S3: access key. Secret. */
  declare readonly accessKeyId: pulumi.Output<string | null>;
  /** S3: secret key. Secret. */
  declare readonly accessSecretKey: pulumi.Output<string | null>;
  /** Azure: shared access signature. Secret. */
  declare readonly accessToken: pulumi.Output<string | null>;
  /** URL of the store as the workload reaches it. */
  declare readonly endpoint: pulumi.Output<string | null>;
  /** Region of the store. */
  declare readonly region: pulumi.Output<string | null>;
  /** Azure: when the token ends, RFC 3339. */
  declare readonly expiry: pulumi.Output<string | null>;
  /** The credentials as the driver issued them, where the contract's revoke names them (`cosi-2020-07`). Secret. */
  declare readonly issued: pulumi.Output<readonly IssuedCredential[] | null>;
  /** When the driver granted the account, RFC 3339. */
  declare readonly grantedAt: pulumi.Output<string | null>;
  /** Changes with the credentials: in an annotation of a pod template it makes a rollout of a rotation. */
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
