import { setTimeout as pause } from "node:timers/promises";
import type { KubernetesClient } from "./client";
import { requireKept } from "./kept-by-server";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import {
  describe,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectMetadata,
  type ObjectReference,
} from "./object";

/** Others change the same object at the same time, but not for long: milliseconds. */
const conflictWaitMs = 60_000;
/** Conflicts (409) over an object that nobody has changed: whoever says so has another reason. */
const groundlessConflicts = 10;
const longestPauseMs = 200;

/** A change of an object's metadata by {@link changeMetadata}; `undefined` for none. */
export type MetadataChange = Partial<Pick<ObjectMetadata, "finalizers">> & {
  annotations?: Record<string, string | null>;
  labels?: Record<string, string | null>;
};

/** A change of an object by {@link changeObject}: fields of a JSON merge patch. */
export interface ObjectChange {
  readonly metadata?: MetadataChange;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * Reads an object, works out a change of its metadata, and writes it if no one else has written meanwhile;
 * otherwise begins anew.
 *
 * @param known The object as this operation has just read or written it: it is not read once more, unless somebody else
 *   has written meanwhile.
 * @returns The object as it is afterwards; `undefined` if there is none.
 */
export function changeMetadata(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  change: (object: KubernetesObject) => MetadataChange | undefined,
  known?: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  const step = (object: KubernetesObject): ObjectChange | undefined => {
    const metadata = change(object);
    return metadata === undefined ? undefined : { metadata };
  };
  return changeObject(client, kind, reference, step, known);
}

/**
 * As {@link changeMetadata}, for any fields but those of `status`.
 *
 * @throws RefusedError if the server has not kept an annotation or finalizer of ours that was to be put on.
 */
export function changeObject(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  change: (object: KubernetesObject) => ObjectChange | undefined,
  known?: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  const step = async (object: KubernetesObject): Promise<KubernetesObject> => {
    const changed = change(object);
    if (changed === undefined) return object;
    const { resourceVersion } = object.metadata;
    const written = await client.patch(kind, reference, {
      ...changed,
      metadata: { ...changed.metadata, resourceVersion },
    });
    requireKept(kind, reference, changed.metadata ?? {}, written, object);
    return written;
  };
  return swap(client, kind, reference, step, known);
}

/** As {@link changeMetadata}, for fields of `status`, through its subresource. */
export function changeStatus(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  change: (object: KubernetesObject) => Readonly<Record<string, unknown>> | undefined,
  known?: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  const step = async (object: KubernetesObject): Promise<KubernetesObject> => {
    const status = change(object);
    if (status === undefined) return object;
    return client.patchStatus(kind, reference, status, object.metadata.resourceVersion);
  };
  return swap(client, kind, reference, step, known);
}

/**
 * Reads an object and does something to it that the server refuses (409) if somebody has written meanwhile; then it begins
 * anew.
 *
 * @param known As of {@link changeMetadata}.
 * @returns What `step` gave; `undefined` if there is no such object.
 */
export async function swap<Result>(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  step: (object: KubernetesObject) => Promise<Result>,
  known?: KubernetesObject,
): Promise<Result | undefined> {
  const deadline = Date.now() + conflictWaitMs;
  let version: string | undefined;
  let groundless = 0;
  for (let count = 1; ; count += 1) {
    const object = (count === 1 ? known : undefined) ?? (await client.get(kind, reference));
    if (object === undefined) return undefined;
    groundless = object.metadata.resourceVersion === version ? groundless + 1 : 0;
    version = object.metadata.resourceVersion;
    try {
      return await step(object);
    } catch (error) {
      if (error instanceof KubernetesError && error.notFound) return undefined;
      if (!(error instanceof KubernetesError && error.conflict)) throw error;
      if (groundless + 1 >= groundlessConflicts || Date.now() > deadline) throw error;
      // Many that wait alike would meet again.
      await pause(Math.random() * Math.min(20 * count, longestPauseMs));
    }
  }
}

/** @throws RefusedError for an object that is not the one whose UID was recorded. */
export function requireUid(
  kind: KubernetesKind,
  reference: ObjectReference,
  object: KubernetesObject,
  uid: string | undefined,
): void {
  if (uid === undefined || object.metadata.uid === uid) return;
  throw new RefusedError(
    `${describe(kind, reference)} is not the object of this stack: its UID is ` +
      `${object.metadata.uid ?? "absent"}, but ${uid} is recorded; run \`pulumi refresh\``,
  );
}

/** @throws RefusedError for an object whose deletion has begun: it cannot be taken back. */
export function requireNotTerminating(
  kind: KubernetesKind,
  reference: ObjectReference,
  object: KubernetesObject,
): void {
  if (object.metadata.deletionTimestamp === undefined) return;
  throw new RefusedError(
    `${describe(kind, reference)} is being deleted since ${object.metadata.deletionTimestamp}, which cannot be ` +
      "undone: `pulumi destroy` completes it (`--target` for this object and what depends on it), with the data if its " +
      "policy is Delete",
  );
}
