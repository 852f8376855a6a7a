import { isRecord, sameValue } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { createKept } from "../../kubernetes/create-kept";
import { KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject, requireNotTerminating, swap, type ObjectChange } from "../../kubernetes/metadata";
import { refuseForeign } from "../../kubernetes/foreign-object";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { isOfStack, markDrift, marksOf, resourceAnnotation } from "../../kubernetes/ownership";
import { isOurs } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import { untilGone } from "../../kubernetes/until-gone";
import { createSentAnnotation } from "./annotations";
import type { BindingInputs, BindingOutputs } from "./binding-state";
import type { ClaimedApi } from "./claimed-api";
import { heldBy, leftBehindText } from "../left-behind";
import { bucketStatus } from "./status";

type Written = Pick<
  BindingInputs,
  "owner" | "resource" | "kubernetes" | "claim" | "bucketClass" | "bucketFields"
>;

/**
 * Writes the Bucket object of a claim, or brings the one of an earlier run to what it has to say.
 *
 * @param writers Who writes it now, then as the state has it.
 * @param uid Of the object, as the state has it.
 * @returns its UID.
 * @throws RefusedError for an object of somebody else, and for one that is being deleted.
 */
export async function writeMadeBucket(
  client: KubernetesClient,
  api: ClaimedApi,
  name: string,
  writers: readonly [Written, ...Written[]],
  uid: string | null | undefined,
): Promise<string> {
  const [inputs] = writers;
  const kind = api.kinds.bucket;
  const object = objectOf(api, name, inputs);
  let conflict: KubernetesError;
  // OS1-054: held from its first moment, which saves the bucket's resource a write.
  const metadata = { ...object.metadata, finalizers: [api.finalizers.bucket] };
  try {
    return uidOf(await createKept(client, kind, { ...object, metadata }));
  } catch (error) {
    if (!(error instanceof KubernetesError && error.conflict)) throw error;
    conflict = error;
  }
  await refuseForeign(client, kind, { name }, writers, uid);
  const written = await changeObject(client, kind, { name }, (found) => {
    requireNotTerminating(kind, { name }, found);
    return patchOf(found, object);
  });
  if (written === undefined) throw conflict;
  return uidOf(written);
}

/**
 * Deletes the Bucket object that a binding has made, and waits until it is gone; one of somebody else stays.
 *
 * @throws RefusedError, before anything is deleted, for one that our finalizers hold: no resource would take them off.
 */
export async function deleteMadeBucket(
  client: KubernetesClient,
  api: ClaimedApi,
  binding: BindingOutputs,
): Promise<void> {
  const kind = api.kinds.bucket;
  const reference = { name: binding.bucketName };
  const deletion = async (found: KubernetesObject): Promise<string | undefined> => {
    if (!isMadeBy(api, found, binding)) {
      warn(kind.kind, reference.name, "is not the one of this stack, so it stays");
      return undefined;
    }
    const { uid } = found.metadata;
    if (uid === undefined) return undefined;
    const free = await freed(client, api, found);
    const { resourceVersion } = free.metadata;
    refuseLeftBehind(api, free);
    const isGone = await client.delete(kind, reference, { uid, resourceVersion });
    return isGone ? undefined : uid;
  };
  const own = ownFinalizers(api);
  const known = client.lastWritten(kind, reference);
  // One that was held as we wrote it may have been let go since.
  const free = known !== undefined && heldBy(known, own).length === 0 ? known : undefined;
  const deleted = await swap(client, kind, reference, deletion, free);
  if (deleted !== undefined) await untilGone(client, kind, reference, deleted, own);
}

function ownFinalizers({ finalizers }: ClaimedApi): string[] {
  return [finalizers.bucket, finalizers.bucketInUse];
}

