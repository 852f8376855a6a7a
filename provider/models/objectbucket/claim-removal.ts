import type { KubernetesClient } from "../../kubernetes/client";
import { removeFinalizers } from "../../kubernetes/finalizers";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import {
  configMapKind,
  describe,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../kubernetes/object";
import { isOwnedByUid } from "../../kubernetes/ownership";
import { ofOurs, refuseForeignSuccessor } from "../../kubernetes/successor";
import { untilGone } from "../../kubernetes/until-gone";
import { howLeftBehind } from "../left-behind";
import type { ClaimId } from "./claim-id";
import type { ClaimInputs } from "./claim-state";
import {
  accountAnnotation,
  createSentAnnotation,
  finalizer,
  group,
  objectBucketClaimKind,
  objectBucketKind,
} from "./kinds";
import { isOfClaim, readObjectBucket } from "./records";
import { isWrittenBy } from "./written-by";

/**
 * Ends a claim whose backend is dealt with: its ObjectBucket, what a run that was killed has left of it, then itself.
 * Source: OBC-083.
 *
 * @throws RefusedError for a claim that may have something in the backend which the state does not know.
 */
export async function removeClaim(
  client: KubernetesClient,
  { uid: recorded }: ClaimId,
  inputs: ClaimInputs,
): Promise<void> {
  const { namespace, name, objectBucketName, secretName, configMapName, adopt } = inputs;
  const found = await client.get(objectBucketClaimKind, inputs);
  const uid = recorded === "" ? unansweredUid(found, inputs) : recorded;
  if (uid === undefined) return;
  // What another component of this stack has made under the name needs no refusal: nothing here goes by the name alone.
  const { owner, kubernetes } = inputs;
  refuseForeignSuccessor(objectBucketClaimKind, inputs, found, uid, { owner, kubernetes });
  if (found?.metadata.uid === uid && !adopt) {
    refuseUnknownBackend(found, [createSentAnnotation, accountAnnotation]);
  }
  await removeOwn(client, objectBucketKind, { name: objectBucketName }, (object) => {
    const record = readObjectBucket(object);
    return isOfClaim(record, uid) || (record.claimRef === undefined && isWrittenBy(object, inputs));
  });
  const isOwned = (object: KubernetesObject): boolean => isOwnedByUid(object, uid);
  await removeOwn(client, secretKind, { namespace, name: secretName }, isOwned);
  await removeOwn(client, configMapKind, { namespace, name: configMapName }, isOwned);
  await removeOwn(client, objectBucketClaimKind, { namespace, name }, ofOurs(uid, inputs));
}

/** UID of a claim that this component has asked for without an answer; `undefined` if none was made. */
function unansweredUid(found: KubernetesObject | undefined, inputs: ClaimInputs): string | undefined {
  return found !== undefined && isWrittenBy(found, inputs) ? found.metadata.uid : undefined;
}

/**
 * What a run that was killed has asked for, and no state knows, is for the next `up` to take up.
 *
 * @param wanted The marks that tell of it.
 * @throws RefusedError for a claim that has one of them.
 */
export function refuseUnknownBackend({ metadata }: KubernetesObject, wanted: readonly string[]): void {
  const { annotations = {} } = metadata;
  const marks = wanted.filter((key) => annotations[key] !== undefined);
  if (marks.length === 0) return;
  throw new RefusedError(
    `${describe(objectBucketClaimKind, metadata)} may have a bucket or an account in the backend, which no resource of the ` +
      `state has any more: ${howLeftBehind}; nothing was deleted. Next: run \`pulumi up\` first, which takes it into the state. ` +
      `If nothing is left there, or it is to stay without its objects: kubectl annotate -n ${metadata.namespace ?? ""} objectbucketclaims.${group} ${metadata.name} ` +
      marks.map((mark) => `${mark}-`).join(" "),
  );
}

async function removeOwn(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
  isOwn: (object: KubernetesObject) => boolean,
): Promise<void> {
  const found = await client.get(kind, reference);
  if (found === undefined || !isOwn(found)) return;
  const { uid } = found.metadata;
  await removeFinalizers(client, kind, reference, uid, [finalizer]);
  if (uid !== undefined) await client.delete(kind, reference, { uid });
  await untilGone(client, kind, reference, uid, [finalizer]);
}
