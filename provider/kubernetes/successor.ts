import { RefusedError } from "./kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject, type ObjectReference } from "./object";
import { isOwnedByStack } from "./ownership";

/**
 * Stops a deletion in time: @pulumi/kubernetes goes by names, and would delete what stands in the place of ours.
 *
 * @param found What has the name now; `undefined` if nothing has.
 * @param recorded UID and owner (`<organization>/<project>/<stack>`) of our object.
 * @throws RefusedError for a foreign object.
 */
export function refuseForeignSuccessor(
  kind: KubernetesKind,
  reference: ObjectReference,
  found: KubernetesObject | undefined,
  { uid, owner }: { uid: string; owner: string },
): void {
  if (found === undefined || found.metadata.uid === uid || isOwnedByStack(found, owner)) return;
  throw new RefusedError(
    `${describe(kind, reference)} is not the one of this stack, which is gone: its UID is ` +
      `${found.metadata.uid ?? "absent"}, recorded is ${uid}, and it was not made by this stack, so it stays as it is. ` +
      "Next: delete it or give it another name, then run the command again; to keep it, drop ours from the state with " +
      "pulumi state delete",
  );
}
