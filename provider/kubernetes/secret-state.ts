import { select } from "../dynamic/select";
import { secretOutput } from "../dynamic/values";
import type { KubernetesTarget } from "./target";
import { targetOutput } from "./target-output";

/** The object that a Secret belongs to. */
export interface SecretOwner {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

export interface SecretInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  namespace: string;
  name: string;
  owner: SecretOwner;
  data: Record<string, string>;
  labels?: Record<string, string> | null;
  finalizer?: string | null;
  moves?: boolean | null;
  model?: string | null;
}

export interface SecretOutputs extends SecretInputs {
  uid: string | null;
  /** What a refresh found to be other than written. */
  drift?: string[] | null;
}

/** What a program gave, of what is kept. Pulumi types inputs and outputs alike here. */
export function inputsOf(outputs: SecretOutputs): SecretOutputs {
  const inputs = [
    "kubernetes",
    "namespace",
    "name",
    "owner",
    "data",
    "labels",
    "finalizer",
    "moves",
    "model",
  ] as const;
  return select(outputsOf(outputs), inputs) as SecretOutputs;
}

/** What the state keeps of a Secret. */
export function outputsOf(outputs: SecretOutputs): SecretOutputs {
  const { kubernetes, namespace, name, owner, data, labels, finalizer, moves, model, uid, drift } = outputs;
  const all = {
    kubernetes: targetOutput(kubernetes),
    namespace,
    name,
    owner,
    data: secretOutput(data),
    labels: labels ?? null,
    finalizer: finalizer ?? null,
    moves: moves ?? false,
    model: model ?? null,
    uid,
    drift,
    schemaVersion: 1,
  };
  return all as unknown as SecretOutputs;
}
