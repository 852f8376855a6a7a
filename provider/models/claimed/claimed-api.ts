import type { BucketInfo } from "../../contracts/contract";
import type { KubernetesKind, KubernetesObject } from "../../kubernetes/object";
import type { AccessObjects } from "../model";

/**
 * The names of an API model in which a claim leads to a Bucket object of the cluster, and an access to it to an account with
 * a Secret. Its kinds may be called otherwise; those who act on them say claim, Bucket and access.
 */
export interface ClaimedApi {
  readonly kinds: {
    readonly claim: KubernetesKind;
    readonly bucket: KubernetesKind;
    readonly access: KubernetesKind;
  };
  readonly finalizers: {
    /** On a claim, while its Bucket exists. */
    readonly claim: string;
    /** On a Bucket, until what it stands for is dealt with in the backend. */
    readonly bucket: string;
    /** On a Bucket, while there is an access to it. Not the same as `bucket`. */
    readonly bucketInUse: string;
    /** On an access, until it is revoked. */
    readonly access: string;
    /** On a Secret of credentials, until it is deleted before the revoke. */
    readonly secret: string;
  };
  readonly fields: {
    /** In `spec` of a Bucket: the claim that it is for, as an object with `namespace`, `name` and `uid`. */
    readonly claim: string;
    /** In `spec` of a Bucket: name of the class that it is of. */
    readonly className: string;
    /** In `spec` of a claim: name of the static Bucket that it wants. */
    readonly existing: string;
    /** In `spec` of an access: name of its claim. */
    readonly claimName: string;
    /** In `status` of a Bucket, and of a claim: true once it may be used. */
    readonly ready: string;
    /** In `status` of a Bucket: its id in the backend. */
    readonly bucketId: string;
    /** In `status` of a claim: name of its Bucket. */
    readonly bucketName: string;
  };
  /** What the user calls them in the middle of a sentence. */
  readonly words: { readonly claim: string; readonly bucket: string };
  /** What is wrong with what the driver told of a Bucket, in words; `undefined` if it fits. @default all fits */
  readonly bucketProblem?: (
    bucket: KubernetesObject,
    info: BucketInfo | null | undefined,
  ) => string | undefined;
  /** What the user has to know of an access that was granted to a bucket, in words. @default nothing */
  readonly grantWarnings?: (objects: AccessObjects, bucketId: string) => readonly string[];
}
