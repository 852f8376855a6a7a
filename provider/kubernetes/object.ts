/** One kind of the Kubernetes API, as far as a request needs to know it: no discovery call is made. */
export interface KubernetesKind {
  /** `v1`, or `<group>/<version>`. */
  apiVersion: string;
  kind: string;
  /** Name in a URL: the plural in lower case. */
  plural: string;
}

/** Name of one object; `namespace` is left out for objects of the cluster. */
export interface ObjectReference {
  namespace?: string | null | undefined;
  name: string;
}

/** A reference to the object that owns another one, by UID. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** What this package reads and writes of an object's metadata. */
export interface ObjectMetadata {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

/** An object of the Kubernetes API, as the server sends it. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMetadata;
  [field: string]: unknown;
}

export const secretKind: KubernetesKind = { apiVersion: "v1", kind: "Secret", plural: "secrets" };
export const configMapKind: KubernetesKind = { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" };
export const namespaceKind: KubernetesKind = { apiVersion: "v1", kind: "Namespace", plural: "namespaces" };
export const serviceAccountKind: KubernetesKind = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
};
export const deploymentKind: KubernetesKind = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  plural: "deployments",
};
export const customResourceDefinitionKind: KubernetesKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
};

/** `<kind> <namespace>/<name>`, as messages write it. */
export function describe(kind: KubernetesKind, reference: ObjectReference): string {
  return `${kind.kind} ${pathOf(reference)}`;
}

/** `<namespace>/<name>`, or the name of an object of the cluster. */
export function pathOf(reference: ObjectReference): string {
  const { namespace = null, name } = reference;
  return namespace === null ? name : `${namespace}/${name}`;
}
