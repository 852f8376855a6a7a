import { isRecord } from "../dynamic/values";
import type { DataObjectInputs } from "./data-object-state";
import type { KubernetesKind, KubernetesObject, OwnerReference } from "./object";

/** How a kind of the API holds keys and values: in what a Secret and a ConfigMap differ. */
export interface DataForm {
  readonly kind: KubernetesKind;
  /** Fields of a new object beside `metadata` and `data`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** A value as the API has it, of plain text. */
  readonly encode: (value: string) => string;
  /** Plain text of a value as the API has it. */
  readonly decode: (value: string) => string;
}

/** An object with keys and values, as the API has it. */
export interface DataObject extends KubernetesObject {
  data: Record<string, string>;
}

/** The object that the inputs describe. */
export function objectOf(form: DataForm, inputs: DataObjectInputs): DataObject {
  const { namespace, name, data, labels, annotations } = inputs;
  return {
    ...form.fields,
    metadata: {
      namespace,
      name,
      ...(isRecord(labels) ? { labels } : {}),
      ...(isRecord(annotations) ? { annotations } : {}),
      ownerReferences: [ownerReference(inputs)],
      ...(typeof inputs.finalizer === "string" ? { finalizers: [inputs.finalizer] } : {}),
    },
    data: mapValues(data, form.encode),
  };
}

function ownerReference({ owner }: DataObjectInputs): OwnerReference {
  const { blockOwnerDeletion, ...reference } = owner;
  return { ...reference, controller: true, ...(blockOwnerDeletion === true ? { blockOwnerDeletion } : {}) };
}

/** In what an object differs from the one that was written, in words; never a value of its data. */
export function driftOf(form: DataForm, found: KubernetesObject, inputs: DataObjectInputs): string[] {
  const { finalizers = [], deletionTimestamp, labels, annotations } = found.metadata;
  const drift: string[] = [];
  if (deletionTimestamp !== undefined) drift.push("is being deleted");
  if (typeof inputs.finalizer === "string" && !finalizers.includes(inputs.finalizer)) {
    drift.push(`finalizer ${inputs.finalizer} is missing`);
  }
  const ofData = dataDrift(inputs.data, decoded(form, found));
  return [
    ...drift,
    ...ownerDrift(found, inputs),
    ...mapDrift("label", inputs.labels, labels),
    ...mapDrift("annotation", inputs.annotations, annotations),
    // Some clusters make every Secret immutable: one with the right data is as good.
    ...(isImmutable(found) && ofData.length > 0 ? ["is immutable"] : []),
    ...ofData,
  ];
}

/** True for an object of which the server takes no other data, where it has to have other data. */
export function isLocked(
  form: DataForm,
  found: KubernetesObject,
  { data }: Pick<DataObjectInputs, "data">,
): boolean {
  return isImmutable(found) && dataDrift(data, decoded(form, found)).length > 0;
}

/** True for a Secret or ConfigMap whose data the server changes no more, nor that it is so. */
export function isImmutable(object: KubernetesObject): boolean {
  return object["immutable"] === true;
}

function ownerDrift({ metadata }: KubernetesObject, { owner }: DataObjectInputs): string[] {
  const ours = metadata.ownerReferences?.find(({ uid }) => uid === owner.uid);
  if (ours?.controller !== true) return ["ownerReference is not the controller's"];
  if (owner.blockOwnerDeletion === true && ours.blockOwnerDeletion !== true) {
    return ["ownerReference does not block its owner's deletion"];
  }
  return [];
}

/** Entries that were written and are not there; others may add their own. */
function mapDrift(
  what: string,
  written: Readonly<Record<string, string>> | null | undefined,
  live: Readonly<Record<string, string>> = {},
): string[] {
  return Object.entries(written ?? {})
    .filter(([key, value]) => live[key] !== value)
    .map(([key]) => `${what} ${key} is ${live[key] ?? "missing"}`);
}

/** Tells keys and no values; Pulumi shows secret data itself as `[secret]`, whether it changed or not. */
function dataDrift(written: DataObjectInputs["data"], live: DataObjectInputs["data"]): string[] {
  const keys = [...new Set([...Object.keys(written), ...Object.keys(live)])];
  return keys
    .filter((key) => written[key] !== live[key])
    .map((key) => {
      if (live[key] === undefined) return `data key ${key} is missing`;
      return `data key ${key} was ${written[key] === undefined ? "added" : "changed"}`;
    });
}

/** The data of an object as plain text. */
export function decoded({ decode }: DataForm, { data }: KubernetesObject): Record<string, string> {
  return mapValues(isRecord(data) ? data : {}, (value) => decode(String(value)));
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
