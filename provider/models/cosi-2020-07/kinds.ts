import type { KubernetesKind } from "../../kubernetes/object";
import { groupedModel } from "../group-of-model";

/** Group of the proposal's kinds. Source: COSI proposal of 2020-07-08, APIs. */
export const defaultGroup = "cosi.io";
const version = "v1alpha1";

/** The proposal's kinds, in one group. */
export interface Kinds {
  readonly group: string;
  readonly apiVersion: string;
  readonly bucket: KubernetesKind;
  readonly bucketClass: KubernetesKind;
  readonly bucketRequest: KubernetesKind;
  readonly bucketAccess: KubernetesKind;
  readonly bucketAccessClass: KubernetesKind;
  readonly bucketAccessRequest: KubernetesKind;
}

/** The kinds in a group, which another proposal's of the same names may share. */
export function kindsOf(group: string): Kinds {
  const apiVersion = `${group}/${version}`;
  const kind = (name: string, plural: string): KubernetesKind => ({ apiVersion, kind: name, plural });
  return {
    group,
    apiVersion,
    bucket: kind("Bucket", "buckets"),
    bucketClass: kind("BucketClass", "bucketclasses"),
    bucketRequest: kind("BucketRequest", "bucketrequests"),
    bucketAccess: kind("BucketAccess", "bucketaccesses"),
    bucketAccessClass: kind("BucketAccessClass", "bucketaccessclasses"),
    bucketAccessRequest: kind("BucketAccessRequest", "bucketaccessrequests"),
  };
}

/** The API model by its name, which ends with the group of its kinds. */
export const { modelNameOf, groupOfModel, kindsOfModel } = groupedModel("cosi-2020-07:", kindsOf);

/** On a BucketRequest, Bucket, BucketAccessRequest and BucketAccess, while the backend has something for it. */
export const finalizer = "cosi.io/finalizer";

/** Annotation on a Bucket that was made for a request: `<namespace>/<name>/<uid>` of that BucketRequest. */
export const requestAnnotation = "pulumi-cosi/bucket-request";

/** Annotation on a BucketAccess: `<namespace>/<name>/<uid>` of its BucketAccessRequest. */
export const accessRequestAnnotation = "pulumi-cosi/bucket-access-request";

/** Annotation on a Bucket: what the driver wants back in every call for it, as JSON. */
export const contextAnnotation = "pulumi-cosi/provider-context";

/** Annotation on a Bucket from before the first create call: the bucket may exist in the backend. */
export const createSentAnnotation = "pulumi-cosi/create-sent";

/**
 * Begins the annotations on a Bucket that announce a grant which is under way: its value is the binding that it will be.
 * It counts as one until the binding is written, so that no bucket goes while somebody gets access to it.
 */
export const grantingAnnotation = "pulumi-cosi/granting-";

/** Annotation on a BucketAccess from before a revoke until it is known that it had no effect. */
export const revokeSentAnnotation = "pulumi-cosi/revoke-sent";

/** Annotation on a BucketAccess: positions of the credentials that are revoked, as JSON. */
export const revokedAnnotation = "pulumi-cosi/revoked";
