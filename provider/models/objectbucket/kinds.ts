import type { KubernetesKind } from "../../kubernetes/object";

/** Group and version of object bucket claims. Source: Rook, object bucket provisioning design. */
export const group = "objectbucket.io";
export const apiVersion = `${group}/v1alpha1`;

/** Name of this API model; it stands in the state of every resource that has objects of it. */
export const modelName = apiVersion;

export const objectBucketClaimKind: KubernetesKind = {
  apiVersion,
  kind: "ObjectBucketClaim",
  plural: "objectbucketclaims",
};
export const objectBucketKind: KubernetesKind = {
  apiVersion,
  kind: "ObjectBucket",
  plural: "objectbuckets",
};
export const storageClassKind: KubernetesKind = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  plural: "storageclasses",
};

/** On claim, ObjectBucket, Secret and ConfigMap, until what they stand for is cleaned up. Source: OBC-059. */
export const finalizer = "objectbucket.io/finalizer";

/** Annotation on a claim from before the first create call: the backend may have its bucket. Value: a hash of the call. */
export const createSentAnnotation = "pulumi-cosi/create-sent";

/**
 * Annotation on a claim whose bucket has gone, or may have gone with its account: from before the call that ends both at once
 * until it is known to have had no effect, and from the end of any bucket until another one is made.
 */
export const endSentAnnotation = "pulumi-cosi/end-sent";

/** Annotation on a claim from before a revoke call until it is known that it had no effect. */
export const revokeSentAnnotation = "pulumi-cosi/revoke-sent";

/** Annotation on a claim: the driver's id of the account that was granted for it; empty while one is asked for. */
export const accountAnnotation = "pulumi-cosi/account";

/** Annotation on a claim: the driver's id of the account that was revoked last, until another one is granted. */
export const accountEndedAnnotation = "pulumi-cosi/account-ended";

/** Annotation on a claim: why the last run has failed. */
export const lastErrorAnnotation = "pulumi-cosi/last-error";

/** Annotation on an ObjectBucket whose definition drops `claimRef`: the same as JSON. */
export const claimRefAnnotation = "pulumi-cosi/claim-ref";

/** Name of the driver that a class of this package names as its provisioner begins with it. */
export const provisionerPrefix = "cosi.objectbucket.io/";
