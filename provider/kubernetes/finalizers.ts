import type { KubernetesClient } from "./client";
import { RefusedError } from "./kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid, type MetadataChange } from "./metadata";
import { describe, type KubernetesKind, type KubernetesObject, type ObjectReference } from "./object";

/**
 * Puts finalizers on an object, beside those that are there.
 *
 * @param known As of {@link changeMetadata}.
 * @throws RefusedError if the object is gone, is another one of the same name, or is being deleted: the server
 *   takes no new finalizer then.
 */
export async function addFinalizers(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  uid: string | undefined,
  finalizers: readonly string[],
  known?: KubernetesObject,
): Promise<KubernetesObject> {
  const change = (found: KubernetesObject): MetadataChange | undefined => {
    requireUid(kind, reference, found, uid);
    const present = found.metadata.finalizers ?? [];
    const missing = finalizers.filter((finalizer) => !present.includes(finalizer));
    if (missing.length === 0) return undefined;
    requireNotTerminating(kind, reference, found);
    return { finalizers: [...present, ...missing] };
  };
  const object = await changeMetadata(client, kind, reference, change, known);
  if (object === undefined) {
    throw new RefusedError(
      `${describe(kind, reference)} does not exist, so it cannot be protected; ` +
        "`pulumi refresh` and `pulumi up` make it again",
    );
  }
  return object;
}

/**
 * Takes finalizers off an object; one that is gone, or another one of the same name, is left as it is.
 *
 * @param ours UID of the object, or what tells by its marks that it is ours; absent: whichever has the name.
 * @param known As of {@link changeMetadata}.
 */
export async function removeFinalizers(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  ours: string | ((object: KubernetesObject) => boolean) | undefined,
  finalizers: readonly string[],
  known?: KubernetesObject,
): Promise<void> {
  const isOurs =
    typeof ours === "function"
      ? ours
      : ({ metadata }: KubernetesObject): boolean => ours === undefined || metadata.uid === ours;
  const change = (found: KubernetesObject): MetadataChange | undefined => {
    if (!isOurs(found)) return undefined;
    const present = found.metadata.finalizers ?? [];
    const left = present.filter((finalizer) => !finalizers.includes(finalizer));
    return left.length === present.length ? undefined : { finalizers: left };
  };
  await changeMetadata(client, kind, reference, change, known);
}
