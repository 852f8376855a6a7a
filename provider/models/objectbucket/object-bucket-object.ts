import { isRecord, sameValue } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { createKept } from "../../kubernetes/create-kept";
import { KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject, requireNotTerminating, type ObjectChange } from "../../kubernetes/metadata";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import type { KubernetesTarget } from "../../kubernetes/target";
import { removeFinalizers } from "../../kubernetes/finalizers";
import { untilGone } from "../../kubernetes/until-gone";
import { warn } from "../../run/warning";
import { annotationsOf, labelsOf } from "./claim-object";
import { apiVersion, claimRefAnnotation, finalizer, objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket, type ClaimReference, type ObjectBucketRecord } from "./records";
import type { Dialect } from "./status";
import { isWrittenBy } from "./written-by";

/** How clients reach a bucket, as an ObjectBucket tells it. Source: OBC-027. */
export interface BucketEndpointRecord {
  host: string;
  port: number;
  ssl: boolean;
  bucketName: string;
  region: string;
  subRegion: string;
  /** Of the claim. */
  additionalConfig: Record<string, string>;
}

/** What an ObjectBucket is made from. */
export interface ObjectBucketContent {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  claim: ClaimReference;
  name: string;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  provisioner: string;
  storageClassName: string;
  reclaimPolicy: string;
  endpoint: BucketEndpointRecord;
  additionalState: Record<string, string>;
  dialect: Dialect;
}

/**
 * Creates the ObjectBucket of a claim, or brings it to what it should be.
 *
 * @throws RefusedError for one of another claim.
 */
export async function writeObjectBucket(
  client: KubernetesClient,
  content: ObjectBucketContent,
  olds: Partial<ObjectBucketContent>,
): Promise<ObjectBucketRecord> {
  const reference = { name: content.name };
  let found = await client.get(objectBucketKind, reference);
  if (found?.metadata.deletionTimestamp !== undefined && isOwn(content, found)) {
    // OBC-081: one that somebody deletes is made anew as it was.
    const { uid } = found.metadata;
    await removeFinalizers(client, objectBucketKind, reference, uid, [finalizer]);
    await untilGone(client, objectBucketKind, reference, uid, [finalizer]);
    found = undefined;
  }
  if (found === undefined) {
    try {
      return await keepReference(
        client,
        content,
        await createKept(client, objectBucketKind, objectOf(content)),
      );
    } catch (error) {
      if (!(error instanceof KubernetesError && error.conflict)) throw error;
      found = await client.get(objectBucketKind, reference);
      if (found === undefined) throw error;
    }
  }
  const change = (object: KubernetesObject): ObjectChange | undefined => {
    requireOwn(content, object);
    requireNotTerminating(objectBucketKind, reference, object);
    const isSame =
      objectBucketDrift(object, content).filter(isOfContent).length === 0 &&
      sameValue(marksOf(olds), marksOf(content));
    return isSame ? undefined : changeOf(object, content, olds);
  };
  const written = await changeObject(client, objectBucketKind, reference, change, found);
  // What is gone by now is made anew.
  return keepReference(
    client,
    content,
    written ?? (await createKept(client, objectBucketKind, objectOf(content))),
  );
}

function changeOf(
  found: KubernetesObject,
  content: ObjectBucketContent,
  olds: Partial<ObjectBucketContent>,
): ObjectChange {
  const { metadata, spec } = objectOf(content);
  return {
    metadata: {
      labels: { ...withNulls(olds.labels), ...metadata.labels },
      annotations: { ...withNulls(olds.annotations), ...metadata.annotations },
      finalizers: [...new Set([...(found.metadata.finalizers ?? []), finalizer])],
    },
    spec: withoutOthers(found["spec"], spec),
  };
}

/** In what an ObjectBucket is other than it should be, in words. */
export function objectBucketDrift(
  found: KubernetesObject | undefined,
  content: ObjectBucketContent,
): string[] {
  const what = describe(objectBucketKind, { name: content.name });
  if (found === undefined) return [`${what} is gone`];
  const record = readObjectBucket(found);
  if (!isOwn(content, found)) return [`${what} is not that of the claim`];
  const drift: string[] = [];
  const { metadata } = found;
  if (record.deletionTimestamp !== undefined) drift.push(`${what} is being deleted`);
  if (record.phase !== "Bound") drift.push(`${phaseDrift} ${JSON.stringify(record.phaseText)}`);
  if (!record.isProtected) drift.push(`ObjectBucket's finalizer ${finalizer} is missing`);
  const wanted = objectOf(content);
  for (const [key, value] of Object.entries(wanted.metadata.labels ?? {})) {
    if (metadata.labels?.[key] !== value)
      drift.push(`ObjectBucket's label ${key} is ${metadata.labels?.[key] ?? "missing"}`);
  }
  for (const [key, value] of Object.entries(wanted.metadata.annotations ?? {})) {
    if (metadata.annotations?.[key] !== value)
      drift.push(`ObjectBucket's annotation ${key} is not what was written`);
  }
  return [...drift, ...specDrift(found, wanted)];
}

