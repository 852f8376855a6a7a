import { stacksOfRun } from "../run/stacks-of-run";
import { whose } from "./foreign-object";
import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject, type ObjectReference } from "./object";
import { isOfOtherStack, isOfStack, isOwnedByStack, resourceAnnotation, type StackMark } from "./ownership";

/** Who wrote an object, as the state has it. */
export interface Writer extends StackMark {
  /** URN of the component below the stack. @default the state does not tell, and any of the stack's counts */
  readonly resource?: string | null | undefined;
}

/**
 * True for an object that a deletion may take: the one that is recorded, unless another stack has marked it since; and one
 * with the marks of this stack and component, such as one that was restored from a backup, which has another UID.
 *
 * @param uid The recorded UID of our object.
 * @param writer Who wrote ours. In an `up` the program may have another name for the stack by now.
 */
export function isOurs(object: KubernetesObject, uid: string | null | undefined, writer: Writer): boolean {
  if (isOfOtherComponent(object, uid, writer)) return false;
  return isOfStack(object, writer, uid) || stacksOfRun.all().some((now) => isOwnedByStack(object, now));
}

/** True for what another component of the stack has made under the name, after ours was removed. */
function isOfOtherComponent(
  { metadata }: KubernetesObject,
  uid: string | null | undefined,
  { resource }: Writer,
): boolean {
  const isRecorded = (uid ?? "") === "" || metadata.uid === uid;
  if (isRecorded || (resource ?? "") === "") return false;
  const { [resourceAnnotation]: writer } = metadata.annotations ?? {};
  return writer !== undefined && writer !== resource;
}

/** {@link isOurs} for objects that are read later. */
export function ofOurs(
  uid: string | null | undefined,
  writer: Writer,
): (object: KubernetesObject) => boolean {
  return (object) => isOurs(object, uid, writer);
}

/**
 * Stops a deletion in time, before anything is sent or deleted. @pulumi/kubernetes goes by names, and would delete what stands in
 * the place of ours; and what was ours may be another stack's by now, with all that it stands for: an exported state that was
 * imported there, or one that was cloned.
 *
 * @param found What has the name now; `undefined` if nothing has.
 * @param uid The recorded UID of our object.
 * @param stack Who wrote ours.
 * @returns What has the name, if anything has: it is ours, be it with another UID.
 * @throws RefusedError for a foreign object.
 */
export function refuseForeignSuccessor(
  kind: KubernetesKind,
  reference: ObjectReference,
  found: KubernetesObject | undefined,
  uid: string,
  stack: Writer,
): KubernetesObject | undefined {
  if (found === undefined || isOurs(found, uid, stack)) return found;
  if (isOfOtherStack(found, stack)) {
    throw new RefusedError(
      `${describe(kind, reference)} ${whose(found, stack)}; nothing was sent for it, and it stays as it is. Next: if that ` +
        "stack has it now, with its data, drop the entry of this stack with pulumi state delete, or the whole of an old stack " +
        "with pulumi stack rm --force, never with pulumi destroy. If that stack is this one, renamed, or where the entry was " +
        "moved to, let pulumi up come to its end, then run the command again",
    );
  }
  const [maker, wayOn] = isOfOtherComponent(found, uid, stack)
    ? [
        `was made by the resource ${JSON.stringify(found.metadata.annotations?.[resourceAnnotation])}`,
        "drop the entry of ours with pulumi state delete, then run the command again",
      ]
    : [
        "was not made by this stack",
        "delete it, or recreate it under another name, then run the command again; to keep it, drop ours from the state with " +
          "pulumi state delete",
      ];
  throw new RefusedError(
    `${describe(kind, reference)} is not the one of this stack, which is gone: its UID is ` +
      `${found.metadata.uid ?? "absent"}, but ${uid} is recorded, and it ${maker}, so it stays as it is. Next: ${wayOn}`,
  );
}

/**
 * {@link refuseForeignSuccessor} for the recorded object alone: what stands in its place is for whoever deletes that.
 *
 * @throws RefusedError for one that another stack has marked.
 */
export function refuseOthersMark(
  kind: KubernetesKind,
  reference: ObjectReference,
  found: KubernetesObject | undefined,
  uid: string,
  stack: Writer,
): void {
  if (found?.metadata.uid === uid) refuseForeignSuccessor(kind, reference, found, uid, stack);
}
