import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject } from "./object";

/** Annotation on the custom resources that a stack writes; its value is `<organization>/<project>/<stack>`. */
export const ownerAnnotation = "pulumi-cosi/owner";

/** Annotation on the custom resources that a stack writes; its value is the logical name of the component. */
export const resourceAnnotation = "pulumi-cosi/resource";

/** True for a custom resource that the stack `owner` (`<organization>/<project>/<stack>`) wrote. */
export function isOwnedByStack(object: KubernetesObject, owner: string): boolean {
  return owner !== "" && object.metadata.annotations?.[ownerAnnotation] === owner;
}

/** True for an object that an ownerReference ties to the object with this UID. */
export function isOwnedByUid(object: KubernetesObject, uid: string): boolean {
  return object.metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false;
}

/** @throws RefusedError for an object that no ownerReference ties to `owner`. */
export function requireOwnedByUid(
  kind: KubernetesKind,
  object: KubernetesObject,
  owner: { kind: string; name: string; uid: string },
): void {
  if (isOwnedByUid(object, owner.uid)) return;
  throw new RefusedError(
    `${describe(kind, object.metadata)} exists and does not belong to ${owner.kind} ${owner.name} (no ` +
      `ownerReference has its UID ${owner.uid}); it stays as it is: choose another name, or delete it first`,
  );
}
