import { pathOf, type KubernetesKind, type KubernetesObject } from "../../kubernetes/object";
import type { Observation } from "../model";

/** What to tell the user of an object whose deletion somebody began; it cannot be taken back. */
export function terminatingNotes(kind: KubernetesKind, object: KubernetesObject): Observation["notes"] {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return [];
  const text =
    `is being deleted since ${deletionTimestamp} and held by ${finalizers.join(", ")}; nothing was done in the ` +
    "backend: `pulumi destroy` completes the deletion, and an `up` after that makes it anew";
  return [{ kind: kind.kind, name: pathOf(object.metadata), text }];
}
