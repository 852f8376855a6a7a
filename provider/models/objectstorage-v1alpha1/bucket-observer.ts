import { errorText } from "../../dynamic/error-text";
import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import {
  describe,
  pathOf,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../kubernetes/object";
import { refuseForeignSuccessor } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import type { BucketObjects, BucketObserver, CreateRequest, FailedCall, Observation } from "../model";
import { createMarkOf } from "../create-mark";
import { refuseForeignAccesses } from "./foreign-accesses";
import { bucketClaimKind, bucketKind, createSentAnnotation, finalizers } from "./kinds";
import { bucketInfoProblem } from "./protocols";
import { bucketStatus, claimStatus } from "./status";
import { heldDeletion, terminatingNotes } from "../terminating";

/** The objects around a bucket: its Bucket, and the BucketClaim that it is for. */
export class ClaimedBucketObserver implements BucketObserver {
  readonly #objects: BucketObjects;
  readonly #mark: string;

  constructor(objects: BucketObjects, request: CreateRequest) {
    this.#objects = objects;
    this.#mark = createMarkOf(request);
  }

  async beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const { bucket } = this.#objects;
    const client = await this.#connect();
    const known = await client.get(bucketKind, bucket);
    try {
      return await this.#prepare(client);
    } catch (error) {
      // Nothing was sent: a finalizer of this attempt would hold back a `destroy` for nothing.
      const wasOn = known?.metadata.finalizers?.includes(finalizers.bucket) === true;
      if (wasOn || (await this.failed({ kept: false }))) throw error;
      return { earlierAttempt: false, held: `${errorText(error)} ${keptForFinalizer(bucket)}` };
    }
  }

  async #prepare(client: KubernetesClient): Promise<{ earlierAttempt: boolean; held?: string }> {
    const { bucket, claim } = this.#objects;
    const protectedBucket = await addFinalizers(client, bucketKind, bucket, bucket.uid, [finalizers.bucket]);
    const held = heldDeletion(bucketKind, protectedBucket, finalizers.bucket);
    if (held !== undefined) return { earlierAttempt: true, held };
    // No create call is made for a static bucket.
    if (claim === null) return { earlierAttempt: false };
    await this.#requireClaim(client, claim);
    await client.patchStatus(bucketClaimKind, claim, { bucketName: bucket.name, bucketReady: false });
    let earlierAttempt = false;
    const marked = await changeMetadata(client, bucketKind, bucket, (found) => {
      requireUid(bucketKind, bucket, found, bucket.uid);
      const mark = found.metadata.annotations?.[createSentAnnotation];
      earlierAttempt = mark === this.#mark;
      // The mark of another call stays: its bucket has the name, whatever becomes of this call.
      return mark === undefined ? { annotations: { [createSentAnnotation]: this.#mark } } : undefined;
    });
    if (marked === undefined) throw new RefusedError(`${describe(bucketKind, bucket)} was deleted meanwhile`);
    return { earlierAttempt };
  }

  async created({ bucketId, bucketInfo }: Parameters<BucketObserver["created"]>[0]): Promise<void> {
    const { bucket, claim } = this.#objects;
    const client = await this.#connect();
    const ready = { bucketReady: true, bucketID: bucketId };
    const written = await client.patchStatus(bucketKind, bucket, ready);
    if (claim !== null) {
      await client.patchStatus(bucketClaimKind, claim, { bucketName: bucket.name, bucketReady: true });
    }
    const problem = bucketInfoProblem(written, bucketInfo);
    if (problem === undefined) return;
    const [kind, object] = claim === null ? [bucketKind, bucket] : [bucketClaimKind, claim];
    warn(kind.kind, pathOf(object), problem);
  }

  async failed({ kept }: Pick<FailedCall, "kept">): Promise<boolean> {
    const { bucket, claim } = this.#objects;
    let released = false;
    const release = async (): Promise<void> => {
      await this.#release();
      released = true;
    };
    await attemptAll([
      ...(kept ? [] : [release]),
      () => this.#notReady(bucketKind, bucket, { bucketReady: false }),
      ...(claim === null
        ? []
        : [() => this.#notReady(bucketClaimKind, claim, { bucketName: bucket.name, bucketReady: false })]),
    ]);
    return released;
  }

  async beforeDelete(): Promise<undefined> {
    const { bucket, claim } = this.#objects;
    const client = await this.#connect();
    const found = await client.get(bucketKind, bucket);
    refuseForeignSuccessor(bucketKind, bucket, found, bucket.uid, this.#objects);
    if (claim !== null) await refuseForeignAccesses(client, claim, this.#objects, "bucket");
  }

  async deleted(): Promise<void> {
    const { bucket } = this.#objects;
    const client = await this.#connect();
    const ours = [finalizers.bucket, finalizers.bucketInUse];
    await removeFinalizers(client, bucketKind, bucket, bucket.uid, ours);
  }

  async read({ bucketId }: { bucketId: string }): Promise<Observation> {
    const { bucket, claim } = this.#objects;
    const client = await this.#connect();
    const drift: string[] = [];
    const notes: Observation["notes"] = [];
    const foundBucket = await client.get(bucketKind, bucket);
    if (foundBucket === undefined) drift.push(`${describe(bucketKind, bucket)} is gone`);
    else {
      notes.push(...terminatingNotes(bucketKind, foundBucket));
      drift.push(...bucketDrift(foundBucket, bucketId, claim !== null));
    }
    if (claim === null) return { drift, notes };
    const foundClaim = await client.get(bucketClaimKind, claim);
    if (foundClaim !== undefined) {
      const { bucketName, bucketReady } = claimStatus(foundClaim);
      if (bucketName !== bucket.name)
        drift.push(`claim's status.bucketName is ${JSON.stringify(bucketName)}`);
      if (!bucketReady) drift.push("claim's status.bucketReady is not true");
    }
    if (foundClaim?.metadata.uid === claim.uid) return { drift, notes };
    return { drift, notes, lostClaim: `${describe(bucketClaimKind, claim)} (UID ${claim.uid})` };
  }

  async restore({ bucketId }: { bucketId: string }): Promise<void> {
    const { bucket, claim } = this.#objects;
    const client = await this.#connect();
    await changeMetadata(client, bucketKind, bucket, (found) => {
      const present = found.metadata.finalizers ?? [];
      const annotated = found.metadata.annotations?.[createSentAnnotation] !== undefined || claim === null;
      if (present.includes(finalizers.bucket) && annotated) return undefined;
      requireNotTerminating(bucketKind, bucket, found);
      return {
        finalizers: [...new Set([...present, finalizers.bucket])],
        ...(annotated ? {} : { annotations: { [createSentAnnotation]: this.#mark } }),
      };
    });
    await this.created({ bucketId });
  }

  /** Takes off what a call has put on that made nothing. */
  async #release(): Promise<void> {
    const { bucket } = this.#objects;
    await changeMetadata(await this.#connect(), bucketKind, bucket, ({ metadata }) => {
      const present = metadata.finalizers ?? [];
      const marked = metadata.annotations?.[createSentAnnotation] === this.#mark;
      if (metadata.uid !== bucket.uid || !(marked || present.includes(finalizers.bucket))) return undefined;
      return {
        ...(marked ? { annotations: { [createSentAnnotation]: null } } : {}),
        finalizers: present.filter((entry) => entry !== finalizers.bucket),
      };
    });
  }

  /** Writes what a call that failed means; not into an object of somebody else that has the name now. */
  async #notReady(
    kind: KubernetesKind,
    reference: ObjectReference & { uid: string },
    status: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const client = await this.#connect();
    const found = await client.get(kind, reference);
    if (found?.metadata.uid === reference.uid) await client.patchStatus(kind, reference, status);
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }

  async #requireClaim(
    client: KubernetesClient,
    claim: NonNullable<BucketObjects["claim"]>,
  ): Promise<KubernetesObject> {
    const found = await client.get(bucketClaimKind, claim);
    if (found === undefined) {
      throw new RefusedError(
        `${describe(bucketClaimKind, claim)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    requireUid(bucketClaimKind, claim, found, claim.uid);
    requireNotTerminating(bucketClaimKind, claim, found);
    return found;
  }
}

/** Why a resource stays in the state for which nothing was made. */
function keptForFinalizer(bucket: ObjectReference): string {
  return (
    `The resource stays in the state as failed, as ${describe(bucketKind, bucket)} has kept the finalizer ` +
    `${finalizers.bucket}: the next pulumi up goes on, and a destroy takes it off.`
  );
}

function bucketDrift(bucket: KubernetesObject, bucketId: string, marked: boolean): string[] {
  const { finalizers: present = [], annotations = {} } = bucket.metadata;
  const status = bucketStatus(bucket);
  const drift: string[] = [];
  if (!present.includes(finalizers.bucket)) drift.push(`Bucket's finalizer ${finalizers.bucket} is missing`);
  if (marked && annotations[createSentAnnotation] === undefined) {
    drift.push(`Bucket's annotation ${createSentAnnotation} is missing`);
  }
  if (!status.bucketReady) drift.push("Bucket's status.bucketReady is not true");
  if (status.bucketId !== bucketId)
    drift.push(`Bucket's status.bucketID is ${JSON.stringify(status.bucketId)}`);
  return drift;
}
