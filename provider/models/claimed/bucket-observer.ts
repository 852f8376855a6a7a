import { errorText } from "../../dynamic/error-text";
import { isRecord } from "../../dynamic/values";
import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { goingObject, requireDeletable } from "../../kubernetes/dry-run";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import {
  changeMetadata,
  changeStatus,
  requireNotTerminating,
  requireUid,
  type MetadataChange,
} from "../../kubernetes/metadata";
import {
  describe,
  pathOf,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../kubernetes/object";
import { isOurs, ofOurs, refuseForeignSuccessor, refuseOthersMark } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import type {
  BucketObjects,
  BucketObserver,
  BucketToDelete,
  CreateRequest,
  FailedCall,
  Observation,
} from "../model";
import { createMarkOf } from "../create-mark";
import { refuseForeignAccesses, refuseGrantedAccesses } from "./foreign-accesses";
import { createSentAnnotation } from "./annotations";
import type { ClaimedApi } from "./claimed-api";
import { bucketStatus, claimStatus, claimStatusFields } from "./status";
import { heldDeletion, terminatingNotes } from "../terminating";

/** The objects around a bucket: its Bucket, and the claim that it is for. */
export class ClaimedBucketObserver implements BucketObserver {
  readonly #api: ClaimedApi;
  readonly #objects: BucketObjects;
  readonly #mark: string;
  /** What the Bucket object has to say; `undefined` for a static one, which is written as a whole by its own resource. */
  readonly #policy: string | undefined;

  constructor(api: ClaimedApi, objects: BucketObjects, request: CreateRequest) {
    this.#api = api;
    this.#objects = objects;
    this.#mark = createMarkOf(request);
    this.#policy = objects.claim === null ? undefined : request.deletionPolicy;
  }

  async beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const { bucket } = this.#objects;
    const { kinds } = this.#api;
    const client = await this.#connect();
    const known = client.lastWritten(kinds.bucket, bucket) ?? (await client.get(kinds.bucket, bucket));
    try {
      return await this.#prepare(client, known);
    } catch (error) {
      // Nothing was sent: what this attempt has put on would hold back a `destroy` for nothing.
      if (this.#isHeld(known) || (await this.failed({ kept: false }))) throw error;
      return { earlierAttempt: false, held: `${errorText(error)} ${this.#keptForFinalizer()}` };
    }
  }

  /** It was held back before this attempt: a static Bucket by its finalizer, any other by the mark of a create. */
  #isHeld(known: KubernetesObject | undefined): boolean {
    const { finalizers = [], annotations = {} } = known?.metadata ?? {};
    return this.#objects.claim === null
      ? finalizers.includes(this.#api.finalizers.bucket)
      : annotations[createSentAnnotation] !== undefined;
  }

  async #prepare(
    client: KubernetesClient,
    known: KubernetesObject | undefined,
  ): Promise<{ earlierAttempt: boolean; held?: string }> {
    const { bucket, claim } = this.#objects;
    const { kinds, finalizers } = this.#api;
    const ours = [finalizers.bucket];
    const protectedBucket = await addFinalizers(client, kinds.bucket, bucket, bucket.uid, ours, known);
    const held = heldDeletion(kinds.bucket, protectedBucket, finalizers.bucket);
    if (held !== undefined) return { earlierAttempt: true, held };
    // No create call is made for a static bucket.
    if (claim === null) return { earlierAttempt: false };
    await this.#tellClaim(client, claim);
    let earlierAttempt: boolean | undefined;
    const mark = (found: KubernetesObject): MetadataChange | undefined => {
      requireUid(kinds.bucket, bucket, found, bucket.uid);
      const present = found.metadata.annotations?.[createSentAnnotation];
      // By the first look alone: where the answer to our own write is lost, the next one sees our own mark.
      earlierAttempt ??= present === this.#mark;
      // The mark of another call stays: its bucket has the name, whatever becomes of this call.
      return present === undefined ? { annotations: { [createSentAnnotation]: this.#mark } } : undefined;
    };
    const marked = await changeMetadata(client, kinds.bucket, bucket, mark, protectedBucket);
    if (marked === undefined)
      throw new RefusedError(`${describe(kinds.bucket, bucket)} was deleted meanwhile`);
    return { earlierAttempt: earlierAttempt === true };
  }

  async created({ bucketId, bucketInfo }: Parameters<BucketObserver["created"]>[0]): Promise<void> {
    const { bucket, claim } = this.#objects;
    const { kinds, fields, bucketProblem } = this.#api;
    const client = await this.#connect();
    const ready = { [fields.ready]: true, [fields.bucketId]: bucketId };
    const written = await client.patchStatus(kinds.bucket, bucket, ready);
    if (claim !== null) await client.patchStatus(kinds.claim, claim, this.#claimStatus(true));
    if (this.#isOtherPolicy(written)) {
      const spec = { deletionPolicy: this.#policy };
      await client.patch(kinds.bucket, bucket, { metadata: { uid: written.metadata.uid }, spec });
    }
    const problem = bucketProblem?.(written, bucketInfo);
    if (problem === undefined) return;
    const [kind, object] = claim === null ? [kinds.bucket, bucket] : [kinds.claim, claim];
    warn(kind.kind, pathOf(object), problem);
  }

  async failed({ kept }: Pick<FailedCall, "kept">): Promise<boolean> {
    const { bucket, claim } = this.#objects;
    const { kinds, fields } = this.#api;
    let released = false;
    const release = async (): Promise<void> => {
      await this.#release();
      released = true;
    };
    await attemptAll([
      ...(kept ? [] : [release]),
      () => this.#notReady(kinds.bucket, bucket, { [fields.ready]: false }),
      ...(claim === null ? [] : [() => this.#notReady(kinds.claim, claim, this.#claimStatus(false))]),
    ]);
    return released;
  }

  async beforeDelete({ made, deletes }: Pick<BucketToDelete, "made" | "deletes">): Promise<undefined> {
    const { bucket, claim } = this.#objects;
    const { kinds } = this.#api;
    const client = await this.#connect();
    const found = await client.get(kinds.bucket, bucket);
    refuseForeignSuccessor(kinds.bucket, bucket, found, bucket.uid, this.#objects);
    if (claim === null) return undefined;
    const foundClaim = await client.get(kinds.claim, claim);
    refuseOthersMark(kinds.claim, claim, foundClaim, claim.uid, this.#objects);
    const accesses = await refuseForeignAccesses(client, this.#api, claim, this.#objects, "bucket");
    if (!deletes) return undefined;
    await refuseGrantedAccesses(client, this.#api, claim, accesses);
    if (made) await this.#requireDeletable(client, claim, found, foundClaim);
    return undefined;
  }

  /** The bucket and its data go last of all that may be refused. */
  async #requireDeletable(
    client: KubernetesClient,
    claim: NonNullable<BucketObjects["claim"]>,
    found: KubernetesObject | undefined,
    foundClaim: KubernetesObject | undefined,
  ): Promise<void> {
    const { kinds, finalizers } = this.#api;
    const ofBucket = [finalizers.bucket, finalizers.bucketInUse];
    const isClaimOurs = foundClaim !== undefined && isOurs(foundClaim, claim.uid, this.#objects);
    await requireDeletable(client, [
      ...goingObject(kinds.bucket, found, ofBucket),
      ...goingObject(kinds.claim, isClaimOurs ? foundClaim : undefined, [finalizers.claim]),
    ]);
  }

  async deleted(): Promise<void> {
    const { bucket } = this.#objects;
    const { kinds, finalizers } = this.#api;
    const client = await this.#connect();
    const ours = [finalizers.bucket, finalizers.bucketInUse];
    const known = client.lastWritten(kinds.bucket, bucket);
    await removeFinalizers(client, kinds.bucket, bucket, ofOurs(bucket.uid, this.#objects), ours, known);
  }

  async read({ bucketId }: { bucketId: string }): Promise<Observation> {
    const { bucket, claim } = this.#objects;
    const { kinds, fields, words } = this.#api;
    const client = await this.#connect();
    const drift: string[] = [];
    const notes: Observation["notes"] = [];
    const foundBucket = await client.get(kinds.bucket, bucket);
    if (foundBucket === undefined) drift.push(`${describe(kinds.bucket, bucket)} is gone`);
    else {
      notes.push(...terminatingNotes(kinds.bucket, foundBucket));
      drift.push(...this.#bucketDrift(foundBucket, bucketId));
    }
    if (claim === null) return { drift, notes };
    const foundClaim = await client.get(kinds.claim, claim);
    if (foundClaim !== undefined) {
      const { bucketName, ready } = claimStatus(this.#api, foundClaim);
      const status = `${words.claim}'s status`;
      if (bucketName !== bucket.name)
        drift.push(`${status}.${fields.bucketName} is ${JSON.stringify(bucketName)}`);
      if (!ready) drift.push(`${status}.${fields.ready} is not true`);
    }
    if (foundClaim?.metadata.uid === claim.uid) return { drift, notes };
    return { drift, notes, lostClaim: `${describe(kinds.claim, claim)} (UID ${claim.uid})` };
  }

  async restore({ bucketId }: { bucketId: string }): Promise<void> {
    const { bucket, claim } = this.#objects;
    const { kinds, finalizers } = this.#api;
    const client = await this.#connect();
    await changeMetadata(client, kinds.bucket, bucket, (found) => {
      const present = found.metadata.finalizers ?? [];
      const annotated = found.metadata.annotations?.[createSentAnnotation] !== undefined || claim === null;
      if (present.includes(finalizers.bucket) && annotated) return undefined;
      requireNotTerminating(kinds.bucket, bucket, found);
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
    const { kinds, finalizers } = this.#api;
    await changeMetadata(await this.#connect(), kinds.bucket, bucket, ({ metadata }) => {
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

  /** OS1-054: the claim says which bucket will be made for it. */
  async #tellClaim(client: KubernetesClient, claim: NonNullable<BucketObjects["claim"]>): Promise<void> {
    const kind = this.#api.kinds.claim;
    const status = (found: KubernetesObject): Record<string, unknown> => {
      requireUid(kind, claim, found, claim.uid);
      requireNotTerminating(kind, claim, found);
      return this.#claimStatus(false);
    };
    const told = await changeStatus(client, kind, claim, status, client.lastWritten(kind, claim));
    if (told !== undefined) return;
    throw new RefusedError(
      `${describe(kind, claim)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }

  #claimStatus(ready: boolean): Record<string, unknown> {
    return claimStatusFields(this.#api, { bucketName: this.#objects.bucket.name, ready });
  }

  /** Why a resource stays in the state for which nothing was made. */
  #keptForFinalizer(): string {
    const { kinds, finalizers } = this.#api;
    return (
      `The resource stays in the state as failed, as ${describe(kinds.bucket, this.#objects.bucket)} has kept the ` +
      `finalizer ${finalizers.bucket}: the next pulumi up goes on, and a destroy takes it off.`
    );
  }

  #isOtherPolicy({ spec }: KubernetesObject): boolean {
    return this.#policy !== undefined && isRecord(spec) && spec["deletionPolicy"] !== this.#policy;
  }

  #bucketDrift(bucket: KubernetesObject, bucketId: string): string[] {
    const { kinds, finalizers, fields } = this.#api;
    const { finalizers: present = [], annotations = {} } = bucket.metadata;
    const isMarked = annotations[createSentAnnotation] !== undefined;
    const status = bucketStatus(this.#api, bucket);
    const whose = `${kinds.bucket.kind}'s`;
    const drift: string[] = [];
    if (!present.includes(finalizers.bucket))
      drift.push(`${whose} finalizer ${finalizers.bucket} is missing`);
    // No create call is made for a static bucket.
    if (this.#objects.claim !== null && !isMarked)
      drift.push(`${whose} annotation ${createSentAnnotation} is missing`);
    if (this.#isOtherPolicy(bucket)) drift.push(`${whose} spec.deletionPolicy was changed`);
    if (!status.ready) drift.push(`${whose} status.${fields.ready} is not true`);
    if (status.bucketId !== bucketId)
      drift.push(`${whose} status.${fields.bucketId} is ${JSON.stringify(status.bucketId)}`);
    return drift;
  }
}
