import { isRecord } from "../../dynamic/values";
import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating } from "../../kubernetes/metadata";
import { describe, pathOf, type KubernetesObject } from "../../kubernetes/object";
import { warn } from "../../run/warning";
import type { ClaimedApi } from "./claimed-api";

/** The claim that takes a static Bucket. */
export interface BindingClaim {
  namespace: string;
  name: string;
  uid: string;
}

/** Annotation on a static Bucket that names no claim: the one that took it, `<namespace>/<name>/<uid>`. */
const boundClaimAnnotation = "pulumi-cosi/bound-claim";

/**
 * Reads a static Bucket that a claim wants. OS1-068: one that says Delete was written elsewhere, and is told to be kept.
 *
 * @throws RefusedError if it is gone, is being deleted, or is for another claim: OS1-058, DEP-095.
 */
export async function requireBindable(
  client: KubernetesClient,
  api: ClaimedApi,
  bucketName: string,
  claim: BindingClaim,
): Promise<KubernetesObject> {
  const { kinds, fields, words } = api;
  const found = await client.get(kinds.bucket, { name: bucketName });
  if (found === undefined) {
    throw new RefusedError(
      `${describe(kinds.bucket, { name: bucketName })} does not exist, but ${describe(kinds.claim, claim)} ` +
        `names it as ${fields.existing}`,
    );
  }
  requireNotTerminating(kinds.bucket, { name: bucketName }, found);
  const other = otherClaim(api, found, claim);
  if (other !== undefined) {
    throw new RefusedError(
      `${describe(kinds.bucket, { name: bucketName })} is for ${kinds.claim.kind} ${other}, so ` +
        `${describe(kinds.claim, claim)} cannot take it; it stays as it is: use that ${words.claim}, or another ` +
        kinds.bucket.kind,
    );
  }
  if (isRecord(found["spec"]) && found["spec"]["deletionPolicy"] === "Delete") {
    warn(
      kinds.bucket.kind,
      bucketName,
      `has deletionPolicy "Delete", and was there before the ${words.claim}: it is treated as "Retain", and never deleted`,
    );
  }
  return found;
}

/** Notes on a Bucket that names no claim that this one has it. @throws RefusedError if another one was faster. */
export async function markBound(
  client: KubernetesClient,
  api: ClaimedApi,
  bucketName: string,
  claim: BindingClaim,
): Promise<void> {
  const { kinds } = api;
  await changeMetadata(client, kinds.bucket, { name: bucketName }, (found) => {
    const other = otherClaim(api, found, claim);
    if (other !== undefined) {
      throw new RefusedError(
        `${describe(kinds.bucket, { name: bucketName })} was taken by ${kinds.claim.kind} ${other}`,
      );
    }
    const named = namedClaim(api, found).name !== undefined;
    const marked = found.metadata.annotations?.[boundClaimAnnotation] === markOf(claim);
    return named || marked ? undefined : { annotations: { [boundClaimAnnotation]: markOf(claim) } };
  });
}

/** Frees a Bucket for another claim. */
export async function unmarkBound(
  client: KubernetesClient,
  api: ClaimedApi,
  bucketName: string,
  claim: BindingClaim,
): Promise<void> {
  await changeMetadata(client, api.kinds.bucket, { name: bucketName }, (found) =>
    found.metadata.annotations?.[boundClaimAnnotation] === markOf(claim)
      ? { annotations: { [boundClaimAnnotation]: null } }
      : undefined,
  );
}

/** The claim that a Bucket is for, if it is not this one: by its spec, else by the mark. */
function otherClaim(api: ClaimedApi, bucket: KubernetesObject, claim: BindingClaim): string | undefined {
  const { namespace, name, uid } = namedClaim(api, bucket);
  if (name !== undefined) {
    const same =
      name === claim.name && namespace === claim.namespace && (uid === undefined || uid === claim.uid);
    return same ? undefined : `${pathOf({ namespace, name })}${uid === undefined ? "" : ` (UID ${uid})`}`;
  }
  const mark = bucket.metadata.annotations?.[boundClaimAnnotation];
  return mark === undefined || mark === markOf(claim) ? undefined : mark;
}

function namedClaim(
  { fields }: ClaimedApi,
  bucket: KubernetesObject,
): { namespace?: string; name?: string; uid?: string } {
  const spec = isRecord(bucket["spec"]) ? bucket["spec"] : {};
  const claim = spec[fields.claim];
  const reference = isRecord(claim) ? claim : {};
  const text = (field: string) => {
    const value = reference[field];
    return typeof value === "string" && value !== "" ? { [field]: value } : {};
  };
  return { ...text("namespace"), ...text("name"), ...text("uid") };
}

function markOf({ namespace, name, uid }: BindingClaim): string {
  return `${namespace}/${name}/${uid}`;
}
