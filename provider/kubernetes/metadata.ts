import { setTimeout as pause } from "node:timers/promises";
import type { KubernetesClient } from "./client";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import {
  describe,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectMetadata,
  type ObjectReference,
} from "./object";

/** Others change the same object at the same time, but not for long. */
const conflictAttempts = 10;

/** A change of an object's metadata by {@link changeMetadata}; `undefined` for none. */
export type MetadataChange = Partial<Pick<ObjectMetadata, "finalizers">> & {
  annotations?: Record<string, string | null>;
};

/**
 * Reads an object, works out a change of its metadata, and writes it if no one else has written meanwhile;
 * otherwise begins anew.
 *
 * @returns The object as it is afterwards; `undefined` if there is none, or `change` says that it is another one.
 */
export async function changeMetadata(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  change: (object: KubernetesObject) => MetadataChange | undefined,
): Promise<KubernetesObject | undefined> {
  for (let count = 1; ; count += 1) {
    const object = await client.get(kind, reference);
    if (object === undefined) return undefined;
    const metadata = change(object);
    if (metadata === undefined) return object;
    try {
      const { resourceVersion } = object.metadata;
      return await client.patch(kind, reference, { metadata: { ...metadata, resourceVersion } });
    } catch (error) {
      if (error instanceof KubernetesError && error.notFound) return undefined;
      if (!(error instanceof KubernetesError && error.conflict) || count === conflictAttempts) throw error;
      await pause(20 * count);
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
      `${object.metadata.uid ?? "absent"}, recorded is ${uid}; run \`pulumi refresh\``,
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
      "taken back: `pulumi destroy` completes it (`--target` for this object and what depends on it)",
  );
}
