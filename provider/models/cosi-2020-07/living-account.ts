import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe } from "../../kubernetes/object";
import { revokeSentAnnotation, type Kinds } from "./kinds";
import { readStatus } from "./records";

/**
 * Stops what would tell of an access whose account may be revoked.
 *
 * @throws RefusedError where an earlier run has sent a revoke.
 */
export async function requireLiving(
  client: KubernetesClient,
  kinds: Kinds,
  { name }: { readonly name: string },
): Promise<void> {
  const access = await client.get(kinds.bucketAccess, { name });
  if (access === undefined) return;
  const isSent = access.metadata.annotations?.[revokeSentAnnotation] !== undefined;
  if (!isSent && readStatus(access).phase !== "Released") return;
  throw new RefusedError(
    `the account of ${describe(kinds.bucketAccess, { name })} may already be revoked, as an earlier run has sent the revoke: ` +
      "its keys are not handed out. Next: `pulumi up --refresh` grants it anew, and `pulumi destroy` goes on",
  );
}
