import type { AnonymousAccess } from "../../contracts/contract";
import type { KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import type { PermittedNamespace } from "./specs";
import { bucketNameField, type ApiProtocol } from "../cosi-proposals/protocols";
import { stateFormat } from "../../dynamic/state-format";

export interface AdminBucketInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  model: string;
  name: string;
  /** The program gives no name. */
  isDefaultName?: boolean | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  provisioner: string;
  releasePolicy?: string | null;
  anonymousAccessMode: AnonymousAccess;
  permittedNamespaces: PermittedNamespace[];
  protocol: ApiProtocol;
  /** The member of `spec.protocol` that the protocol names. */
  protocolFields: Record<string, string>;
  parameters?: Record<string, string> | null;
  /** What a delete does, in words: the preview of a destroy shows inputs and asks no provider. */
  onDelete?: string;
}

export interface AdminBucketOutputs extends AdminBucketInputs {
  /** The permitted namespaces with the UIDs that were looked up. */
  permitted: PermittedNamespace[];
  /** What a refresh found to be other than written. */
  drift?: string[] | null;
  /** Of the object; a state of earlier releases has none. */
  uid?: string | null;
}

export const adminBucketInputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "model",
  "name",
  "isDefaultName",
  "labels",
  "annotations",
  "provisioner",
  "releasePolicy",
  "anonymousAccessMode",
  "permittedNamespaces",
  "protocol",
  "protocolFields",
  "parameters",
  "onDelete",
] as const satisfies readonly (keyof AdminBucketInputs)[];

/** The backend's name of the bucket, which this package did not make. */
export function backendBucketOf({ protocol, protocolFields }: AdminBucketInputs): string {
  return protocolFields[bucketNameField(protocol)] ?? "";
}

/** What the state keeps of an admin's Bucket. */
export function adminBucketOutputs(outputs: AdminBucketOutputs): AdminBucketOutputs {
  const { kubernetes, owner, resource, model, name, provisioner, anonymousAccessMode } = outputs;
  const { permittedNamespaces, permitted, protocol, protocolFields, onDelete } = outputs;
  const all = {
    kubernetes: targetOutput(kubernetes),
    owner,
    resource,
    model,
    name,
    isDefaultName: outputs.isDefaultName ?? null,
    labels: outputs.labels ?? null,
    annotations: outputs.annotations ?? null,
    provisioner,
    releasePolicy: outputs.releasePolicy ?? "Retain",
    anonymousAccessMode,
    permittedNamespaces,
    permitted,
    protocol,
    protocolFields,
    parameters: outputs.parameters ?? null,
    ...(onDelete === undefined ? {} : { onDelete }),
    drift: outputs.drift ?? [],
    uid: outputs.uid ?? null,
    schemaVersion: stateFormat,
  };
  return all;
}
