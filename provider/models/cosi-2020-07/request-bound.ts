import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import type { Kinds } from "./kinds";
import { isBoundThrough, type RequestName } from "./names";

/**
 * Stops the deletion of a request while accesses are bound through it: K07-100.
 *
 * @param bindings Those of its Bucket.
 */
export function refuseBound(kinds: Kinds, request: RequestName, bindings: readonly string[]): void {
  const own = bindings.filter((entry) => isBoundThrough(entry, request));
  if (own.length === 0) return;
  throw new RefusedError(
    `${describe(kinds.bucketRequest, request)} is still bound: ${own.join(", ")}; nothing was deleted. Next: delete those ` +
      "BucketAccessRequests first, in the stack that made them, then run the command again",
  );
}
