import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { describe } from "../../kubernetes/object";
import { refuseForeignSuccessor } from "../../kubernetes/successor";
import { createMarkOf } from "../create-mark";
import type {
  BucketObjects,
  BucketObserver,
  BucketToDelete,
  CreateRequest,
  DeletePlan,
  FailedCall,
  FailedDelete,
  Observation,
} from "../model";
import { markSent } from "../sent-mark";
import { heldDeletion } from "../terminating";
import { markOf } from "./claim-mark";
import { refuseUnknownBackend } from "./claim-removal";
import { mayHaveEndedText } from "./ended-text";
import {
  accountAnnotation,
  createSentAnnotation,
  endSentAnnotation,
  finalizer,
  lastErrorAnnotation,
  objectBucketClaimKind,
} from "./kinds";
import { requireRemovable } from "./removable";
import { tellReleased } from "./released";
import { refuseSharedBucket } from "./shared-bucket";
import { tellError, writePhase, type UidReference } from "./status";

/** The claim that a bucket is made for, or granted to. */
export class ClaimObserver implements BucketObserver {
  readonly #objects: BucketObjects;
  readonly #mark: string;
  readonly #endsAccount: boolean;
  /** A call is made for the bucket; one that was there is known without. */
  readonly #isAsked: boolean;

  constructor(objects: BucketObjects, request: CreateRequest) {
    this.#objects = objects;
    this.#mark = createMarkOf(request);
    this.#endsAccount = request.grantsAtCreate === true;
    this.#isAsked = request.isSent !== false;
  }

