import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject } from "./object";
import type { KubernetesTarget } from "./target";

/** Annotation on the custom resources that a stack writes; its value is `<organization>/<project>/<stack>`. */
export const ownerAnnotation = "pulumi-cosi/owner";

/**
 * Annotation on the custom resources that a stack writes; its value is the random id in the stack's state. Two state
 * backends may hold stacks of one name: this tells their objects apart.
 */
export const stackIdAnnotation = "pulumi-cosi/stack-id";

/**
 * Annotation on the custom resources that a stack writes; its value is the component's URN below the stack,
 * `my:App$cosi:objectstorage:BucketClaim::photos`: types of its parents and its own, and its name.
 */
export const resourceAnnotation = "pulumi-cosi/resource";

/** A stack, as the inputs of its resources name it. */
export interface StackMark {
  /** `<organization>/<project>/<stack>`. */
  readonly owner?: string | null | undefined;
  /** Has the stack's id. */
  readonly kubernetes?: KubernetesTarget | null | undefined;
}

/** True for a custom resource that the stack wrote: of its name, and of its id. */
export function isOwnedByStack(object: KubernetesObject, { owner, kubernetes }: StackMark): boolean {
  const stackId = kubernetes?.stackId ?? "";
  return isMarkedByName(object, owner ?? "") && stackId !== "" && stackIdOf(object) === stackId;
}

/**
 * True for an object of the stack: one with its marks, and one of which somebody took a mark off, by its UID. A mark of another
 * stack says that it is that one's now.
 *
 * @param uid What the state recorded; empty or absent: nothing.
 */
export function isOfStack(
  object: KubernetesObject,
  stack: StackMark,
  uid: string | null | undefined,
): boolean {
  if (isOwnedByStack(object, stack)) return true;
  const isRecorded = typeof uid === "string" && uid !== "" && object.metadata.uid === uid;
  return isRecorded && !isOfOtherStack(object, stack);
}

/** True for an object with a mark of another stack. A state from before a mark was recorded does not tell whose that one is. */
export function isOfOtherStack({ metadata }: KubernetesObject, { owner, kubernetes }: StackMark): boolean {
  const { [ownerAnnotation]: name, [stackIdAnnotation]: id } = metadata.annotations ?? {};
  const isOthers = (mark = "", ours?: string | null): boolean => {
    const known = ours ?? "";
    return mark !== "" && known !== "" && mark !== known;
  };
  return isOthers(name, owner) || isOthers(id, kubernetes?.stackId);
}

/** The annotations of an object that are other than they should be, in words; others may add their own. */
export function markDrift(
  kind: KubernetesKind,
  { metadata }: KubernetesObject,
  wanted: KubernetesObject,
): string[] {
  return Object.entries(wanted.metadata.annotations ?? {})
    .filter(([key, value]) => metadata.annotations?.[key] !== value)
    .map(([key]) => `${kind.kind}'s annotation ${key} is ${metadata.annotations?.[key] ?? "missing"}`);
}

/** What tells the stack of an object. */
export function marksOf({ owner, kubernetes }: StackMark): Record<string, string> {
  return { [ownerAnnotation]: owner ?? "", [stackIdAnnotation]: kubernetes?.stackId ?? "" };
}

/** True for an object that a stack of this name (`<organization>/<project>/<stack>`) wrote, be it another backend's. */
export function isMarkedByName(object: KubernetesObject, owner: string): boolean {
  return owner !== "" && object.metadata.annotations?.[ownerAnnotation] === owner;
}

/** Id of the stack that wrote an object. */
export function stackIdOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.annotations?.[stackIdAnnotation];
}

const stackIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What is wrong with the id of a stack, or `undefined`. */
export function stackIdProblem(id: string): string | undefined {
  if (stackIdForm.test(id)) return undefined;
  return (
    `is ${JSON.stringify(id)}: give the value of the annotation ${stackIdAnnotation} of the stack's objects, a UUID ` +
    "in lower case"
  );
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
