import { attemptAll } from "../kubernetes/attempt-all";
import type { KubernetesClient } from "../kubernetes/client";
import { changeMetadata, type MetadataChange } from "../kubernetes/metadata";
import type { KubernetesKind, KubernetesObject, ObjectReference } from "../kubernetes/object";

/** An annotation on an object from before a call until it is known that it had no effect. */
export interface SentMark {
  readonly kind: KubernetesKind;
  readonly reference: ObjectReference;
  readonly annotation: string;
  /** Only an object of ours is marked. */
  readonly isOwn: (object: KubernetesObject) => boolean;
}

/**
 * Marks that a call may have been sent. It is the last step before the call.
 *
 * @param known As of {@link changeMetadata}.
 * @returns True if the mark was there already, so an earlier run may have sent the call.
 */
export async function markSent(
  client: KubernetesClient,
  mark: SentMark,
  known?: KubernetesObject,
): Promise<boolean> {
  const { kind, reference, annotation } = mark;
  let wasSent: boolean | undefined;
  const change = (object: KubernetesObject): MetadataChange | undefined => {
    if (!mark.isOwn(object)) return undefined;
    const isMarked = isMarkedWith(object, annotation);
    // By the first look alone: where the answer to our own write is lost, the next one sees our own mark.
    wasSent ??= isMarked;
    return isMarked ? undefined : { annotations: { [annotation]: "true" } };
  };
  try {
    await changeMetadata(client, kind, reference, change, known);
  } catch (error) {
    // It may be on although no answer came, and nothing is sent: the next run would believe it.
    if (wasSent === false) await attemptAll([() => unmarkSent(client, mark)]);
    throw error;
  }
  return wasSent === true;
}

/** Takes the mark off again. @param known As of {@link changeMetadata}. */
export async function unmarkSent(
  client: KubernetesClient,
  { kind, reference, annotation, isOwn }: SentMark,
  known?: KubernetesObject,
): Promise<void> {
  const change = (object: KubernetesObject): MetadataChange | undefined =>
    isOwn(object) && isMarkedWith(object, annotation) ? { annotations: { [annotation]: null } } : undefined;
  await changeMetadata(client, kind, reference, change, known);
}

function isMarkedWith({ metadata }: KubernetesObject, annotation: string): boolean {
  return metadata.annotations?.[annotation] !== undefined;
}