const phaseDrift = "ObjectBucket's phase is";

/** The phase is not part of what is patched. */
function isOfContent(difference: string): boolean {
  return !difference.startsWith(phaseDrift);
}

/** A field that the definition drops as a whole is none that somebody has changed. */
function specDrift(found: KubernetesObject, wanted: WantedObject): string[] {
  const live = isRecord(found["spec"]) ? found["spec"] : {};
  return Object.entries(wanted.spec)
    .filter(([key, value]) => !sameValue(live[key], value))
    .filter(([key]) => key !== "claimRef" || !isKeptElsewhere(found))
    .map(([key]) => `ObjectBucket's spec.${key} is not what was written`);
}

/** The definition drops the reference to the claim, and an annotation has it. */
function isKeptElsewhere({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[claimRefAnnotation] !== undefined;
}

function marksOf({ labels, annotations }: Partial<ObjectBucketContent>): unknown {
  return [labels ?? {}, annotations ?? {}];
}

interface WantedObject extends KubernetesObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Source: OBC-027 to OBC-031, OBC-058, OBC-059. */
function objectOf(content: ObjectBucketContent): WantedObject {
  const { claim, name, storageClassName, reclaimPolicy, additionalState, dialect } = content;
  const { host, port, ssl, ...rest } = content.endpoint;
  const endpoint = {
    bucketHost: host,
    bucketPort: port,
    bucketName: rest.bucketName,
    region: rest.region,
    subRegion: rest.subRegion,
    additionalConfig: rest.additionalConfig,
  };
  return {
    metadata: {
      name,
      labels: labelsOf(content.labels, content.provisioner),
      annotations: annotationsOf(content),
      finalizers: [finalizer],
    },
    spec: {
      storageClassName,
      reclaimPolicy,
      claimRef: referenceOf(claim),
      endpoint,
      additionalState,
      ...(dialect === "seed" ? { connection: { endpoint: { ...endpoint, ssl }, additionalState } } : {}),
    },
  };
}

function referenceOf({ namespace, name, uid }: ClaimReference): Record<string, string> {
  return { apiVersion, kind: objectBucketClaimKind.kind, namespace, name, uid };
}

/** OBC-018: a definition of others may drop the reference to the claim, without which nobody knows whose the object is. */
async function keepReference(
  client: KubernetesClient,
  { claim, name }: ObjectBucketContent,
  written: KubernetesObject,
): Promise<ObjectBucketRecord> {
  const record = readObjectBucket(written);
  if (isOfClaim(record, claim.uid)) return record;
  warn(
    objectBucketKind.kind,
    name,
    `the cluster's definition drops spec.claimRef, so it is kept in the annotation ${claimRefAnnotation}`,
  );
  const patched = await client.patch(
    objectBucketKind,
    { name },
    {
      metadata: {
        uid: record.uid,
        annotations: { [claimRefAnnotation]: JSON.stringify(referenceOf(claim)) },
      },
    },
  );
  return readObjectBucket(patched);
}

/** True for the ObjectBucket of the claim, and for ours from which somebody has taken the reference to it. */
function isOwn(content: ObjectBucketContent, found: KubernetesObject): boolean {
  const record = readObjectBucket(found);
  return (
    isOfClaim(record, content.claim.uid) || (record.claimRef === undefined && isWrittenBy(found, content))
  );
}

function requireOwn(content: ObjectBucketContent, found: KubernetesObject): void {
  const { claim, name } = content;
  if (isOwn(content, found)) return;
  throw new RefusedError(
    `${describe(objectBucketKind, { name })} exists and is not that of ${describe(objectBucketClaimKind, claim)} (UID ` +
      `${claim.uid}); it stays as it is: delete it first if nobody needs it`,
  );
}

/** A merge patch that leaves nothing of the maps which were there. */
function withoutOthers(live: unknown, wanted: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => {
      const before = isRecord(live) ? live[key] : undefined;
      return [
        key,
        isRecord(value) && isRecord(before) ? { ...nulls(before), ...withNested(before, value) } : value,
      ];
    }),
  );
}

function withNested(
  before: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return withoutOthers(before, wanted);
}

function nulls(map: Readonly<Record<string, unknown>>): Record<string, null> {
  return Object.fromEntries(Object.keys(map).map((key) => [key, null]));
}

function withNulls(map: Readonly<Record<string, string>> | null | undefined): Record<string, null> {
  return Object.fromEntries(Object.keys(map ?? {}).map((key) => [key, null]));
}
