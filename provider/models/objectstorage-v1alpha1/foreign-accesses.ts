import { isRecord } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { isOwnedByStack, type StackMark } from "../../kubernetes/ownership";
import { bucketAccessKind, bucketClaimKind } from "./kinds";

/**
 * Stops a deletion that would take a bucket away from somebody else: OS1-072.
 *
 * @param stack Who deletes.
 * @param kept What stays, in words: `bucket`, `claim`.
 * @throws RefusedError if an access that the stack did not write uses the claim.
 * @throws KubernetesError if the API server cannot be asked.
 */
export async function refuseForeignAccesses(
  client: KubernetesClient,
  claim: { readonly namespace: string; readonly name: string },
  stack: StackMark,
  kept: "bucket" | "claim",
): Promise<void> {
  const accesses = await client.list(bucketAccessKind, claim);
  const foreign = accesses.filter(
    (access) =>
      isRecord(access["spec"]) &&
      access["spec"]["bucketClaimName"] === claim.name &&
      !isOwnedByStack(access, stack),
  );
  if (foreign.length === 0) return;
  const names = foreign.map(({ metadata }) => describe(bucketAccessKind, metadata));
  throw new RefusedError(
    `${describe(bucketClaimKind, claim)} is used by ${names.join(", ")}, not made by this stack; the ${kept} ` +
      "stays: delete the access first, then run the command again",
  );
}
