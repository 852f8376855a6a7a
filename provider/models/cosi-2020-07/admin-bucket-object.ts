import { sameValue } from "../../dynamic/values";
import type { KubernetesObject } from "../../kubernetes/object";
import { ownerAnnotation, resourceAnnotation, stackIdAnnotation } from "../../kubernetes/ownership";
import type { AdminBucketInputs, AdminBucketOutputs } from "./admin-bucket-state";
import { readBucket, type BucketRecord } from "./records";
import { protocolFields, type PermittedNamespace } from "./specs";
import { apiProtocols } from "../cosi-proposals/protocols";

/** The Bucket that a program describes. What binding writes is not of it: K07-087. */
export function objectOf(
  inputs: AdminBucketInputs,
  permitted: readonly PermittedNamespace[],
): KubernetesObject {
  const { name, labels, protocol, protocolFields: fields, parameters } = inputs;
  const { provisioner, anonymousAccessMode } = inputs;
  return {
    metadata: { name, labels: { ...labels }, annotations: annotationsOf(inputs) },
    spec: {
      provisioner,
      releasePolicy: "Retain",
      anonymousAccessMode,
      permittedNamespaces: permitted,
      protocol: { protocolSignature: protocol, [protocol]: fields },
      ...(parameters === undefined || parameters === null ? {} : { parameters }),
    },
  };
}

/**
 * The merge patch that brings a Bucket to what a program describes, fields of others left as they are.
 *
 * @param olds What was written before, for what the program leaves out now.
 */
export function patchOf(
  inputs: AdminBucketInputs,
  permitted: readonly PermittedNamespace[],
  olds: AdminBucketInputs | undefined,
  found: KubernetesObject,
): unknown {
  const { labels, protocol, protocolFields: fields, parameters } = inputs;
  const { provisioner, anonymousAccessMode } = inputs;
  const members = Object.fromEntries(apiProtocols.map((member) => [member, null]));
  const absent = Object.fromEntries(protocolFields[protocol].map((field) => [field, null]));
  return {
    metadata: {
      // Another object of the name is refused.
      uid: found.metadata.uid,
      labels: { ...withNulls(olds?.labels), ...labels },
      annotations: { ...withNulls(olds?.annotations), ...annotationsOf(inputs) },
    },
    spec: {
      provisioner,
      releasePolicy: "Retain",
      anonymousAccessMode,
      permittedNamespaces: permitted,
      protocol: { protocolSignature: protocol, ...members, [protocol]: { ...absent, ...fields } },
      parameters: { ...withNulls(readBucket(found).parameters), ...parameters },
    },
  };
}

function annotationsOf({
  annotations,
  owner,
  resource,
  kubernetes,
}: AdminBucketInputs): Record<string, string> {
  return {
    ...annotations,
    [ownerAnnotation]: owner,
    [resourceAnnotation]: resource,
    [stackIdAnnotation]: kubernetes?.stackId ?? "",
  };
}

/** The keys of a map, each to be removed by a merge patch. */
function withNulls(map: Readonly<Record<string, string>> | null | undefined): Record<string, null> {
  return Object.fromEntries(Object.keys(map ?? {}).map((key) => [key, null]));
}

/** In what a Bucket differs from the one that was written, in words; what binding writes is no difference. */
export function driftOf(found: KubernetesObject, written: AdminBucketOutputs): string[] {
  const live = readBucket(found);
  const { labels = {}, annotations = {} } = found.metadata;
  return [
    ...fieldDrift("provisioner", live, written.provisioner),
    ...fieldDrift("releasePolicy", live, "Retain"),
    ...fieldDrift("anonymousAccessMode", live, written.anonymousAccessMode),
    ...fieldDrift("protocol", live, written.protocol),
    ...mapDrift("protocol field", live.protocolFields, written.protocolFields),
    ...mapDrift("parameter", live.parameters, written.parameters ?? {}),
    ...(sameValue(live.permittedNamespaces, written.permitted)
      ? []
      : ["spec.permittedNamespaces has changed"]),
    ...mapDrift("label", select(labels, written.labels), written.labels ?? {}),
    ...mapDrift("annotation", select(annotations, annotationsOf(written)), annotationsOf(written)),
  ];
}

function fieldDrift(
  field: "provisioner" | "releasePolicy" | "anonymousAccessMode" | "protocol",
  live: BucketRecord,
  written: string,
): string[] {
  const now = live[field] ?? "absent";
  return now === written
    ? []
    : [`spec.${field} is ${JSON.stringify(now)}, written was ${JSON.stringify(written)}`];
}

/** Tells keys and no values: a program may have marked them as secret. */
function mapDrift(
  what: string,
  live: Readonly<Record<string, string>>,
  written: Readonly<Record<string, string>>,
): string[] {
  const keys = [...new Set([...Object.keys(written), ...Object.keys(live)])];
  return keys
    .filter((key) => live[key] !== written[key])
    .map((key) => {
      if (live[key] === undefined) return `${what} ${key} is missing`;
      return `${what} ${key} was ${written[key] === undefined ? "added" : "changed"}`;
    });
}

/** The entries of a map that another one has too; the rest is of others. */
function select(
  map: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> | null | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => own?.[key] !== undefined));
}
