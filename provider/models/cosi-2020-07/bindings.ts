import { createHash } from "node:crypto";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject, swap } from "../../kubernetes/metadata";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import type { KubernetesTarget } from "../../kubernetes/target";
import { finalizer, grantingAnnotation, type Kinds } from "./kinds";
import { provisionerLabel, provisionerLabelValue } from "../cosi-proposals/provisioner-label";
import { readBucket, usersOf, type BucketRecord } from "./records";
import { requestOfMark } from "./request-mark";
import { setPhase } from "./status";

/**
 * Annotation on a Bucket whose BucketRequest has gone while others are bound to it. The one who takes the last binding out
 * then knows that nobody waits for the Bucket; it is written by a compare-and-swap, so that the two cannot miss each other.
 */
export const requestGoneAnnotation = "pulumi-cosi/bucket-request-gone";

/** What a Bucket says while it has no binding and its request is there. */
export const awaitingAccess = "the bucket is there; no access is bound to it";

/** A deletion has begun, or the backend's bucket goes or is gone. */
export function isGoing({ phase, deletionTimestamp }: BucketRecord): boolean {
  return deletionTimestamp !== undefined || phase === "Deleting" || phase === "Deleted";
}

/**
 * Announces that a grant is under way, with the finalizer, in one compare-and-swap.
 *
 * @throws RefusedError for a Bucket that is gone or goes.
 */
export async function announce(
  client: KubernetesClient,
  kinds: Kinds,
  bucketName: string,
  entry: string,
): Promise<void> {
  const announced = await changeObject(client, kinds.bucket, { name: bucketName }, (object) => {
    const bucket = readBucket(object);
    if (isGoing(bucket)) throw new RefusedError(goingText(kinds, bucket));
    if (usersOf(bucket).includes(entry) && bucket.isProtected) return undefined;
    const { finalizers = [] } = object.metadata;
    return {
      metadata: {
        finalizers: [...new Set([...finalizers, finalizer])],
        ...(bucket.bindings.includes(entry) ? {} : { annotations: { [grantingKey(entry)]: entry } }),
      },
    };
  });
  if (announced !== undefined) return;
  throw new RefusedError(`${describe(kinds.bucket, { name: bucketName })} does not exist`);
}

/**
 * Adds a binding, with label and finalizer, in one compare-and-swap.
 *
 * @param announced The grant has to be announced on this very Bucket, or bound already.
 * @throws RefusedError for a Bucket that is gone or goes, or that is another one than access was granted to: K07-083.
 */
export async function bind(
  client: KubernetesClient,
  kinds: Kinds,
  bucketName: string,
  entry: string,
  { announced = false } = {},
): Promise<void> {
  const bound = await changeObject(client, kinds.bucket, { name: bucketName }, (object) => {
    const bucket = readBucket(object);
    const { finalizers = [], labels = {} } = object.metadata;
    const label = provisionerLabelValue(bucket.provisioner);
    const isBound = bucket.bindings.includes(entry) && !bucket.granting.includes(entry);
    if (isBound && bucket.isProtected && labels[provisionerLabel] === label) return undefined;
    if (isGoing(bucket)) throw new RefusedError(goingText(kinds, bucket));
    if (announced && !usersOf(bucket).includes(entry)) {
      throw new RefusedError(
        `${describe(kinds.bucket, { name: bucketName })} is not the one that access was granted to: it has since been ` +
          "made again. Next: `pulumi destroy` with --target for the access, or name another Bucket",
      );
    }
    return {
      metadata: {
        labels: { [provisionerLabel]: label },
        finalizers: [...new Set([...finalizers, finalizer])],
        annotations: { [grantingKey(entry)]: null },
      },
      spec: { bindings: [...new Set([...bucket.bindings, entry])] },
    };
  });
  if (bound !== undefined) return;
  throw new RefusedError(`${describe(kinds.bucket, { name: bucketName })} does not exist`);
}

/** The annotation of a grant that is under way: what an entry has, a key cannot hold. */
function grantingKey(entry: string): string {
  return `${grantingAnnotation}${createHash("sha256").update(entry).digest("hex").slice(0, 16)}`;
}

/** A Bucket whose bucket is being made still: there is nothing to bind to. */
export function isBeingMade({ request, phase, message, bindings }: BucketRecord): boolean {
  return request !== undefined && phase === "Creating" && message !== awaitingAccess && bindings.length === 0;
}

