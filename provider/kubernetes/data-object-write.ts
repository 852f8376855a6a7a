import { isRecord } from "../dynamic/values";
import type { KubernetesClient } from "./client";
import { isLocked, objectOf, type DataForm } from "./data-object-form";
import type { DataObjectInputs } from "./data-object-state";
import { removeFinalizers } from "./finalizers";
import { requireCreatable } from "./dry-run";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import { swap } from "./metadata";
import { describe, type KubernetesObject } from "./object";
import { requireOwnedByUid } from "./ownership";
import { untilGone } from "./until-gone";

/** Labels and annotations that an earlier run wrote. */
export type WrittenMarks = Pick<DataObjectInputs, "labels" | "annotations">;

/**
 * Writes the object, or brings the one that is there to what the inputs say, keeping its UID; and nothing else. One that
 * is being deleted is made anew, and one that somebody has made immutable where it has to have other data; unless the new one
 * would be refused.
 *
 * @param former What was written before: what is no longer wanted of it goes.
 * @throws RefusedError for one of its name that is not the owner's.
 */
export async function createOrUpdate(
  client: KubernetesClient,
  form: DataForm,
  inputs: DataObjectInputs,
  former?: WrittenMarks,
): Promise<KubernetesObject> {
  const { kind } = form;
  // One that was not written before is rarely there: whether it is, its creation tells.
  let found = former === undefined ? undefined : await client.get(kind, inputs);
  if (found === undefined) {
    try {
      return await client.create(kind, objectOf(form, inputs));
    } catch (error) {
      if (!(error instanceof KubernetesError && error.conflict)) throw error;
      found = await client.get(kind, inputs);
      if (found === undefined) throw error;
    }
  }
  const update = async (object: KubernetesObject): Promise<KubernetesObject | undefined> => {
    requireOwnedByUid(kind, object, inputs.owner);
    if (object.metadata.deletionTimestamp === undefined && !isLocked(form, object, inputs))
      return client.patch(kind, inputs, patchOf(form, inputs, object, former));
    await requireSuccessor(client, form, inputs);
    await removeDataObject(client, form, inputs, object);
    return undefined;
  };
  // What is gone by now is made anew.
  return (await swap(client, kind, inputs, update, found)) ?? client.create(kind, objectOf(form, inputs));
}

/**
 * Workloads go on with the object that is there, where the one in its place would be refused.
 *
 * @throws RefusedError where it would be.
 */
export async function requireSuccessor(
  client: KubernetesClient,
  form: DataForm,
  inputs: DataObjectInputs,
): Promise<void> {
  try {
    await requireCreatable(client, form.kind, objectOf(form, inputs));
  } catch (error) {
    if (!(error instanceof KubernetesError && error.refused)) throw error;
    throw new RefusedError(
      `${describe(form.kind, inputs)} stays as it is: it has to be made anew, and the API server would refuse the new one, ` +
        `by a dry run of it: ${error.message}`,
      { cause: error },
    );
  }
}

/** A compare-and-swap: it has the whole lists of owners and finalizers, with those of others. */
function patchOf(
  form: DataForm,
  inputs: DataObjectInputs,
  found: KubernetesObject,
  former: WrittenMarks | undefined,
): unknown {
  const { metadata, data } = objectOf(form, inputs);
  const otherOwners = (found.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== inputs.owner.uid);
  const otherFinalizers = (found.metadata.finalizers ?? []).filter((entry) => entry !== inputs.finalizer);
  return {
    metadata: {
      resourceVersion: found.metadata.resourceVersion,
      labels: { ...withNulls(former?.labels), ...metadata.labels },
      annotations: { ...withNulls(former?.annotations), ...metadata.annotations },
      ownerReferences: [...otherOwners, ...(metadata.ownerReferences ?? [])],
      finalizers: [...otherFinalizers, ...(metadata.finalizers ?? [])],
    },
    data: { ...withNulls(found["data"]), ...data },
  };
}

/** Deletes our object: its finalizer off, then the object. */
export async function removeDataObject(
  client: KubernetesClient,
  { kind }: DataForm,
  inputs: DataObjectInputs,
  found: KubernetesObject,
): Promise<void> {
  const { uid } = found.metadata;
  if (typeof inputs.finalizer === "string") {
    await removeFinalizers(client, kind, inputs, uid, [inputs.finalizer], found);
  }
  const isGone = uid !== undefined && (await client.delete(kind, inputs, { uid }));
  const own = typeof inputs.finalizer === "string" ? [inputs.finalizer] : [];
  if (!isGone) await untilGone(client, kind, inputs, uid, own);
}

/** The keys of a map, each to be removed by a merge patch. */
function withNulls(map: unknown): Record<string, null> {
  return Object.fromEntries(Object.keys(isRecord(map) ? map : {}).map((key) => [key, null]));
}
