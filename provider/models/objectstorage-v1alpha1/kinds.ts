import type { KubernetesKind } from "../../kubernetes/object";

/** Group and version of the living COSI API. Source: COSI v0.2.2. */
export const group = "objectstorage.k8s.io";
export const apiVersion = `${group}/v1alpha1`;

/** Name of this API model; it stands in the state of every resource that has objects of it. */
export const modelName = apiVersion;

export const bucketKind: KubernetesKind = { apiVersion, kind: "Bucket", plural: "buckets" };
export const bucketClassKind: KubernetesKind = { apiVersion, kind: "BucketClass", plural: "bucketclasses" };
export const bucketClaimKind: KubernetesKind = { apiVersion, kind: "BucketClaim", plural: "bucketclaims" };
export const bucketAccessKind: KubernetesKind = {
  apiVersion,
  kind: "BucketAccess",
  plural: "bucketaccesses",
};
export const bucketAccessClassKind: KubernetesKind = {
  apiVersion,
  kind: "BucketAccessClass",
  plural: "bucketaccessclasses",
};

/** Finalizers of COSI v0.2.2. */
export const finalizers = {
  /** On a BucketClaim, while its Bucket exists. */
  claim: "cosi.objectstorage.k8s.io/bucketclaim-protection",
  /** On a Bucket, until the backend's bucket is dealt with. */
  bucket: "cosi.objectstorage.k8s.io/bucket-protection",
  /** On a Bucket, while there is an access to it. */
  bucketInUse: "cosi.objectstorage.k8s.io/bucketaccess-bucket-protection",
  /** On a BucketAccess, until it is revoked. */
  access: "cosi.objectstorage.k8s.io/bucketaccess-protection",
  /** On a Secret of credentials, until it is deleted before the revoke. */
  secret: "cosi.objectstorage.k8s.io/secret-protection",
} as const;

export { createSentAnnotation, revokeSentAnnotation } from "../claimed/annotations";

/** Name of the Deployment of COSI's own controller, which would act on the same claims. */
export const controllerDeployment = "container-object-storage-controller";
