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
import { heldDeletion } from "../terminating";
import { createSentAnnotation, endSentAnnotation, finalizer, objectBucketClaimKind } from "./kinds";
import { tellReleased } from "./released";
import { tellError, writePhase, type UidReference } from "./status";

/** The claim that a bucket is made for, or granted to. */
export class ClaimObserver implements BucketObserver {
  readonly #objects: BucketObjects;
  readonly #mark: string;
  readonly #endsAccount: boolean;

  constructor(objects: BucketObjects, request: CreateRequest) {
    this.#objects = objects;
    this.#mark = createMarkOf(request);
    this.#endsAccount = request.grantsAtCreate === true;
  }

  async beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const claim = this.#claim;
    const client = await this.#connect();
    let earlierAttempt = false;
    let held: string | undefined;
    const marked = await changeMetadata(client, objectBucketClaimKind, claim, (object) => {
      requireUid(objectBucketClaimKind, claim, object, claim.uid);
      const mark = object.metadata.annotations?.[createSentAnnotation];
      earlierAttempt = mark !== undefined;
      held = earlierAttempt ? heldDeletion(objectBucketClaimKind, object, finalizer) : undefined;
      if (held !== undefined) return undefined;
      requireNotTerminating(objectBucketClaimKind, claim, object);
      return mark === this.#mark ? undefined : { annotations: { [createSentAnnotation]: this.#mark } };
    });
    if (marked === undefined) {
      throw new RefusedError(
        `${describe(objectBucketClaimKind, claim)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    await writePhase(client, objectBucketClaimKind, claim, "Pending");
    return { earlierAttempt, ...(held === undefined ? {} : { held }) };
  }

  async created(): Promise<void> {
    // Whatever ended before, what this answer has told lives. The phase is for when all of it is there.
    await this.#unmark(endSentAnnotation);
  }

  async failed({ kept, isFinal, reason }: FailedCall): Promise<boolean> {
    const claim = this.#claim;
    let released = false;
    await attemptAll([
      async () => {
        if (!kept) await this.#unmark(createSentAnnotation);
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

  async beforeDelete({ made, deletes }: BucketToDelete): Promise<DeletePlan> {
    const claim = this.#claim;
    const client = await this.#connect();
    const found = await client.get(objectBucketClaimKind, claim);
    refuseForeignSuccessor(objectBucketClaimKind, claim, found, claim.uid, this.#objects);
    await tellReleased(client, claim, this.#objects.bucket.name);
    let earlierAttempt = false;
    await changeMetadata(client, objectBucketClaimKind, claim, ({ metadata }) => {
      // A bucket without an account that is gone is told by the next grant.
      if (metadata.uid !== claim.uid || !made || !this.#endsAccount) return undefined;
      earlierAttempt = metadata.annotations?.[endSentAnnotation] !== undefined;
      return earlierAttempt ? undefined : { annotations: { [endSentAnnotation]: "true" } };
    });
    return { backend: deletes, earlierAttempt };
  }

  async deleteFailed({ outcomeUnknown, reason }: FailedDelete): Promise<void> {
    await attemptAll([
      async () => {
        if (!outcomeUnknown) await this.#unmark(endSentAnnotation);
      },
      async () => {
        await tellError(await this.#connect(), this.#claim, reason);
      },
    ]);
  }

  async deleted(): Promise<void> {
    await this.#unmark(createSentAnnotation, endSentAnnotation);
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
    if (annotations[createSentAnnotation] === undefined)
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
      return annotations[createSentAnnotation] === undefined
        ? { annotations: { [createSentAnnotation]: this.#mark } }
        : undefined;
    });
  }

  async #unmark(...marks: string[]): Promise<void> {
    const claim = this.#claim;
    await changeMetadata(await this.#connect(), objectBucketClaimKind, claim, ({ metadata }) => {
      const present = marks.filter((mark) => metadata.annotations?.[mark] !== undefined);
      if (metadata.uid !== claim.uid || present.length === 0) return undefined;
      return { annotations: Object.fromEntries(present.map((mark) => [mark, null])) };
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

/** Why nothing of a claim is handed out any more. */
export function mayHaveEndedText(claim: UidReference): string {
  return (
    `${describe(objectBucketClaimKind, claim)}: a destroy has sent the call that ends its bucket or its account, and the outcome is ` +
    "not known, so they may be gone. Next: `pulumi destroy` (`--target` for this claim and what depends on it) completes it; " +
    "an `up` after that makes it anew"
  );
}
