import { targetOutput } from "./target-output";
import type { KubernetesTarget } from "./target";
import { stateFormat } from "../dynamic/state-format";

/** The object that a Secret or ConfigMap belongs to. */
export interface DataOwner {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** A deletion of the owner in the foreground waits for the object. @default false */
  blockOwnerDeletion?: boolean | null | undefined;
}

/** What a program says of an object that holds keys and values. */
export interface DataObjectInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  namespace: string;
  name: string;
  owner: DataOwner;
  /** As plain text. */
  data: Record<string, string>;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  finalizer?: string | null;
}

/** What is known of the object once it was written. */
export interface DataObjectRecord {
  uid: string | null;
  /** What a refresh found to be other than written. */
  drift?: string[] | null | undefined;
}

/** The inputs that all kinds have. */
export const dataObjectKeys = [
  "kubernetes",
  "namespace",
  "name",
  "owner",
  "data",
  "labels",
  "annotations",
  "finalizer",
] as const satisfies readonly (keyof DataObjectInputs)[];

/** What the state keeps of an object of any kind; each key is always there. */
export function dataObjectOutputs(outputs: DataObjectInputs & DataObjectRecord) {
  const { kubernetes, namespace, name, owner, data, labels, annotations, finalizer, uid, drift } = outputs;
  return {
    kubernetes: targetOutput(kubernetes),
    namespace,
    name,
    owner,
    data,
    labels: labels ?? null,
    annotations: annotations ?? null,
    finalizer: finalizer ?? null,
    uid,
    drift,
    schemaVersion: stateFormat,
  };
}
