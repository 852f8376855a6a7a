import type { KubernetesKind } from "../../kubernetes/object";
import type { ClaimedApi } from "../claimed/claimed-api";
import { groupAfter, requireGroupAfter } from "../group-of-model";

/** Group of the kinds that are published beside the contract. Source: Deployment Interface, DEP-091. */
export const defaultGroup = "platform.plural.sh";
const version = "v1alpha1";

const modelPrefix = "deployment-v1alpha1:";

/** The kinds, in one group. */
export interface Kinds {
  readonly group: string;
  readonly apiVersion: string;
  readonly deployment: KubernetesKind;
  readonly deploymentClass: KubernetesKind;
  readonly deploymentRequest: KubernetesKind;
  readonly deploymentAccess: KubernetesKind;
  readonly deploymentAccessClass: KubernetesKind;
}

/** The kinds in a group. */
export function kindsOf(group: string): Kinds {
  const apiVersion = `${group}/${version}`;
  const kind = (name: string, plural: string): KubernetesKind => ({ apiVersion, kind: name, plural });
  return {
    group,
    apiVersion,
    deployment: kind("Deployment", "deployments"),
    deploymentClass: kind("DeploymentClass", "deploymentclasses"),
    deploymentRequest: kind("DeploymentRequest", "deploymentrequests"),
    deploymentAccess: kind("DeploymentAccess", "deploymentaccesses"),
    deploymentAccessClass: kind("DeploymentAccessClass", "deploymentaccessclasses"),
  };
}

/** Name of this API model in a group; it stands in the state of every resource that has objects of it. */
export function modelNameOf(group: string): string {
  return `${modelPrefix}${group}`;
}

/** The group of this API model by its name, or `undefined` for another model. */
export function groupOfModel(modelName: string): string | undefined {
  return groupAfter(modelPrefix, modelName);
}

/** The kinds of this API model by its name. @throws Error for the name of another model. */
export function kindsOfModel(modelName: string): Kinds {
  return kindsOf(requireGroupAfter(modelPrefix, modelName));
}

/** On a request, Deployment, access and Secret, while the backend has something for it. Source: DEP-093. */
const protection = "deployment.pulumi-cosi/protection";

/** Finalizers of the objects; that of a Deployment in use is another one than its own. */
export const finalizers: ClaimedApi["finalizers"] = {
  claim: protection,
  bucket: protection,
  bucketInUse: "deployment.pulumi-cosi/in-use",
  access: protection,
  secret: protection,
};