/** What ends a bucket or an account takes its finalizer off: it is on, so nobody has ended it. */
function refuseLeftBehind(api: ClaimedApi, found: KubernetesObject): void {
  const { kinds, finalizers, words } = api;
  const held = heldBy(found, ownFinalizers(api));
  if (held.length === 0) return;
  const { bucketId } = bucketStatus(api, found);
  const what = held.includes(finalizers.bucket)
    ? `its ${words.bucket}${bucketId === "" ? "" : ` ${JSON.stringify(bucketId)}`}`
    : "an account of it";
  throw new RefusedError(leftBehindText(kinds.bucket, found, held, what));
}

/** Takes our finalizer off an object of which no bucket was asked for: no other resource does. */
async function freed(
  client: KubernetesClient,
  api: ClaimedApi,
  found: KubernetesObject,
): Promise<KubernetesObject> {
  const { name, annotations, finalizers = [], resourceVersion } = found.metadata;
  // By its status too: somebody may have taken the mark off.
  const isAskedFor =
    annotations?.[createSentAnnotation] !== undefined || bucketStatus(api, found).bucketId !== "";
  if (isAskedFor || !finalizers.includes(api.finalizers.bucket)) return found;
  const left = finalizers.filter((finalizer) => finalizer !== api.finalizers.bucket);
  return client.patch(api.kinds.bucket, { name }, { metadata: { finalizers: left, resourceVersion } });
}

/** What a refresh sees of it that the binding can restore; what status and finalizers say is told by who writes them. */
export function madeBucketDrift(
  api: ClaimedApi,
  found: KubernetesObject | undefined,
  binding: BindingOutputs,
): string[] {
  const kind = api.kinds.bucket;
  if (found === undefined) return [`${describe(kind, { name: binding.bucketName })} is missing`];
  if (!isOfStack(found, binding, binding.bucketUid)) {
    return [`${describe(kind, found.metadata)} is not the one of this stack any more`];
  }
  const wanted = objectOf(api, binding.bucketName, binding);
  const live = fieldsOf(found["spec"]);
  const changed = Object.entries(fieldsOf(wanted["spec"]))
    .filter(([field, value]) => field !== policyField && !sameValue(live[field], value))
    .map(([field]) => `${kind.kind}'s spec.${field} was changed`);
  return [...markDrift(kind, found, wanted), ...changed];
}

/** The bucket's own resource changes it: it is what becomes of the bucket, and may change at any time. */
const policyField = "deletionPolicy";

/** Of this stack, and of the claim. One of a run that was killed has a UID that no state knows: its marks tell. */
function isMadeBy(api: ClaimedApi, found: KubernetesObject, binding: BindingOutputs): boolean {
  const claim = fieldsOf(fieldsOf(found["spec"])[api.fields.claim]);
  return isOurs(found, binding.bucketUid, binding) && claim["uid"] === binding.claim.uid;
}

function objectOf(api: ClaimedApi, name: string, inputs: Written): KubernetesObject {
  const { resource, claim, bucketClass, bucketFields } = inputs;
  const { driverName = "", name: className = "", parameters = null } = bucketClass ?? {};
  return {
    metadata: {
      name,
      annotations: {
        ...marksOf(inputs),
        [resourceAnnotation]: resource,
      },
    },
    spec: {
      driverName,
      [api.fields.className]: className,
      [api.fields.claim]: claim,
      ...(parameters === null ? {} : { parameters }),
      ...bucketFields,
    },
  };
}

/** The merge patch that brings an object to what it has to say; the policy stays as it is, fields of others too. */
function patchOf(found: KubernetesObject, wanted: KubernetesObject): ObjectChange | undefined {
  const live = fieldsOf(found["spec"]);
  const spec = Object.entries(fieldsOf(wanted["spec"])).filter(
    ([field, value]) =>
      !sameValue(live[field], value) && (field !== policyField || live[field] === undefined),
  );
  const { annotations: marks = {} } = found.metadata;
  const { annotations = {} } = wanted.metadata;
  const changed = Object.entries(annotations).filter(([key, value]) => marks[key] !== value);
  if (spec.length === 0 && changed.length === 0) return undefined;
  return {
    metadata: { annotations: Object.fromEntries(changed) },
    spec: Object.fromEntries(spec),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function uidOf({ metadata }: KubernetesObject): string {
  return metadata.uid ?? "";
}
