import type { KubernetesKind } from "../../kubernetes/object";
import type { ClaimedApi } from "../claimed/claimed-api";
import { groupedModel } from "../group-of-model";

/** Group of the kinds that are published beside the contract. Source: Deployment Interface, DEP-091. */
export const defaultGroup = "platform.plural.sh";
const version = "v1alpha1";

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

/** The API model by its name, which ends with the group of its kinds. */
export const { modelNameOf, groupOfModel, kindsOfModel } = groupedModel("deployment-v1alpha1:", kindsOf);

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
