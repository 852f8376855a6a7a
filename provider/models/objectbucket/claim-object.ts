import type { ObjectChange } from "../../kubernetes/metadata";
import type { KubernetesObject } from "../../kubernetes/object";
import { ownerAnnotation, resourceAnnotation, stackIdAnnotation } from "../../kubernetes/ownership";
import { sameConfig } from "./additional-config";
import type { ClaimInputs } from "./claim-state";
import { brownfieldBucketOf, type ClaimClass } from "./class-parameters";
import { finalizer } from "./kinds";
import { provisionerLabel, provisionerLabelValue } from "./names";
import { readClaim } from "./records";

/** Labels of the objects of a claim: the user's, and the one that names its provisioner. Source: OBC-058. */
export function labelsOf(
  labels: Readonly<Record<string, string>> | null | undefined,
  provisioner: string,
): Record<string, string> {
  return { ...labels, [provisionerLabel]: provisionerLabelValue(provisioner) };
}

/** Annotations by which the objects of a claim are told from those of others, beside the user's. */
export function annotationsOf({
  annotations,
  owner,
  kubernetes,
  resource,
}: Pick<ClaimInputs, "annotations" | "owner" | "kubernetes" | "resource">): Record<string, string> {
  return {
    ...annotations,
    [ownerAnnotation]: owner,
    [stackIdAnnotation]: kubernetes?.stackId ?? "",
    [resourceAnnotation]: resource,
  };
}

/**
 * The claim as it is created. What it does not say has no key (OBC-026); what its class decides, it does not say (OBC-023).
 */
export function newClaim(inputs: ClaimInputs, { parameters }: ClaimClass): KubernetesObject {
  const { namespace, name, storageClassName, bucketName, generateBucketName, additionalConfig } = inputs;
  const isNamed = brownfieldBucketOf(parameters) === undefined;
  return {
    metadata: {
      namespace,
      name,
      labels: labelsOf(inputs.labels, inputs.provisioner),
      annotations: annotationsOf(inputs),
      finalizers: [finalizer],
    },
    spec: {
      storageClassName,
      ...(isNamed && isGiven(bucketName) ? { bucketName } : {}),
      ...(isNamed && isGiven(generateBucketName) ? { generateBucketName } : {}),
      ...(additionalConfig === undefined || additionalConfig === null ? {} : { additionalConfig }),
    },
  };
}

/**
 * What brings a claim to what it should be; `undefined` if it is so.
 *
 * @param bucket Name of the bucket in the backend.
 * @param olds What was written before.
 */
export function claimChange(
  object: KubernetesObject,
  inputs: ClaimInputs,
  bucket: string,
  olds: Pick<ClaimInputs, "labels" | "annotations">,
): ObjectChange | undefined {
  const { metadata } = object;
  const labels = changes(metadata.labels, labelsOf(inputs.labels, inputs.provisioner), olds.labels);
  const annotations = changes(metadata.annotations, annotationsOf(inputs), olds.annotations);
  const spec = specChanges(object, inputs, bucket);
  const finalizers = metadata.finalizers ?? [];
  const isProtected = finalizers.includes(finalizer);
  if (isProtected && [labels, annotations, spec].every((part) => Object.keys(part).length === 0))
    return undefined;
  return {
    metadata: {
      labels,
      annotations,
      ...(isProtected ? {} : { finalizers: [...finalizers, finalizer] }),
    },
    spec,
  };
}

/** In what a claim is other than it should be, in words. */
export function claimDrift(object: KubernetesObject, inputs: ClaimInputs, bucket: string): string[] {
  const { metadata } = object;
  const drift =
    metadata.finalizers?.includes(finalizer) === true ? [] : [`claim's finalizer ${finalizer} is missing`];
  for (const key of Object.keys(
    changes(metadata.labels, labelsOf(inputs.labels, inputs.provisioner), null),
  )) {
    drift.push(`claim's label ${key} is ${metadata.labels?.[key] ?? "missing"}`);
  }
  for (const key of Object.keys(changes(metadata.annotations, annotationsOf(inputs), null))) {
    drift.push(`claim's annotation ${key} is ${metadata.annotations?.[key] ?? "missing"}`);
  }
  const { storageClassName, bucketName, additionalConfig } = readClaim(object);
  if (storageClassName !== inputs.storageClassName)
    drift.push(`claim's spec.storageClassName is ${storageClassName}`);
  if (bucketName !== bucket) drift.push(`claim's spec.bucketName is ${JSON.stringify(bucketName)}`);
  if (!sameConfig(additionalConfig, inputs.additionalConfig))
    drift.push("claim's spec.additionalConfig was changed");
  return drift;
}

function specChanges(object: KubernetesObject, inputs: ClaimInputs, bucket: string): Record<string, unknown> {
  const { storageClassName, bucketName, additionalConfig } = readClaim(object);
  const wanted = inputs.additionalConfig ?? {};
  return {
    ...(storageClassName === inputs.storageClassName ? {} : { storageClassName: inputs.storageClassName }),
    ...(bucketName === bucket ? {} : { bucketName: bucket }),
    ...(sameConfig(additionalConfig, wanted) && sameKeys(additionalConfig, wanted)
      ? {}
      : { additionalConfig: { ...withNulls(additionalConfig), ...wanted } }),
  };
}

/** Entries that a merge patch has to bring: those that differ, and nothing for those that are no longer wanted. */
function changes(
  live: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>>,
  olds: Readonly<Record<string, string>> | null | undefined,
): Record<string, string | null> {
  const gone = Object.keys(olds ?? {}).filter((key) => !(key in wanted) && live?.[key] !== undefined);
  const other = Object.entries(wanted).filter(([key, value]) => live?.[key] !== value);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(other) };
}

function sameKeys(left: object, right: object): boolean {
  return Object.keys(left).sort().join() === Object.keys(right).sort().join();
}

function withNulls(map: object): Record<string, null> {
  return Object.fromEntries(Object.keys(map).map((key) => [key, null]));
}

function isGiven(text: string | null | undefined): text is string {
  return typeof text === "string" && text !== "";
}
