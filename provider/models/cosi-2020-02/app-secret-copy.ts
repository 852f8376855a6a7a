import { isRecord, sameValue } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { createKept } from "../../kubernetes/create-kept";
import { isImmutable } from "../../kubernetes/data-object-form";
import { requireCreatable } from "../../kubernetes/dry-run";
import { KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { swap } from "../../kubernetes/metadata";
import { describe, secretKind, type KubernetesObject, type OwnerReference } from "../../kubernetes/object";
import { isOwnedByUid } from "../../kubernetes/ownership";
import { untilGone } from "../../kubernetes/until-gone";
import { awaitSecretName } from "./app-secret";
import { provisionerLabels } from "./content-object";
import type { Kinds } from "./kinds";
import type { BucketName } from "./names";
import type { SecretReference } from "./specs";

/** A copy of a Secret for a Bucket. */
export interface SecretCopy {
  readonly source: SecretReference;
  readonly copy: SecretReference;
  readonly bucket: BucketName;
  /** For the label. */
  readonly provisioner: string | null;
  /** Longest wait for the name, in seconds. */
  readonly timeoutSeconds: number | null;
}

/**
 * Copies a Secret, data and type unchanged, for a Bucket, which becomes its owner.
 *
 * @throws RefusedError where there is nothing to copy, or the name is another one's for too long.
 */
export async function copySecret(client: KubernetesClient, kinds: Kinds, args: SecretCopy): Promise<void> {
  const original = await client.get(secretKind, args.source);
  if (original === undefined) {
    throw new RefusedError(
      `${describe(secretKind, args.source)}, which is copied to ${describe(secretKind, args.copy)}, does not exist: ` +
        "`pulumi refresh` and `pulumi up` write one of this program again; make any other one first",
    );
  }
  const wanted = objectOf(kinds, args, original);
  for (let isLast = false; ; isLast = true) {
    const found = await awaitSecretName(client, args.copy, args.bucket, args.timeoutSeconds);
    if (found === undefined) {
      try {
        await createKept(client, secretKind, wanted);
        return;
      } catch (error) {
        // Somebody was faster with the name.
        if (isLast || !(error instanceof KubernetesError && error.conflict)) throw error;
        continue;
      }
    }
    const isFixed = found["type"] !== wanted["type"] || isLocked(found, wanted);
    if (isFixed || found.metadata.deletionTimestamp !== undefined) {
      // The server changes no type, and nothing of what is immutable.
      await requireCreatable(client, secretKind, wanted);
      await removeCopy(client, found);
      await createKept(client, secretKind, wanted);
      return;
    }
    if (differences(found, wanted).length === 0) return;
    const update = (object: KubernetesObject): Promise<KubernetesObject> =>
      client.patch(secretKind, args.copy, patchOf(object, wanted, found));
    // What is gone by now is made anew.
    if ((await swap(client, secretKind, args.copy, update, found)) === undefined)
      await createKept(client, secretKind, wanted);
    return;
  }
}

/** Deletes the copy of a Bucket; one that is gone is fine. @returns False for the Secret of somebody else, which stays. */
export async function removeCopyOf(
  client: KubernetesClient,
  copy: SecretReference,
  bucket: BucketName,
): Promise<boolean> {
  const found = await client.get(secretKind, copy);
  if (found === undefined) return true;
  if (!isOwnedByUid(found, bucket.uid)) return false;
  await removeCopy(client, found);
  return true;
}

/** In what a copy is other than it should be, in words; never a value. */
export async function copyDrift(client: KubernetesClient, kinds: Kinds, args: SecretCopy): Promise<string[]> {
  const found = await client.get(secretKind, args.copy);
  const what = describe(secretKind, args.copy);
  if (found === undefined) return [`${what} is gone`];
  if (!isOwnedByUid(found, args.bucket.uid)) return [`${what} is not that of this Bucket`];
  const original = await client.get(secretKind, args.source);
  if (original === undefined) return [`${describe(secretKind, args.source)}, its original, is gone`];
  return differences(found, objectOf(kinds, args, original)).map((difference) => `${what}: ${difference}`);
}

async function removeCopy(client: KubernetesClient, { metadata }: KubernetesObject): Promise<void> {
  const { namespace, name, uid } = metadata;
  if (uid !== undefined) await client.delete(secretKind, { namespace, name }, { uid });
  await untilGone(client, secretKind, { namespace, name }, uid);
}

function objectOf(
  kinds: Kinds,
  { copy, bucket, provisioner }: SecretCopy,
  original: KubernetesObject,
): KubernetesObject {
  const { apiVersion, kind } = kinds.bucket;
  const owner: OwnerReference = { apiVersion, kind, name: bucket.name, uid: bucket.uid, controller: true };
  return {
    type: original["type"] ?? "Opaque",
    metadata: { ...copy, labels: provisionerLabels(provisioner), ownerReferences: [owner] },
    data: dataOf(original),
  };
}

/** True for an immutable copy that has to have other data; with its own it is as good as any. */
function isLocked(found: KubernetesObject, wanted: KubernetesObject): boolean {
  return isImmutable(found) && !sameValue(dataOf(found), dataOf(wanted));
}

function differences(found: KubernetesObject, wanted: KubernetesObject): string[] {
  const list: string[] = [];
  if (found.metadata.deletionTimestamp !== undefined) list.push("it is being deleted");
  if (isLocked(found, wanted)) list.push("it is immutable");
  if (found["type"] !== wanted["type"]) list.push(`its type is ${String(found["type"])}`);
  const [live, original] = [dataOf(found), dataOf(wanted)];
  for (const key of new Set([...Object.keys(live), ...Object.keys(original)])) {
    if (live[key] !== original[key]) list.push(`data key ${key} is not that of its original`);
  }
  for (const [key, value] of Object.entries(wanted.metadata.labels ?? {})) {
    if (found.metadata.labels?.[key] !== value) list.push(`label ${key} is not ${value}`);
  }
  const owner = wanted.metadata.ownerReferences?.[0];
  const isOwned = (found.metadata.ownerReferences ?? []).some(
    ({ uid, controller }) => uid === owner?.uid && controller === true,
  );
  if (!isOwned) list.push("its ownerReference is not the controller's");
  return list;
}

/** A compare-and-swap: it has the whole list of owners. @param found Another object of the name is refused. */
function patchOf(
  object: KubernetesObject,
  wanted: KubernetesObject,
  found: KubernetesObject,
): Record<string, unknown> {
  const owners = wanted.metadata.ownerReferences ?? [];
  const others = (object.metadata.ownerReferences ?? []).filter(
    ({ uid }) => !owners.some((owner) => owner.uid === uid),
  );
  const gone = Object.keys(dataOf(object)).map((key) => [key, null] as const);
  return {
    metadata: {
      uid: found.metadata.uid,
      resourceVersion: object.metadata.resourceVersion,
      labels: wanted.metadata.labels,
      ownerReferences: [...others, ...owners],
    },
    data: { ...Object.fromEntries(gone), ...dataOf(wanted) },
  };
}

function dataOf({ data }: KubernetesObject): Record<string, string> {
  const entries = Object.entries(isRecord(data) ? data : {});
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
  );
}
