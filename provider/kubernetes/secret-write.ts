import { rememberCredentials } from "../credentials/remember";
import { FailedResourceError } from "../dynamic/failed";
import { isRecord } from "../dynamic/values";
import type { SecretObserver } from "../models/model";
import { observeSecret } from "../models/registry";
import { connectKubernetes, type KubernetesClient } from "./client";
import { removeFinalizers } from "./finalizers";
import { isRefusal, KubernetesError } from "./kubernetes-error";
import { pathOf, secretKind, type KubernetesObject } from "./object";
import { requireOwnedByUid } from "./ownership";
import { objectOf } from "./secret-object";
import { outputsOf, type SecretInputs, type SecretOutputs } from "./secret-state";
import { untilGone } from "./until-gone";

/** Creates the Secret, or brings the one that is there to what the inputs say, keeping its UID. */
export async function writeSecret(
  inputs: SecretInputs,
  oldLabels?: SecretInputs["labels"],
): Promise<SecretOutputs> {
  rememberCredentials(inputs.data);
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  let written: KubernetesObject | undefined;
  try {
    await observerOf(inputs)?.beforeWrite();
    written = await createOrUpdate(client, inputs, oldLabels ?? {});
    await observerOf(inputs)?.written();
  } catch (error) {
    if (written === undefined && isRefusal(error)) throw error;
    // It may have been made: kept in the state, so that the next command finds it.
    const message = error instanceof Error ? error.message : String(error);
    const outs = outputsOf({
      ...inputs,
      uid: written?.metadata.uid ?? null,
      drift: ["not written completely"],
    });
    throw new FailedResourceError(message, pathOf(inputs), { ...inputs, ...outs }, { cause: error });
  }
  return outputsOf({ ...inputs, uid: written.metadata.uid ?? null, drift: [] });
}

/** Writes the Secret, and nothing else. @throws RefusedError for one of its name that is not the owner's. */
export async function createOrUpdate(
  client: KubernetesClient,
  inputs: SecretInputs,
  oldLabels: Record<string, string>,
): Promise<KubernetesObject> {
  let found = await client.get(secretKind, inputs);
  if (found === undefined) {
    try {
      return await client.create(secretKind, objectOf(inputs));
    } catch (error) {
      if (!(error instanceof KubernetesError && error.conflict)) throw error;
      found = await client.get(secretKind, inputs);
      if (found === undefined) throw error;
    }
  }
  requireOwnedByUid(secretKind, found, inputs.owner);
  if (found.metadata.deletionTimestamp !== undefined) {
    await removeSecret(client, inputs, found);
    return client.create(secretKind, objectOf(inputs));
  }
  const { metadata, data } = objectOf(inputs);
  const otherOwners = (found.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== inputs.owner.uid);
  const otherFinalizers = (found.metadata.finalizers ?? []).filter((entry) => entry !== inputs.finalizer);
  return client.patch(secretKind, inputs, {
    metadata: {
      uid: found.metadata.uid,
      labels: { ...withNulls(oldLabels), ...metadata.labels },
      ownerReferences: [...otherOwners, ...(metadata.ownerReferences ?? [])],
      finalizers: [...otherFinalizers, ...(metadata.finalizers ?? [])],
    },
    data: { ...withNulls(found["data"]), ...data },
  });
}

/** Deletes our Secret: its finalizer off, then the object. */
export async function removeSecret(
  client: KubernetesClient,
  inputs: SecretInputs,
  found: KubernetesObject,
): Promise<void> {
  const { uid } = found.metadata;
  if (typeof inputs.finalizer === "string") {
    await removeFinalizers(client, secretKind, inputs, uid, [inputs.finalizer]);
  }
  if (uid !== undefined) await client.delete(secretKind, inputs, { uid });
  await untilGone(client, secretKind, inputs, uid);
}

/** The keys of a map, each to be removed by a merge patch. */
function withNulls(map: unknown): Record<string, null> {
  return Object.fromEntries(Object.keys(isRecord(map) ? map : {}).map((key) => [key, null]));
}

/** What writes of a Secret into the objects that tell of it; `undefined` if none do. */
export function observerOf(inputs: SecretInputs): SecretObserver | undefined {
  const { model, kubernetes, namespace, owner } = inputs;
  if (typeof model !== "string") return undefined;
  return observeSecret({ model, kubernetes: kubernetes ?? {}, owner: { namespace, ...owner } });
}
