import { isRecord } from "../dynamic/values";
import type { KubernetesObject, OwnerReference } from "./object";
import type { SecretInputs } from "./secret-state";

/** A Secret as the API has it, its values in base64. */
export interface SecretObject extends KubernetesObject {
  data: Record<string, string>;
}

/** The object that the inputs describe. */
export function objectOf(inputs: SecretInputs): SecretObject {
  const { namespace, name, owner, data, labels } = inputs;
  const reference: OwnerReference = { ...owner, controller: true };
  return {
    type: "Opaque",
    metadata: {
      namespace,
      name,
      ...(isRecord(labels) ? { labels } : {}),
      ownerReferences: [reference],
      ...(typeof inputs.finalizer === "string" ? { finalizers: [inputs.finalizer] } : {}),
    },
    data: mapValues(data, (value) => Buffer.from(value).toString("base64")),
  };
}

/** In what an object differs from the one that was written, in words; never a value of its data. */
export function driftOf(found: KubernetesObject, inputs: SecretInputs): string[] {
  const { finalizers = [], ownerReferences = [], deletionTimestamp, labels = {} } = found.metadata;
  const drift: string[] = [];
  if (deletionTimestamp !== undefined) drift.push("is being deleted");
  if (typeof inputs.finalizer === "string" && !finalizers.includes(inputs.finalizer)) {
    drift.push(`finalizer ${inputs.finalizer} is missing`);
  }
  if (!ownerReferences.some(({ uid, controller }) => uid === inputs.owner.uid && controller === true)) {
    drift.push("ownerReference is not the controller's");
  }
  for (const [key, value] of Object.entries(inputs.labels ?? {})) {
    if (labels[key] !== value) drift.push(`label ${key} is ${labels[key] ?? "missing"}`);
  }
  return [...drift, ...dataDrift(inputs.data, decoded(found))];
}

/** Tells keys and no values; Pulumi shows the data itself as `[secret]`, whether it changed or not. */
function dataDrift(written: SecretInputs["data"], live: SecretInputs["data"]): string[] {
  const keys = [...new Set([...Object.keys(written), ...Object.keys(live)])];
  return keys
    .filter((key) => written[key] !== live[key])
    .map((key) => {
      if (live[key] === undefined) return `data key ${key} is missing`;
      return `data key ${key} was ${written[key] === undefined ? "added" : "changed"}`;
    });
}

/** The data of a Secret as plain text. */
export function decoded({ data }: KubernetesObject): Record<string, string> {
  return mapValues(isRecord(data) ? data : {}, (value) => Buffer.from(String(value), "base64").toString());
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
