import type { KubernetesClient } from "../kubernetes/client";
import { creatableSecrets } from "../kubernetes/creatable-secrets";
import { decoded } from "../kubernetes/data-object-form";
import { RefusedError } from "../kubernetes/kubernetes-error";
import { describe, secretKind, type KubernetesKind } from "../kubernetes/object";
import { isOwnedByUid, requireOwnedByUid } from "../kubernetes/ownership";
import { secretForm } from "../kubernetes/secret-object";
import { objectsOfRun } from "../run/objects-of-run";
import type { AccountKey } from "./account-record";
import type { AccessObjects, HandsOut } from "./model";

type SecretOfAccess = Pick<AccessObjects, "access" | "secretName">;

/**
 * Makes sure that the Secret of an access may be created, is its own, or is that of the object in whose place its own has come,
 * which goes in the same run. @throws RefusedError for one of somebody else, and where none can be created.
 */
export async function requireSecretName(
  client: KubernetesClient,
  kind: KubernetesKind,
  { access, secretName }: SecretOfAccess,
): Promise<void> {
  const reference = { namespace: access.namespace, name: secretName };
  const found = await client.get(secretKind, reference);
  if (found === undefined) return creatableSecrets.require(client, reference);
  if (found.metadata.ownerReferences?.some(({ uid }) => objectsOfRun.isReplaced(uid)) === true) return;
  requireOwnedByUid(secretKind, found, { ...access, kind: kind.kind });
}

/**
 * Makes sure that the Secret of an access has other keys than those of an account that is to be revoked.
 *
 * @throws RefusedError if workloads would be left with dead keys.
 */
export async function requireOtherKeys(
  client: KubernetesClient,
  { access, secretName }: SecretOfAccess,
  { accountId, handsOut }: AccountKey & { readonly handsOut: HandsOut },
): Promise<void> {
  const found = await client.get(secretKind, { namespace: access.namespace, name: secretName });
  if (found === undefined || !isOwnedByUid(found, access.uid)) return;
  if (!handsOut(Object.values(decoded(secretForm, found)))) return;
  throw new RefusedError(
    `${describe(secretKind, found.metadata)} still has the keys of account ${accountId ?? ""}, so that account was not revoked. Next: ` +
      "`pulumi up` without --target writes the Secret, then revokes it",
  );
}