/** @throws RefusedError for a Bucket whose bucket is being made, or could not be. */
export function requireMade(kinds: Kinds, bucket: BucketRecord): void {
  if (!isBeingMade(bucket)) return;
  throw new RefusedError(
    `${describe(kinds.bucket, { name: bucket.name })} has no bucket in the backend yet (${bucket.message}): run the ` +
      "command again when the stack that makes it is done",
  );
}

/** Why nothing is bound to a Bucket any more. */
export function goingText(kinds: Kinds, { name, phase, deletionTimestamp }: BucketRecord): string {
  const state = deletionTimestamp === undefined ? `has the phase ${phase}` : "is being deleted";
  return `${describe(kinds.bucket, { name })} ${state}, so no access is bound to it: name another Bucket`;
}

/**
 * Takes a binding out, or the announcement of one, by compare-and-swap, so that exactly one of several finds itself the last.
 *
 * @returns The Bucket as it is then; `undefined` if it is gone.
 */
export async function unbind(
  client: KubernetesClient,
  kinds: Kinds,
  bucketName: string,
  entry: string,
): Promise<BucketRecord | undefined> {
  const object = await changeObject(client, kinds.bucket, { name: bucketName }, (found) => {
    const { bindings, granting } = readBucket(found);
    const isBound = bindings.includes(entry);
    if (!isBound && !granting.includes(entry)) return undefined;
    return {
      metadata: { annotations: { [grantingKey(entry)]: null } },
      ...(isBound ? { spec: { bindings: bindings.filter((other) => other !== entry) } } : {}),
    };
  });
  return object === undefined ? undefined : readBucket(object);
}

/**
 * Brings a Bucket without bindings to rest, unless somebody has bound to it meanwhile or deletes it: one whose request is
 * there waits for an access; any other is `Released`, and free of our finalizer, as nothing watches it.
 */
export async function rest(client: KubernetesClient, kinds: Kinds, bucketName: string): Promise<void> {
  const reference = { name: bucketName };
  const isReleased = await swap(client, kinds.bucket, reference, async (object) => {
    const bucket = readBucket(object);
    if (usersOf(bucket).length > 0 || isGoing(bucket)) return false;
    const awaited = await isAwaited(client, kinds, object, bucket);
    const [phase, message] = awaited ? ["Creating", awaitingAccess] : ["Released", null];
    if (bucket.phase !== phase || bucket.message !== (message ?? "")) {
      await client.patchStatus(kinds.bucket, reference, { phase, message }, object.metadata.resourceVersion);
    }
    const made = requestOfMark(bucket.request ?? "");
    // K07-108: the request that it was made for awaits access too.
    if (awaited && made !== undefined)
      await setPhase(client, kinds.bucketRequest, made, { phase: "Creating" });
    return !awaited;
  });
  if (isReleased === true) await unprotect(client, kinds, bucketName);
}

/** Takes our finalizer off a Bucket to which nothing is bound. @param uid Of the Bucket. @default whichever has the name */
export async function unprotect(
  client: KubernetesClient,
  kinds: Kinds,
  bucketName: string,
  uid?: string,
): Promise<void> {
  await changeObject(client, kinds.bucket, { name: bucketName }, (object) => {
    const bucket = readBucket(object);
    if (uid !== undefined && bucket.uid !== uid) return undefined;
    if (!bucket.isProtected || usersOf(bucket).length > 0) return undefined;
    return {
      metadata: { finalizers: (object.metadata.finalizers ?? []).filter((entry) => entry !== finalizer) },
    };
  });
}

/** True while the request is there for which the Bucket was made. */
async function isAwaited(
  client: KubernetesClient,
  kinds: Kinds,
  { metadata }: KubernetesObject,
  { request }: BucketRecord,
): Promise<boolean> {
  const made = request === undefined ? undefined : requestOfMark(request);
  if (made === undefined || metadata.annotations?.[requestGoneAnnotation] !== undefined) return false;
  const found = await client.get(kinds.bucketRequest, { namespace: made.namespace, name: made.name });
  return found?.metadata.uid === made.uid;
}

/** The Bucket as it is now. */
export async function findBucket(
  target: KubernetesTarget,
  kinds: Kinds,
  name: string,
): Promise<{ client: KubernetesClient; bucket: BucketRecord | undefined }> {
  const client = await connectKubernetes(target);
  const object = await client.get(kinds.bucket, { name });
  return { client, bucket: object === undefined ? undefined : readBucket(object) };
}
