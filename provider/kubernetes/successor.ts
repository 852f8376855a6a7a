import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject, type ObjectReference } from "./object";
import { isOwnedByStack, type StackMark } from "./ownership";

/**
 * Stops a deletion in time: @pulumi/kubernetes goes by names, and would delete what stands in the place of ours.
 *
 * @param found What has the name now; `undefined` if nothing has.
 * @param uid The recorded UID of our object.
 * @param stack Who wrote ours.
 * @throws RefusedError for a foreign object.
 */
export function refuseForeignSuccessor(
  kind: KubernetesKind,
  reference: ObjectReference,
  found: KubernetesObject | undefined,
  uid: string,
  stack: StackMark,
): void {
  if (found === undefined || found.metadata.uid === uid || isOwnedByStack(found, stack)) return;
  throw new RefusedError(
    `${describe(kind, reference)} is not the one of this stack, which is gone: its UID is ` +
      `${found.metadata.uid ?? "absent"}, but ${uid} is recorded, and it was not made by this stack, so it stays as it is. ` +
      "Next: delete it, or recreate it under another name, then run the command again; to keep it, drop ours from the state with " +
      "pulumi state delete",
  );
}
