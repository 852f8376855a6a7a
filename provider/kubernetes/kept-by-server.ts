import { RefusedError } from "./kubernetes-error";
import {
  describe,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectMetadata,
  type ObjectReference,
} from "./object";

/** Annotations of this package; what becomes of those of users is no matter of safety. */
const ownAnnotations = "pulumi-cosi/";

/** Metadata as a write asks for it; an annotation that is `null` goes. */
export interface AskedMetadata extends Pick<ObjectMetadata, "finalizers" | "ownerReferences"> {
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/**
 * Compares the answer to a write with what the write asked for. A mutating admission policy may take off what others must
 * find on the object before a call is sent: our annotations, finalizers and ownerReferences.
 *
 * @param before The object before the write: what it had already is not what this write is for. @default there was none
 * @throws RefusedError that names the object and what is not on it.
 */
export function requireKept(
  kind: KubernetesKind,
  reference: ObjectReference,
  asked: AskedMetadata,
  { metadata }: KubernetesObject,
  before?: KubernetesObject,
): void {
  const { annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const had: AskedMetadata = before?.metadata ?? {};
  const lost = [
    ...Object.entries(asked.annotations ?? {})
      .filter(([key, value]) => key.startsWith(ownAnnotations) && value !== null)
      .filter(([key, value]) => annotations[key] !== value && had.annotations?.[key] !== value)
      .map(([key]) => `annotation ${key}`),
    ...(asked.finalizers ?? [])
      .filter((finalizer) => !finalizers.includes(finalizer) && had.finalizers?.includes(finalizer) !== true)
      .map((finalizer) => `finalizer ${finalizer}`),
    ...(asked.ownerReferences ?? [])
      .filter(
        ({ uid }) => ![...ownerReferences, ...(had.ownerReferences ?? [])].some((one) => one.uid === uid),
      )
      .map((owner) => `ownerReference to ${owner.kind} ${owner.name}`),
  ];
  if (lost.length === 0) return;
  throw new RefusedError(
    `${describe(kind, reference)} was written, but without its ${lost.join(", ")}: the API server took it off again, as a ` +
      "mutating admission policy does; without it, the next run would not know what this one has in the backend. Next: " +
      `exempt it in that policy (annotations ${ownAnnotations}*, and the finalizers and ownerReferences that pulumi-cosi ` +
      "sets), then run the command again",
  );
}
