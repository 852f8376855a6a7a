import * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy, ParametersChange } from "./state";
import type {
  AccessMode,
  AnonymousAccess,
  BucketInfo,
  IssuedCredential,
  Protocol,
} from "../contracts/contract";
import type { Driver } from "../driver-resource/driver";
import { refuseDeletedWith } from "../dynamic/deleted-with";
import { DynamicResource, parentUrn } from "../dynamic/resource";
import { isSecretInput } from "../dynamic/secret-input";
import { requireArguments } from "../inputs/core-arguments";
import type { BucketObjects } from "../models/model";
import type { RevokeNotFound } from "../run/revoke-outcome";

/** A bucket at a driver. */
export interface BucketArgs {
  driver: Driver;
  /**
   * Name sent to the driver: 1 to 63 letters, digits, dots and dashes, with a letter or digit at both ends. A change
   * replaces the bucket. If another stack gives the same name, it gets the same bucket, unless the driver refuses (as
   * `cosi-driver-s3` does), and under `Delete` a destroy of either stack deletes it for both: a name that holds the stack's
   * (`pulumi.getStack()`) is safe.
   *
   * @default Computed from the driver's seed and the resource's name; it does not change while the bucket is in the state.
   */
  name?: pulumi.Input<string>;
  /**
   * Parameters for the driver, sent unchanged: at most 4096 bytes for all keys and values together, unless the Driver
   * has `largeFields`. A change replaces the bucket.
   *
   * @default none: the driver's own defaults apply
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Protocol of the bucket, for the contracts whose calls name it (`cosi-2020-07`, `cosi-2020-02`). A change replaces the
   * bucket.
   *
   * @default "S3" with these contracts; the others have no field for it
   */
  protocol?: pulumi.Input<Protocol>;
  /**
   * What callers without credentials may do: nothing, read, write, or both. Only for the contract that has a field for
   * it (`cosi-2020-07`). It is sent only with the create; a later change is not sent, and a warning says so.
   *
   * @default "private"
   */
  anonymousAccess?: pulumi.Input<AnonymousAccess>;
  /**
   * What happens to the bucket in the backend when the resource is deleted or replaced: it is kept, or deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<DeletionPolicy>;
  /**
   * Longest wait, in seconds, for a delete that the driver reports as in progress. Only for the contract that tells this
   * from a failure (`cosi-2020-07`).
   *
   * @default 600
   */
  deleteTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Id of an existing bucket (brownfield). The driver is not asked to create it, and it is never deleted: only `Retain`
   * is allowed. With the contract `cosi-2020-02` the driver grants an account for it, which is revoked when this resource
   * goes.
   *
   * @default none: the driver creates the bucket
   */
  existingBucketId?: pulumi.Input<string>;
  /**
   * What else is known about an existing bucket, besides its id. Only for the contract `cosi-2020-02`, whose field names
   * are the keys: for S3 `region`, `endpoint`, `accessKeyId`, `userName`, `signatureVersion`; for GCS `projectId`,
   * `serviceAccount`; for Azure `storageAccountName`. A change replaces the account.
   *
   * @default none
   */
  bucketIdentifier?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * What the credentials that come with the bucket allow: read, write, or both. Only for the contract `cosi-2020-02`.
   * A change replaces the bucket.
   *
   * @default "rw"
   */
  accessMode?: pulumi.Input<AccessMode>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke of the bucket's account
   * (`cosi-2020-02`). Some drivers also answer it when the administrator's secret is missing; the key would then stay
   * alive. For `destroy`, which runs no program, set PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * Takes the name that was sent for the bucket's id, with a warning, when the driver returns no id: it answers OK with an
   * empty id, or ALREADY_EXISTS. For drivers whose ids are the names. If you set `name`, ALREADY_EXISTS may mean somebody
   * else's bucket: that bucket is taken over for good and never deleted, and only `Retain` is allowed.
   *
   * @default false
   */
  nameAsId?: pulumi.Input<boolean>;
  /**
   * Refuses a replacement that would delete the bucket. To allow one, set it to `false` and run `pulumi up` before the
   * change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Name of the class that parameters and policy were copied from. As long as it does not change, the copy is kept.
   *
   * @default none: a change of the parameters applies to the bucket
   */
  bucketClassName?: pulumi.Input<string>;
  /**
   * A change of the parameters is sent to the driver in a create with the same name, if it is documented to accept that, or
   * refused; set by the components.
   *
   * @internal
   */
  parametersChange?: ParametersChange;
  /**
   * The policy does not come from the class, and may change while the class name stays; set by the components.
   *
   * @internal
   */
  ownDeletionPolicy?: boolean;
  /** Kubernetes objects of an API model that describe this bucket; set by the components. @internal */
  objects?: pulumi.Input<BucketObjects>;
}

