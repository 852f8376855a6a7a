import type { KubernetesClient } from "../../kubernetes/client";
import { createKept } from "../../kubernetes/create-kept";
import { KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { ownerAnnotation, resourceAnnotation, stackIdAnnotation } from "../../kubernetes/ownership";
import { provisionerLabel, provisionerLabelValue } from "../cosi-proposals/provisioner-label";
import type { ChosenClass } from "./class-choice";
import type { ContentInputs } from "./content-state";
import { bucketAnnotation, endSentAnnotation, finalizer, type Kinds } from "./kinds";
import { bucketMark, contentNameOf, type BucketName } from "./names";
import { identityFields } from "./protocol-block";
import { readContent, type ContentRecord } from "./records";
import { protocolBlocks } from "./specs";

/** The label of managed resources; none for a static class without a provisioner (K02-017). */
export function provisionerLabels(provisioner: string | null): Record<string, string> {
  const value = provisionerLabelValue(provisioner ?? "");
  return value === "" ? {} : { [provisionerLabel]: value };
}

/** Creates the BucketContent of a Bucket; one of this very Bucket, of a run that was killed, is gone on with. */
export async function writeContent(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
  { bucketClass, bucketCase }: ChosenClass,
): Promise<void> {
  const { bucket, requestProtocol, owner, resource, kubernetes } = inputs;
  const name = contentNameOf(bucketClass.name, bucket);
  if (await isThere(client, kinds, name, bucket)) return;
  const isStatic = bucketCase === "static";
  const { provisioner, secretRef, bucketIdentifier } = bucketClass;
  const object = {
    metadata: {
      name,
      labels: provisionerLabels(provisioner),
      finalizers: [finalizer],
      annotations: {
        [ownerAnnotation]: owner,
        [stackIdAnnotation]: kubernetes?.stackId ?? "",
        [resourceAnnotation]: resource,
        [bucketAnnotation]: bucketMark(bucket),
      },
    },
    spec: {
      ...(provisioner === null ? {} : { provisioner }),
      releasePolicy: bucketClass.releasePolicy,
      accessMode: bucketClass.accessMode,
      bucketClassName: bucketClass.name,
      protocol: requestProtocol,
      parameters: bucketClass.parameters,
      ...(isStatic && secretRef !== null ? { secretRef } : {}),
      ...(isStatic
        ? { [protocolBlocks[requestProtocol]]: identityFields(requestProtocol, bucketIdentifier ?? {}) }
        : {}),
    },
  };
  try {
    await createKept(client, kinds.bucketContent, object);
  } catch (error) {
    if (!(error instanceof KubernetesError && error.conflict)) throw error;
    if (!(await isThere(client, kinds, name, bucket))) throw error;
  }
}

/** @throws RefusedError for a BucketContent of another Bucket. */
async function isThere(
  client: KubernetesClient,
  kinds: Kinds,
  name: string,
  bucket: BucketName,
): Promise<boolean> {
  const found = await client.get(kinds.bucketContent, { name });
  if (found === undefined) return false;
  requireOwn(kinds, bucket, found);
  return true;
}

/** K02-038. @throws RefusedError for a BucketContent that was not made for this Bucket. */
export function requireOwn(kinds: Kinds, bucket: BucketName, found: KubernetesObject): ContentRecord {
  const content = readContent(found);
  if (isOwn(bucket, content)) return content;
  throw new RefusedError(
    `${describe(kinds.bucketContent, content)} exists and was not made for ${describe(kinds.bucket, bucket)} (UID ` +
      `${bucket.uid}); it stays as it is: delete it first if nobody needs it`,
  );
}

/**
 * The BucketContent of this Bucket, whose account lives as far as anybody knows.
 *
 * @throws RefusedError where it is another Bucket's, or a call may have ended the account.
 */
export function requireLiving(kinds: Kinds, bucket: BucketName, found: KubernetesObject): ContentRecord {
  const content = requireOwn(kinds, bucket, found);
  if (!content.endSent) return content;
  throw new RefusedError(
    `${describe(kinds.bucketContent, content)}: a destroy has sent the call that ends the bucket or account, with unknown ` +
      "outcome, so the credentials may be dead. Next: `pulumi destroy` (`--target` for this Bucket and what depends on it) " +
      "completes it. If you have checked that they still work: kubectl annotate " +
      `bucketcontents.${kinds.group} ${content.name} ${endSentAnnotation}-`,
  );
}

/** True for the BucketContent that was made for this Bucket, and for no earlier one of its name. */
export function isOwn(bucket: BucketName, content: ContentRecord): boolean {
  const { uuid = bucket.uid } = content.bucketRef;
  return content.bucket === bucketMark(bucket) && uuid === bucket.uid;
}
