import { isRecord } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import type { StackMark } from "../../kubernetes/ownership";
import { isOurs } from "../../kubernetes/successor";
import { accessesOfNamespace } from "./accesses-of-namespace";
import { letGoAndDelete } from "../left-behind";
import type { ClaimedApi } from "./claimed-api";
import { accessStatus } from "./status";

/** Users of a claim, as far as they are known from the list of accesses. */
async function accessesOf(
  client: KubernetesClient,
  api: ClaimedApi,
  claim: { readonly namespace: string; readonly name: string },
): Promise<readonly KubernetesObject[]> {
  const accesses = await accessesOfNamespace(client, api, claim.namespace);
  return accesses.filter(
    (access) => isRecord(access["spec"]) && access["spec"][api.fields.claimName] === claim.name,
  );
}

/**
 * Stops a deletion that would take a bucket away from somebody else: OS1-072, DEP-093.
 *
 * @param stack Who deletes.
 * @param kept What stays.
 * @returns The accesses of the claim.
 * @throws RefusedError if an access that the stack did not write uses the claim.
 * @throws KubernetesError if the API server cannot be asked.
 */
export async function refuseForeignAccesses(
  client: KubernetesClient,
  api: ClaimedApi,
  claim: { readonly namespace: string; readonly name: string },
  stack: StackMark,
  kept: keyof ClaimedApi["words"],
): Promise<readonly KubernetesObject[]> {
  const { kinds, words } = api;
  const accesses = await accessesOf(client, api, claim);
  const foreign = accesses.filter((access) => !isOurs(access, undefined, stack));
  if (foreign.length === 0) return accesses;
  const names = foreign.map(({ metadata }) => describe(kinds.access, metadata));
  throw new RefusedError(
    `${describe(kinds.claim, claim)} is used by ${names.join(", ")}, which this stack did not make; the ${words[kept]} ` +
      "stays. Next: have whoever made the access end it (another stack: by taking it out of its program), then run the command again",
  );
}

/**
 * Stops the deletion of a bucket in the backend that an account still has access to. An access of the stack is revoked before
 * its bucket's turn comes; one that is not has left the state without a call, as by `retainOnDelete` on the access alone.
 *
 * @param accesses Those of the claim, as {@link refuseForeignAccesses} has them.
 * @throws RefusedError that names the accesses, whoever made them.
 * @throws KubernetesError if the API server cannot be asked.
 */
export async function refuseGrantedAccesses(
  client: KubernetesClient,
  api: ClaimedApi,
  claim: { readonly namespace: string; readonly name: string },
  accesses: readonly KubernetesObject[],
): Promise<void> {
  const { kinds, words } = api;
  const granted: KubernetesObject[] = [];
  for (const { metadata } of accesses) {
    // The list has no status: that of thousands of accesses would be kept for the few that are there still.
    const access = await client.get(kinds.access, metadata);
    if (access === undefined || access.metadata.uid !== metadata.uid) continue;
    const { accessGranted, accountId } = accessStatus(access);
    if (accessGranted || accountId !== "") granted.push(access);
  }
  if (granted.length === 0) return;
  const names = granted.map(({ metadata }) => describe(kinds.access, metadata));
  const own = [api.finalizers.access];
  const commands = granted.map((access) => letGoAndDelete(kinds.access, access, own));
  throw new RefusedError(
    `${describe(kinds.claim, claim)} is used by ${names.join(", ")}, whose account was not revoked: it was kept by ` +
      "`retainOnDelete`, taken out of the state, or left by a run that did not finish; " +
      `the ${words.bucket} stays. Next: run \`pulumi up\` with the access in the program, which revokes that account and ` +
      `grants a new one; another run without the access then revokes that too. Or, to delete the ${words.bucket} and leave ` +
      `the account in the backend: ${commands.join(" && ")} , then run the command again`,
  );
}
