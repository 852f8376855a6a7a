import type * as pulumi from "@pulumi/pulumi";
import type { BucketAccessRotation } from "../../provider/bucket-access/bucket-access";
import type { Driver } from "../../provider/driver-resource/driver";
import type { BucketNaming, ObjectBucketNaming } from "../../provider/models/objectbucket/names";
import type { Dialect } from "../../provider/models/objectbucket/status";
import type { RevokeNotFound } from "../../provider/run/revoke-outcome";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import type { ExtraKeys, KeySet } from "../secrets/object-bucket-keys";
import type { StorageClass } from "./storage-class";

/** A claim for a bucket with credentials: a new bucket, or an existing one, as the class says. */
export interface ObjectBucketClaimArgs extends MetadataArgs, ClusterArgs {
  /** Namespace of the claim, its Secret and its ConfigMap. It must exist. */
  namespace: pulumi.Input<string>;
  /**
   * The class that decides driver, parameters, policy and, if it names one, the bucket. Either this or `storageClassName`.
   *
   * @default none: `storageClassName` is given
   */
  storageClass?: StorageClass;
  /**
   * Name of a class in the cluster, which is read when the claim is made.
   *
   * @default none: `storageClass` is given
   */
  storageClassName?: pulumi.Input<string>;
  /**
   * The driver that makes the calls.
   *
   * @default the driver of `storageClass`
   */
  driver?: Driver;
  /**
   * The provisioner that a class must have for this driver to serve its claims. With `storageClass` it is that of the class.
   *
   * @default `cosi.objectbucket.io/<name of the driver>`
   */
  provisioner?: pulumi.Input<string>;
  /**
   * Accept a class in the cluster whose provisioner is an operator's, such as `rook-ceph.ceph.rook.io/bucket`, if no such
   * operator serves it any more.
   *
   * @default false
   */
  allowOperatorProvisioner?: boolean;
  /**
   * Name of the bucket to make. A change replaces claim and bucket.
   *
   * @default none: a name is generated
   */
  bucketName?: pulumi.Input<string>;
  /**
   * Prefix of the generated name, `<prefix>-<UID of the claim>` unless `naming` says otherwise. At most 26 characters of the
   * prefix are used. An existing bucket keeps its name.
   *
   * @default none: `bucketName` is given, or the class names the bucket
   */
  generateBucketName?: pulumi.Input<string>;
  /**
   * What to do if both `bucketName` and `generateBucketName` are given: fail, or use the former, as released operators do.
   *
   * @default "error"
   */
  bothNames?: "error" | "preferBucketName";
  /**
   * How a name is generated: from the prefix and the claim's UID, or from the claim's namespace and name with a hash of both,
   * so that a claim of the same namespace and name gets the same name again.
   *
   * @default "prefixAndUid"
   */
  naming?: BucketNaming;
  /**
   * What to do if a bucket named `bucketName` already exists that the driver did not make: fail, or take it over (`adopt`).
   * As it may be somebody else's, with `adopt` the bucket is never deleted, whatever the class says. If the driver itself
   * made a bucket under this name before, such as one that an earlier claim has left, it returns that bucket without notice.
   *
   * @default "fail"
   */
  onExistingBucket?: "fail" | "adopt";
  /**
   * Requires the class to name an existing bucket, so that none is made by mistake.
   *
   * @default false
   */
  brownfield?: boolean;
  /**
   * Settings for the driver in addition to the parameters of the class, each a string: `maxObjects`, `maxSize`, and what the
   * class allows. What is left out stays as it is; an empty string removes a setting.
   *
   * @default none
   */
  additionalConfig?: pulumi.Input<Record<string, pulumi.Input<string>> | null>;
  /**
   * Keys that `additionalConfig` may have, for a class in the cluster; a `storageClass` says so itself.
   *
   * @default ["maxObjects", "maxSize"]
   */
  allowedAdditionalConfig?: readonly string[];
  /**
   * What a change of `additionalConfig` does to an existing bucket, as COSI has no call for it: `replace` makes a new bucket;
   * `resend` sends the create again with the same name, for a driver that is documented to accept that, as `cosi-driver-s3`
   * is. `resend` is not allowed with the contract `cosi-2020-02`, where it would issue other keys. Cannot be combined with
   * `adopt`.
   *
   * @default none: a change is refused
   */
  configChange?: "replace" | "resend";
  /**
   * Who does the work: this program (`direct`), or an operator of the cluster (`controller`), which is not available yet.
   *
   * @default "direct"
   */
  mode?: "direct";
  /**
   * How the objects are written: as released operators write them (`rook`), or with the design document's additional fields
   * and lower-case phases (`seed`), for readers that follow that document.
   *
   * @default "rook"
   */
  dialect?: Dialect;
  /**
   * Keys of Secret and ConfigMap: those of Rook and NooBaa (`rook`: `AWS_ACCESS_KEY_ID`, `BUCKET_HOST`, …), those of the
   * design document (`seed`: `ACCESS_KEY_ID`, `S3_BUCKET_HOST`, …), or both.
   *
   * @default ["rook", "seed"]; with `adopt` the keys that are there
   */
  keySets?: readonly KeySet[];
  /**
   * Further keys, each with the output that is its value: `{ configMap: { AWS_ENDPOINT_URL: "endpointUrl" } }`.
   *
   * @default none
   */
  extraKeys?: { readonly secret?: ExtraKeys; readonly configMap?: ExtraKeys };
  /**
   * Name of the Secret with the credentials.
   *
   * @default the name of the claim
   */
  secretName?: pulumi.Input<string>;
  /**
   * Name of the ConfigMap that says how to reach the bucket.
   *
   * @default the name of the claim
   */
  configMapName?: pulumi.Input<string>;
  /**
   * How the ObjectBucket is named: `obc-<namespace>-<name>`, or the same with a hash at the end, for claims whose
   * ObjectBuckets would otherwise have the same name (`a-b`/`c` and `a`/`b-c`).
   *
   * @default "plain"
   */
  objectBucketNaming?: ObjectBucketNaming;
  /**
   * Where clients reach the bucket: `https://s3.example.com`, or host and port. It overrides what the driver reports.
   *
   * @default what the driver reports, else the parameter `endpoint` of the class, else Rook's service of its object store
   */
  endpoint?: pulumi.Input<string>;
  /**
   * Region of the bucket. It overrides what the driver reports.
   *
   * @default with `adopt` what its ObjectBucket says; what the driver reports, else the class's parameter `region`, else `""`
   */
  region?: pulumi.Input<string>;
  /**
   * Makes the driver empty the bucket when the bucket is deleted. For drivers with a parameter `emptyOnDelete`, such as
   * `cosi-driver-s3`. The parameter is sent with the create, so a change is refused in the same way as one of
   * `additionalConfig`.
   *
   * @default false: a bucket that is not empty is not deleted
   */
  emptyOnDelete?: boolean;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke. Some drivers also answer it when the
   * administrator's secret is missing; the key would then stay alive. For `destroy`, which runs no program, set
   * PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When to replace the account with a new one. Secret and ObjectBucket are updated in place; the old account is revoked once
   * everything that depends on the claim has been updated.
   *
   * @default none: the account stays for the life of the claim
   */
  rotation?: BucketAccessRotation;
  /**
   * Refuses a replacement that would delete the bucket. To allow one, set it to `false` and run `pulumi up` before the
   * change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Takes over an existing bound claim as it is, with its ObjectBucket, Secret and ConfigMap. Nothing is sent to the driver,
   * and nothing is written except what `endpoint`, `region`, `keySets` and `extraKeys` say for Secret and ConfigMap. Its bucket
   * is never deleted, its account never revoked, and the claim never replaced. The operator that made it must not serve it any
   * more. Keep `adopt` in the program. It cannot be combined with `rotation`, `configChange` or the contract `cosi-2020-02`.
   *
   * @default false
   */
  adopt?: boolean;
}
