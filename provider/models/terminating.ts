import { describe, pathOf, type KubernetesKind, type KubernetesObject } from "../kubernetes/object";
import type { Observation } from "./model";

/**
 * Whoever completes a deletion that somebody began by mistake loses the data under policy Delete, which goes with every object
 * but that of an access. How to keep it is another thing in each API model, and in some there is no way: their pages tell.
 */
function withData({ kind }: KubernetesKind): string {
  return kind.includes("Access") ? "" : ", and deletes the data too if its policy is Delete";
}

/** What to tell the user of an object whose deletion somebody began; it cannot be taken back. */
export function terminatingNotes(kind: KubernetesKind, object: KubernetesObject): Observation["notes"] {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return [];
  const text =
    `is being deleted since ${deletionTimestamp} and held by ${finalizers.join(", ")}; nothing was done in the ` +
    `backend: \`pulumi destroy\` completes the deletion${withData(kind)}, and an \`up\` after that makes it anew`;
  return [{ kind: kind.kind, name: pathOf(object.metadata), text }];
}

/**
 * Why nothing is made for an object of this stack whose deletion has begun while our finalizer holds it: a run that was
 * killed put it on, and a `destroy` after that found nothing in the state that would take it off.
 *
 * @returns The text of the error with which the resource has to stay in the state, for the next `destroy` to delete it;
 *   `undefined` for any other object.
 */
export function heldDeletion(
  kind: KubernetesKind,
  object: KubernetesObject,
  finalizer: string,
): string | undefined {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return undefined;
  return (
    `${describe(kind, object.metadata)} is being deleted since ${deletionTimestamp}, which cannot be undone, and held ` +
    `by ${finalizer}, set by a run that did not finish; what that run may have made is in the state now, as failed. ` +
    `Next: run \`pulumi destroy\`, which completes the deletion${withData(kind)} (\`--target\` for this object and what ` +
    "depends on it); an `up` after that makes it anew."
  );
}