/**
 * A bucket, made by a driver or taken over by its id.
 *
 * The resource's id is the name sent to the driver (brownfield: the given id); the driver's own id is the output
 * `bucketId`. Replacing the resource deletes the old one first, according to its own policy.
 *
 * With the contract `cosi-2020-02` a bucket comes with an account: its credentials are the output `credentials`. If the
 * bucket is kept when the resource goes, the account is revoked. With the other contracts a {@link BucketAccess} grants
 * access.
 *
 * @example
 * ```ts
 * const photos = new cosi.Bucket("photos", { driver: store, deletionPolicy: "Delete" });
 * ```
 */
export class Bucket extends DynamicResource {
  /** Name that was sent to the driver; brownfield: the given id. */
  declare readonly name: pulumi.Output<string>;
  /** The driver's id of the bucket, byte for byte. */
  declare readonly bucketId: pulumi.Output<string>;
  /** What clients need to reach the bucket, if the driver reports it. */
  declare readonly bucketInfo: pulumi.Output<BucketInfo | null>;
  declare readonly deletionPolicy: pulumi.Output<DeletionPolicy>;
  /**
   * What a workload needs, if the bucket comes with its account (`cosi-2020-02`): `protocol` and the contract's fields,
   * such as `bucketName`, `endpoint`, `accessKeyId` and `secretKey`; `null` with the other contracts. Secret.
   */
  declare readonly credentials: pulumi.Output<Record<string, string> | null>;
  /** Changes whenever `credentials` does; `null` if there are none. */
  declare readonly checksum: pulumi.Output<string | null>;
  /** The account as the driver issued it (`cosi-2020-02`). Secret. @internal */
  declare readonly issued: pulumi.Output<IssuedCredential | null>;
  /** What deleting this resource does, in words. */
  declare readonly onDelete: pulumi.Output<string>;
  /** Name of the driver that the bucket belongs to. */
  readonly driverName: pulumi.Output<string>;
  readonly #driver: Driver;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi:Bucket";

  constructor(name: string, args: BucketArgs, opts: pulumi.CustomResourceOptions = {}) {
    requireArguments("Bucket", name, args);
    refuseDeletedWith("Bucket", name, opts);
    const outputs = {
      bucketId: undefined,
      bucketInfo: undefined,
      issued: undefined,
      credentials: undefined,
      checksum: undefined,
    };
    const { driver, ...inputs } = args;
    const props = {
      ...outputs,
      name: undefined,
      deletionPolicy: undefined,
      onDelete: undefined,
      ...inputs,
      driver: driver.reference(),
      secretParameters: isSecretInput(args.parameters),
      nameIsSecret: isSecretInput([args.name, args.existingBucketId]),
      logicalName: name,
      parent: parentUrn(opts),
    };
    super(
      "cosi",
      "Bucket",
      "bucket/provider",
      name,
      props,
      pulumi.mergeOptions({ deleteBeforeReplace: true }, opts),
    );
    this.driverName = driver.driverName;
    this.#driver = driver;
  }

  /** The resource of the driver that the bucket belongs to. @internal */
  driverResource(): Driver {
    return this.#driver;
  }
}
