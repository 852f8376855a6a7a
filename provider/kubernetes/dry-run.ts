import type { KubernetesClient } from "./client";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import type { KubernetesKind, KubernetesObject, ObjectReference } from "./object";

/** An object that is let go after a call which cannot be taken back. */
export interface GoingObject {
  readonly kind: KubernetesKind;
  readonly reference: ObjectReference;
  /** Of ours: another one of the same name is left alone. */
  readonly uid: string | undefined;
  /** Ours, which come off. */
  readonly finalizers: readonly string[];
  /** False for one that loses its finalizers alone. @default true */
  readonly isDeleted?: boolean;
  /** As it has just been read. @default the answer to the deletion tells its finalizers, or it is read */
  readonly known?: KubernetesObject | undefined;
}

/** An object that goes, as it was just read; none for one that is gone. */
export function goingObject(
  kind: KubernetesKind,
  known: KubernetesObject | undefined,
  finalizers: readonly string[],
): GoingObject[] {
  if (known === undefined) return [];
  const { namespace, name, uid } = known.metadata;
  return [{ kind, reference: { namespace, name }, uid, finalizers, known }];
}

/**
 * Asks by dry runs, side by side, whether objects may be deleted and their finalizers taken off: rights and policies speak up
 * before the call to the driver that cannot be taken back, and not after it. Objects that are gone, or are being deleted
 * already, need no leave.
 *
 * @throws RefusedError where one is refused.
 * @throws KubernetesError if the API server cannot be asked.
 */
export async function requireDeletable(
  client: KubernetesClient,
  objects: readonly GoingObject[],
): Promise<void> {
  const asked = await Promise.allSettled(objects.map((object) => askFor(client, object)));
  const [refused] = asked.filter((answer) => answer.status === "rejected");
  if (refused === undefined) return;
  const error: unknown = refused.reason;
  if (!(error instanceof KubernetesError && error.refused)) throw error;
  throw new RefusedError(
    "no call was sent for it, as the API server refuses what has to follow in the cluster, by a dry run of it: " +
      error.message,
    { cause: error },
  );
}

async function askFor(client: KubernetesClient, object: GoingObject): Promise<void> {
  const { isDeleted = true, known } = object;
  if (known !== undefined) {
    const isTerminating = known.metadata.deletionTimestamp !== undefined;
    await Promise.all([
      isDeleted && !isTerminating ? askForDeletion(client, object) : undefined,
      askForRelease(client, object, known),
    ]);
  } else {
    const present = isDeleted
      ? await askForDeletion(client, object)
      : await client.get(object.kind, object.reference);
    if (present !== undefined) await askForRelease(client, object, present);
  }
}

/** @returns The object, where it stays until its finalizers are off. */
async function askForDeletion(
  client: KubernetesClient,
  object: GoingObject,
): Promise<KubernetesObject | undefined> {
  const { kind, reference } = object;
  const uid = uidOf(object);
  try {
    return await client.dryRunDelete(kind, reference, uid === undefined ? undefined : { uid });
  } catch (error) {
    if (saysNothing(error)) return undefined;
    const found = await stillThere(client, object, error);
    if (found !== undefined && found.metadata.deletionTimestamp === undefined) throw error;
    return found;
  }
}

async function askForRelease(
  client: KubernetesClient,
  object: GoingObject,
  { metadata }: KubernetesObject,
): Promise<void> {
  const present = metadata.finalizers ?? [];
  const left = present.filter((finalizer) => !object.finalizers.includes(finalizer));
  if (left.length < present.length) await askForPatch(client, object, { finalizers: left });
}

async function askForPatch(
  client: KubernetesClient,
  object: GoingObject,
  metadata: { readonly finalizers: readonly string[] },
): Promise<void> {
  const uid = uidOf(object);
  const patch = { metadata: { ...metadata, ...(uid === undefined ? {} : { uid }) } };
  try {
    await client.patch(object.kind, object.reference, patch, { dryRun: true });
  } catch (error) {
    if (saysNothing(error) || (error instanceof KubernetesError && error.notFound)) return;
    if ((await stillThere(client, object, error)) !== undefined) throw error;
  }
}

/**
 * Our object: rights are asked for first, whether there is one or not.
 *
 * @throws What was thrown at the dry run, where that is no refusal or the object cannot be read.
 */
async function stillThere(
  client: KubernetesClient,
  object: GoingObject,
  error: unknown,
): Promise<KubernetesObject | undefined> {
  if (!(error instanceof KubernetesError && error.refused)) throw error;
  let found: KubernetesObject | undefined;
  try {
    found = await client.get(object.kind, object.reference);
  } catch {
    throw error;
  }
  const uid = uidOf(object);
  return uid === undefined || found?.metadata.uid === uid ? found : undefined;
}

function uidOf({ uid }: GoingObject): string | undefined {
  return uid === "" ? undefined : uid;
}

/**
 * Asks by a dry run whether an object may be created. Its name may be taken: the server asks rights, policies and quota first.
 *
 * @throws KubernetesError where it may not.
 */
export async function requireCreatable(
  client: KubernetesClient,
  kind: KubernetesKind,
  object: KubernetesObject,
): Promise<void> {
  try {
    await client.create(kind, object, { dryRun: true });
  } catch (error) {
    if (!saysNothing(error)) throw error;
  }
}

/** True for an answer that tells nothing of the write itself: a conflict, and a webhook that knows no dry runs. */
function saysNothing(error: unknown): boolean {
  if (!(error instanceof KubernetesError)) return false;
  return error.conflict || error.failure.detail.includes("does not support dry run");
}
