import { isRecord } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { isOwnedByStack, type StackMark } from "../../kubernetes/ownership";
import { accessesOfNamespace } from "./accesses-of-namespace";
import type { ClaimedApi } from "./claimed-api";

/**
 * Stops a deletion that would take a bucket away from somebody else: OS1-072, DEP-093.
 *
 * @param stack Who deletes.
 * @param kept What stays.
 * @throws RefusedError if an access that the stack did not write uses the claim.
 * @throws KubernetesError if the API server cannot be asked.
 */
export async function refuseForeignAccesses(
  client: KubernetesClient,
  api: ClaimedApi,
  claim: { readonly namespace: string; readonly name: string },
  stack: StackMark,
  kept: keyof ClaimedApi["words"],
): Promise<void> {
  const { kinds, fields, words } = api;
  const accesses = await accessesOfNamespace(client, api, claim.namespace);
  const foreign = accesses.filter(
    (access) =>
      isRecord(access["spec"]) &&
      access["spec"][fields.claimName] === claim.name &&
      !isOwnedByStack(access, stack),
  );
  if (foreign.length === 0) return;
  const names = foreign.map(({ metadata }) => describe(kinds.access, metadata));
  throw new RefusedError(
    `${describe(kinds.claim, claim)} is used by ${names.join(", ")}, which this stack did not make; the ${words[kept]} ` +
      "stays: delete the access first, then run the command again",
  );
}
