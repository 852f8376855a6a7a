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
   * Name that is sent to the driver: 1 to 63 letters, digits, dots and dashes, a letter or digit at both ends. A change
   * replaces the bucket.
   *
   * @default Computed from the driver's seed and the resource's name; it stays as it is while the bucket is in the state.
   */
  name?: pulumi.Input<string>;
  /**
   * Parameters of the driver, sent as they are: at most 4096 bytes in all keys and values, unless the Driver has
   * `largeFields`. A change replaces the bucket.
   *
   * @default none: the driver's own defaults
   */
  parameters?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Protocol of the bucket, for a contract whose calls name it (`cosi-2020-07`, `cosi-2020-02`). A change replaces the
   * bucket.
   *
   * @default "S3" for such a contract; the others have no field for it
   */
  protocol?: pulumi.Input<Protocol>;
  /**
   * What callers without credentials may do, for a contract that asks for it (`cosi-2020-07`): nothing, read, write, or
   * both. It is sent at the create only; a later change reaches no driver, and a warning says so.
   *
   * @default "private"
   */
  anonymousAccess?: pulumi.Input<AnonymousAccess>;
  /**
   * What becomes of the bucket in the backend when the resource goes: kept, or deleted.
   *
   * @default "Retain"
   */
  deletionPolicy?: pulumi.Input<DeletionPolicy>;
  /**
   * Longest wait, in seconds, for a delete that the driver says is under way, with a contract that tells it from a failure
   * (`cosi-2020-07`).
   *
   * @default 600
   */
  deleteTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Id of a bucket that exists already (brownfield). The driver is not asked to create it, and it is never deleted:
   * only `Retain` goes with it. By the contract `cosi-2020-02` the driver grants an account of it, which ends with this
   * resource.
   *
   * @default none: the driver makes the bucket
   */
  existingBucketId?: pulumi.Input<string>;
  /**
   * What is known of a bucket that exists beside its id, for the contract `cosi-2020-02`, by the names of its fields: for S3
   * `region`, `endpoint`, `accessKeyId`, `userName`, `signatureVersion`; for GCS `projectId`, `serviceAccount`; for Azure
   * `storageAccountName`. A change replaces the account.
   *
   * @default none
   */
  bucketIdentifier?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * What the credentials that come with the bucket allow, for the contract `cosi-2020-02`: read, write, or both. A change
   * replaces the bucket.
   *
   * @default "rw"
   */
  accessMode?: pulumi.Input<AccessMode>;
  /**
   * Takes NOT_FOUND in answer to the revoke of the bucket's account (`cosi-2020-02`) as done. Some drivers say so of a
   * missing administrator's secret, and the key would then live on. For a `destroy`, which runs no program:
   * PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * Takes the name that is sent as the driver's id of the bucket where the driver does not tell one, with a warning: it
   * answers OK with an empty id, or ALREADY_EXISTS. For drivers whose ids are their names. Under a name of the user's
   * ALREADY_EXISTS may speak of somebody else's bucket; that one is taken over for good, never deleted, and only `Retain`
   * goes with it.
   *
   * @default false
   */
  nameAsId?: pulumi.Input<boolean>;
  /**
   * Refuses a replacement that would delete the bucket. To let one pass, set it to `false` and run `pulumi up`
   * before the change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Name of the class that parameters and policy were copied from; while it stays, the copy stays.
   *
   * @default none: a change of the parameters is a change of the bucket
   */
  bucketClassName?: pulumi.Input<string>;
  /**
   * A change of the parameters is sent to the driver by a create of the same name, for one that is documented to take it, or
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
  /** Kubernetes objects of an API model that tell of this bucket; set by the components. @internal */
  objects?: pulumi.Input<BucketObjects>;
}

/**
 * A bucket, made by a driver or taken over by its id.
 *
 * Its id is the name that is sent to the driver (brownfield: the given id); the driver's own id is the output
 * `bucketId`. Replacing it deletes the old one first, by its own policy.
 *
 * By the contract `cosi-2020-02` a bucket comes with an account: the credentials are the output `credentials`, and what
 * stays of the bucket when the resource goes has its account revoked. The other contracts grant by a {@link BucketAccess}.
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
  /** What clients need to reach the bucket, if the driver tells it. */
  declare readonly bucketInfo: pulumi.Output<BucketInfo | null>;
  declare readonly deletionPolicy: pulumi.Output<DeletionPolicy>;
  /**
   * What a workload needs, where the bucket comes with its account (`cosi-2020-02`): `protocol` and the contract's fields,
   * such as `bucketName`, `endpoint`, `accessKeyId` and `secretKey`; `null` by the other contracts. Secret.
   */
  declare readonly credentials: pulumi.Output<Record<string, string> | null>;
  /** Changes with `credentials`; `null` where there are none. */
  declare readonly checksum: pulumi.Output<string | null>;
  /** The account as the driver issued it (`cosi-2020-02`). Secret. @internal */
  declare readonly issued: pulumi.Output<IssuedCredential | null>;
  /** What a delete of this resource does, in words. */
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
