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

/** A claim for a bucket with credentials: a new one, or one that was there before, as the class says. */
export interface ObjectBucketClaimArgs extends MetadataArgs, ClusterArgs {
  /** Namespace of the claim, its Secret and its ConfigMap. It has to be there. */
  namespace: pulumi.Input<string>;
  /**
   * The class that decides driver, parameters, policy and, where it names one, the bucket. Either this or
   * `storageClassName`.
   *
   * @default none: `storageClassName` is given
   */
  storageClass?: StorageClass;
  /**
   * Name of a class of the cluster, which is read when the claim is made.
   *
   * @default none: `storageClass` is given
   */
  storageClassName?: pulumi.Input<string>;
  /**
   * The driver that makes the calls.
   *
   * @default that of `storageClass`
   */
  driver?: Driver;
  /**
   * The provisioner that a class has to have whose claims this driver serves. With `storageClass` it is that of the class.
   *
   * @default `cosi.objectbucket.io/<name of the driver>`
   */
  provisioner?: pulumi.Input<string>;
  /**
   * Take a class of the cluster whose provisioner is that of an operator, such as `rook-ceph.ceph.rook.io/bucket`, where no
   * such operator serves it any more.
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
   * Begins the generated name, of which the claim's UID is the end: `<prefix>-<UID>`; of the prefix at most 26 characters
   * stand in it. A bucket that is there keeps its name.
   *
   * @default none: `bucketName` is given, or the class names the bucket
   */
  generateBucketName?: pulumi.Input<string>;
  /**
   * What `bucketName` and `generateBucketName` mean together: an error, or the former, as released operators have it.
   *
   * @default "error"
   */
  bothNames?: "error" | "preferBucketName";
  /**
   * How a generated name is made: from the prefix and the claim's UID, or from namespace and name with a hash of both, so that
   * it is the same again when the claim is.
   *
   * @default "prefixAndUid"
   */
  naming?: BucketNaming;
  /**
   * What a bucket of the name `bucketName` means that is there already and that the driver did not make: an error, or that it is
   * taken over. One that is taken over may be somebody else's: with `adopt` the bucket is never deleted, whatever the class
   * says. One that the driver has made under this name, as for a claim that has left it, it gives again without a word.
   *
   * @default "fail"
   */
  onExistingBucket?: "fail" | "adopt";
  /**
   * Requires that the class names a bucket which was there before, so that none is made by mistake.
   *
   * @default false
   */
  brownfield?: boolean;
  /**
   * Settings that the driver gets beside the parameters of the class, each a text: `maxObjects`, `maxSize`, and what the class
   * allows. What is not in it is left as it is; an empty text removes.
   *
   * @default none
   */
  additionalConfig?: pulumi.Input<Record<string, pulumi.Input<string>> | null>;
  /**
   * Keys that `additionalConfig` may have, for a class of the cluster; `storageClass` says it by itself.
   *
   * @default ["maxObjects", "maxSize"]
   */
  allowedAdditionalConfig?: readonly string[];
  /**
   * What a change of `additionalConfig` does to a bucket that is there: `replace` makes a new one, `resend` sends the create
   * again with the same name, for a driver that is documented to take it, as `cosi-driver-s3` is; not by the contract
   * `cosi-2020-02`, where that would issue other keys. COSI has no call for it. Not with `adopt`.
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
   * How the objects are written: as released operators do, or with the additional fields and the phases in lower case of the
   * design document, for readers that were written after that.
   *
   * @default "rook"
   */
  dialect?: Dialect;
  /**
   * Keys of Secret and ConfigMap: those of Rook and NooBaa (`AWS_ACCESS_KEY_ID`, `BUCKET_HOST`, …), those of the design
   * document (`ACCESS_KEY_ID`, `S3_BUCKET_HOST`, …), or both.
   *
   * @default ["rook", "seed"]; with `adopt` those that are there
   */
  keySets?: readonly KeySet[];
  /**
   * Further keys, each with the output that it tells: `{ configMap: { AWS_ENDPOINT_URL: "endpointUrl" } }`.
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
   * Name of the ConfigMap that tells how to reach the bucket.
   *
   * @default the name of the claim
   */
  configMapName?: pulumi.Input<string>;
  /**
   * How the ObjectBucket is named: `obc-<namespace>-<name>`, or with a hash at the end, for claims whose names would meet
   * (`a-b`/`c` and `a`/`b-c`).
   *
   * @default "plain"
   */
  objectBucketNaming?: ObjectBucketNaming;
  /**
   * Where clients reach the bucket: `https://s3.example.com`, or host and port. It goes before what the driver tells.
   *
   * @default what the driver tells, else the parameter `endpoint` of the class, else Rook's service of its object store
   */
  endpoint?: pulumi.Input<string>;
  /**
   * Region of the bucket. It goes before what the driver tells.
   *
   * @default with `adopt` what its ObjectBucket tells; what the driver tells, else the parameter `region` of the class, else `""`
   */
  region?: pulumi.Input<string>;
  /**
   * Has the driver empty the bucket when it is deleted, by its parameter `emptyOnDelete`, as `cosi-driver-s3` has it. It is
   * told with the create, so that a change is refused as one of `additionalConfig` is.
   *
   * @default false: a bucket that is not empty is not deleted
   */
  emptyOnDelete?: boolean;
  /**
   * Takes NOT_FOUND in answer to the revoke as done. Some drivers say so of a missing administrator's secret, and the key would
   * then live on. For a `destroy`, which runs no program: PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When the account gives way to a new one. Secret and ObjectBucket are updated in place; the old account is revoked when
   * everything that depends on the claim has been updated.
   *
   * @default none: the account stays for the life of the claim
   */
  rotation?: BucketAccessRotation;
  /**
   * Refuses a replacement that would delete the bucket. To let one pass, set it to `false` and run `pulumi up`
   * before the change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Takes a bound claim that is there as it is, with its ObjectBucket, Secret and ConfigMap: nothing is sent to the driver and
   * nothing is written, but for what `endpoint`, `region`, `keySets` and `extraKeys` say of Secret and ConfigMap. Its bucket is
   * never deleted, and its account never revoked; the claim is never replaced. The operator that made it must not serve it any
   * more. It stays in the program. Not with `rotation` or `configChange`, nor with the contract `cosi-2020-02`.
   *
   * @default false
   */
  adopt?: boolean;
}
