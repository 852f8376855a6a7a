import type { KubernetesKind } from "../../kubernetes/object";
import { groupedModel } from "../group-of-model";

/** Group of the proposal's kinds. Source: COSI proposal of 2020-02-27, Custom Resource Definitions. */
export const defaultGroup = "cosi.io";
const version = "v1alpha1";

/** The proposal's kinds, in one group. */
export interface Kinds {
  readonly group: string;
  readonly apiVersion: string;
  readonly bucket: KubernetesKind;
  readonly bucketContent: KubernetesKind;
  readonly bucketClass: KubernetesKind;
}

/** The kinds in a group, which another proposal's of the same names may share. */
export function kindsOf(group: string): Kinds {
  const apiVersion = `${group}/${version}`;
  const kind = (name: string, plural: string): KubernetesKind => ({ apiVersion, kind: name, plural });
  return {
    group,
    apiVersion,
    bucket: kind("Bucket", "buckets"),
    bucketContent: kind("BucketContent", "bucketcontents"),
    bucketClass: kind("BucketClass", "bucketclasses"),
  };
}

/** The API model by its name, which ends with the group of its kinds. */
export const { modelNameOf, groupOfModel, kindsOfModel } = groupedModel("cosi-2020-02:", kindsOf);

/** On a Bucket and a BucketContent, while the backend has something for them. */
export const finalizer = "cosi.io/finalizer";

/** Annotation on a BucketContent from before the first call that makes something: the backend may have it. */
export const createSentAnnotation = "pulumi-cosi/create-sent";

/** Namespace of source Secrets, unless the program names another one. Source: System Configuration; decided. */
export const defaultSourceNamespace = "cosi-system";

/** Annotation on a BucketContent from before the call that ends it until it is known that the call had no effect. */
export const endSentAnnotation = "pulumi-cosi/end-sent";

/** Annotation on a BucketContent: `<namespace>/<name>/<uid>` of the Bucket that it was made for. */
export const bucketAnnotation = "pulumi-cosi/bucket";