  async beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const claim = this.#claim;
    const client = await this.#connect();
    let earlierAttempt: boolean | undefined;
    let held: string | undefined;
    const marked = await changeMetadata(client, objectBucketClaimKind, claim, (object) => {
      requireUid(objectBucketClaimKind, claim, object, claim.uid);
      const mark = object.metadata.annotations?.[createSentAnnotation];
      // Of a bucket with its account whatever was asked for was for this claim. Of any other one the mark of another call
      // stays: its bucket has the name, whatever becomes of this call.
      const isMarked = this.#endsAccount ? mark !== undefined : mark === this.#mark;
      // Our own mark tells at the first look alone: where the answer to our write is lost, the next one sees it.
      if (earlierAttempt === undefined || mark !== this.#mark) earlierAttempt = isMarked;
      held = isMarked ? heldDeletion(objectBucketClaimKind, object, finalizer) : undefined;
      if (held !== undefined) return undefined;
      requireNotTerminating(objectBucketClaimKind, claim, object);
      if (mark === this.#mark || !this.#isAsked || (mark !== undefined && !this.#endsAccount))
        return undefined;
      return { annotations: { [createSentAnnotation]: this.#mark } };
    });
    if (marked === undefined) {
      throw new RefusedError(
        `${describe(objectBucketClaimKind, claim)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    try {
      await writePhase(client, objectBucketClaimKind, claim, "Pending");
    } catch (error) {
      // Nothing was sent: the next run would believe the mark.
      if (earlierAttempt !== true) await attemptAll([() => this.#unmarkCreate()]);
      throw error;
    }
    return { earlierAttempt: earlierAttempt === true, ...(held === undefined ? {} : { held }) };
  }

  async created(): Promise<void> {
    // Whatever ended before, what this answer has told lives. The phase is for when all of it is there.
    const asked = this.#isAsked ? { [createSentAnnotation]: this.#mark } : {};
    await this.#annotate({ [endSentAnnotation]: null, [lastErrorAnnotation]: null, ...asked });
  }

  async failed({ kept, isFinal, reason }: FailedCall): Promise<boolean> {
    const claim = this.#claim;
    let released = false;
    await attemptAll([
      async () => {
        if (!kept) await this.#unmarkCreate();
        released = true;
      },
      async () => {
        await tellError(await this.#connect(), claim, reason);
      },
      async () => {
        const phase = isFinal ? "Failed" : "Pending";
        await writePhase(await this.#connect(), objectBucketClaimKind, claim, phase);
      },
    ]);
    return released;
  }

  async beforeDelete(bucket: BucketToDelete): Promise<DeletePlan> {
    const { made, deletes } = bucket;
    const claim = this.#claim;
    const client = await this.#connect();
    const present = await client.get(objectBucketClaimKind, claim);
    const found = refuseForeignSuccessor(objectBucketClaimKind, claim, present, claim.uid, this.#objects);
    // The account goes before the bucket: OBC-083. One that the state knows is gone by now.
    if (found?.metadata.uid === claim.uid) refuseUnknownBackend(found, [accountAnnotation]);
    if (deletes && made) await refuseSharedBucket(client, claim, this.#objects.bucket.name, bucket);
    if (made && (deletes || this.#endsAccount))
      await requireRemovable(client, this.#objects.bucket, claim, found);
    await tellReleased(client, claim, this.#objects.bucket.name);
    // A bucket without an account that is gone is told by the next grant.
    const marks = made && this.#endsAccount;
    const earlierAttempt = marks && (await markSent(client, markOf(claim, endSentAnnotation)));
    return { backend: deletes, earlierAttempt };
  }

  async deleteFailed({ outcomeUnknown, reason }: FailedDelete): Promise<void> {
    await attemptAll([
      async () => {
        if (!outcomeUnknown) await this.#annotate({ [endSentAnnotation]: null });
      },
      async () => {
        await tellError(await this.#connect(), this.#claim, reason);
      },
    ]);
  }

  async deleted(plan?: DeletePlan): Promise<void> {
    // What has ended stays told: a state that is older than this takes it for something that is there.
    const hasEnded = plan?.backend === true || this.#endsAccount;
    await this.#annotate({ [createSentAnnotation]: null, [endSentAnnotation]: hasEnded ? "true" : null });
  }

  async failedLater(reason: string): Promise<void> {
    await attemptAll([async () => tellError(await this.#connect(), this.#claim, reason)]);
  }

  async read(): Promise<Observation> {
    const claim = this.#claim;
    const client = await this.#connect();
    const found = await client.get(objectBucketClaimKind, claim);
    if (found?.metadata.uid !== claim.uid) {
      return {
        drift: [],
        notes: [],
        lostClaim: `${describe(objectBucketClaimKind, claim)} (UID ${claim.uid})`,
      };
    }
    const { annotations = {} } = found.metadata;
    const drift = [];
    if (this.#isAsked && annotations[createSentAnnotation] === undefined)
      drift.push(`claim's annotation ${createSentAnnotation} is missing`);
    if (annotations[endSentAnnotation] !== undefined)
      drift.push("a call that ends the bucket or its account may have been sent");
    return { drift, notes: [] };
  }

  async restore(): Promise<void> {
    const claim = this.#claim;
    await changeMetadata(await this.#connect(), objectBucketClaimKind, claim, (object) => {
      requireUid(objectBucketClaimKind, claim, object, claim.uid);
      const { annotations = {} } = object.metadata;
      if (annotations[endSentAnnotation] !== undefined) throw new RefusedError(mayHaveEndedText(claim));
      const isUnmarked = this.#isAsked && annotations[createSentAnnotation] === undefined;
      // The change that was refused is taken back.
      const isTold = annotations[lastErrorAnnotation] !== undefined;
      if (!isUnmarked && !isTold) return undefined;
      return {
        annotations: {
          ...(isUnmarked ? { [createSentAnnotation]: this.#mark } : {}),
          ...(isTold ? { [lastErrorAnnotation]: null } : {}),
        },
      };
    });
  }

  /** The mark of another call is not this one's to take off. */
  #unmarkCreate(): Promise<void> {
    return this.#annotate({ [createSentAnnotation]: null }, this.#endsAccount ? undefined : this.#mark);
  }

  /** @param present Only where the mark of the create is this. @default whatever it is */
  async #annotate(annotations: Record<string, string | null>, present?: string): Promise<void> {
    const claim = this.#claim;
    await changeMetadata(await this.#connect(), objectBucketClaimKind, claim, ({ metadata }) => {
      const live = metadata.annotations ?? {};
      const isOther = present !== undefined && live[createSentAnnotation] !== present;
      if (metadata.uid !== claim.uid || isOther) return undefined;
      const isSame = Object.entries(annotations).every(([key, value]) => (live[key] ?? null) === value);
      return isSame ? undefined : { annotations };
    });
  }

  get #claim(): UidReference & { namespace: string } {
    const { claim } = this.#objects;
    if (claim !== null) return claim;
    throw new Error(`the bucket of ${this.#objects.bucket.name} comes without its claim`);
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }
}
