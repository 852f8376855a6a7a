import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { goingObject, requireDeletable } from "../../kubernetes/dry-run";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, changeObject, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { isOurs, refuseOthersMark } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import { createMarkOf } from "../create-mark";
import type {
  BucketObjects,
  BucketObserver,
  BucketResult,
  BucketToDelete,
  CreateRequest,
  DeletePlan,
  FailedCall,
  FailedDelete,
  Observation,
} from "../model";
import { markSent, unmarkSent, type SentMark } from "../sent-mark";
import { heldDeletion, terminatingNotes } from "../terminating";
import { isOwn, requireLiving, requireOwn } from "./content-object";
import { createSentAnnotation, endSentAnnotation, finalizer, type Kinds } from "./kinds";
import type { BucketName } from "./names";
import { issuedFields } from "./protocol-block";
import { readBucket, readClass, readContent, type ContentRecord } from "./records";
import { protocolBlocks } from "./specs";
import { writeStatus, type StatusChange } from "./status";

/** The objects around a bucket with its account: its BucketContent, and the Bucket. */
export class ContentObserver implements BucketObserver {
  readonly #objects: BucketObjects;
  readonly #kinds: Kinds;
  readonly #driverName: string;
  readonly #mark: string;
  /** What stays when the resource has gone, in words: enough to write a brownfield class for it. */
  #left: string | undefined;
  /** The last of the writes that nobody waits for. */
  #telling: Promise<void> = Promise.resolve();

  constructor(kinds: Kinds, objects: BucketObjects, request: CreateRequest) {
    this.#kinds = kinds;
    this.#objects = objects;
    this.#driverName = request.driverName;
    this.#mark = createMarkOf(request);
  }

  async beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const client = await this.#connect();
    const bucket = await client.get(this.#kinds.bucket, this.#bucket);
    if (bucket === undefined)
      throw new RefusedError(`${describe(this.#kinds.bucket, this.#bucket)} does not exist`);
    requireUid(this.#kinds.bucket, this.#bucket, bucket, this.#bucket.uid);
    requireNotTerminating(this.#kinds.bucket, this.#bucket, bucket);
    let earlierAttempt: boolean | undefined;
    let held: string | undefined;
    const marked = await changeMetadata(client, this.#kinds.bucketContent, this.#reference, (object) => {
      requireOwn(this.#kinds, this.#bucket, object);
      const { finalizers = [], annotations = {} } = object.metadata;
      // Its name has the UID of the Bucket: whatever was asked for, it was for this one.
      const mark = annotations[createSentAnnotation];
      // Our own mark tells at the first look alone: where the answer to our write is lost, the next one sees it.
      if (earlierAttempt === undefined || mark !== this.#mark) earlierAttempt = mark !== undefined;
      held = heldDeletion(this.#kinds.bucketContent, object, finalizer);
      if (held !== undefined) return undefined;
      if (mark === this.#mark && finalizers.includes(finalizer)) return undefined;
      requireNotTerminating(this.#kinds.bucketContent, this.#reference, object);
      return {
        finalizers: [...new Set([...finalizers, finalizer])],
        annotations: { [createSentAnnotation]: this.#mark },
      };
    });
    if (marked === undefined) {
      throw new RefusedError(
        `${describe(this.#kinds.bucketContent, this.#reference)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    return { earlierAttempt: earlierAttempt === true, ...(held === undefined ? {} : { held }) };
  }

  async created(result: BucketResult): Promise<void> {
    await this.#told();
    await this.#tellResult(result);
    // Whatever ended before, the account of this answer lives.
    await this.#unmark(endSentAnnotation);
  }

  /** Writes what the driver has told into the BucketContent. */
  async #tellResult({ issued = null }: BucketResult): Promise<void> {
    const client = await this.#connect();
    await changeObject(client, this.#kinds.bucketContent, this.#reference, (object) => {
      const { protocol, protocolFields } = requireOwn(this.#kinds, this.#bucket, object);
      if (protocol === undefined) return undefined;
      const fields = issuedFields(protocol, issued);
      const stale = Object.keys(protocolFields).filter((key) => !(key in fields));
      const same = Object.entries(fields).every(([key, value]) => protocolFields[key] === value);
      if (same && stale.length === 0) return undefined;
      const cleared = Object.fromEntries(stale.map((key) => [key, null]));
      return { spec: { [protocolBlocks[protocol]]: { ...cleared, ...fields } } };
    });
  }

  async failed({ kept, reason }: FailedCall): Promise<boolean> {
    await this.#told();
    let released = false;
    await attemptAll([
      async () => {
        if (!kept) await this.#unmark(createSentAnnotation);
        released = true;
      },
      () => this.#tell({ phase: "Failed", message: reason }),
    ]);
    return released;
  }

  retrying(reason: string): void {
    this.#telling = this.#telling.then(() => this.#tellQuietly({ phase: "Retrying", message: reason }));
  }

  async beforeDelete(bucket: BucketToDelete): Promise<DeletePlan> {
    const client = await this.#connect();
    const found = await client.get(this.#kinds.bucket, this.#bucket);
    refuseOthersMark(this.#kinds.bucket, this.#bucket, found, this.#bucket.uid, this.#objects);
    const backend = await this.#deletes(client, bucket);
    const { bucketId } = bucket;
    if (!backend && bucketId !== null) {
      this.#left = `stays with its data: driver ${this.#driverName}, protocol ${await this.#protocol(client)}, bucket ${bucketId}`;
    }
    if (bucket.made) await this.#requireDeletable(client, found);
    await this.#tell({ isDeleting: true });
    await writeStatus(client, this.#kinds.bucket, this.#bucket, { isDeleting: true });
    // Last: nothing that fails comes between the mark and the call.
    const earlierAttempt = bucket.made && (await markSent(client, this.#markOf(endSentAnnotation)));
    return { backend, objectGoes: true, earlierAttempt };
  }

  async deleted(plan?: DeletePlan): Promise<void> {
    await this.#told();
    const client = await this.#connect();
    const message =
      plan?.backend === true
        ? "the backend's bucket is deleted"
        : "access to the backend's bucket has ended; the bucket stays";
    await this.#tell({ phase: "Released", message });
    const { namespace, name } = this.#bucket;
    if (this.#left !== undefined) warn(this.#kinds.bucket.kind, `${namespace}/${name}`, this.#left);
    await changeMetadata(client, this.#kinds.bucketContent, this.#reference, (object) => {
      const content = readContent(object);
      if (!isOwn(this.#bucket, content)) return undefined;
      if (!content.isProtected && !content.createSent && !content.endSent) return undefined;
      return {
        annotations: { [createSentAnnotation]: null, [endSentAnnotation]: null },
        finalizers: (object.metadata.finalizers ?? []).filter((entry) => entry !== finalizer),
      };
    });
  }

  async deleteFailed({ outcomeUnknown, reason }: FailedDelete): Promise<void> {
    await this.#told();
    await attemptAll([
      async () => {
        if (!outcomeUnknown) await this.#unmark(endSentAnnotation);
      },
      () => this.#tell({ phase: "Failed", message: reason }),
    ]);
  }

  async read({ bucketId }: { bucketId: string }): Promise<Observation> {
    const client = await this.#connect();
    const found = await client.get(this.#kinds.bucketContent, this.#reference);
    const bucket = await client.get(this.#kinds.bucket, this.#bucket);
    const lostClaim =
      bucket?.metadata.uid === this.#bucket.uid
        ? {}
        : { lostClaim: `${describe(this.#kinds.bucket, this.#bucket)} (UID ${this.#bucket.uid})` };
    if (found === undefined) {
      return {
        drift: [`${describe(this.#kinds.bucketContent, this.#reference)} is gone`],
        notes: [],
        ...lostClaim,
      };
    }
    return {
      drift: this.#driftOf(readContent(found), bucketId),
      notes: terminatingNotes(this.#kinds.bucketContent, found),
      ...lostClaim,
    };
  }

  async restore(result: BucketResult): Promise<void> {
    const client = await this.#connect();
    await changeMetadata(client, this.#kinds.bucketContent, this.#reference, (object) => {
      const { isProtected, createSent } = requireLiving(this.#kinds, this.#bucket, object);
      if (isProtected && createSent) return undefined;
      requireNotTerminating(this.#kinds.bucketContent, this.#reference, object);
      return {
        finalizers: [...new Set([...(object.metadata.finalizers ?? []), finalizer])],
        annotations: { [createSentAnnotation]: this.#mark },
      };
    });
    await this.#tellResult(result);
  }

  /** K02-090: what was made is deleted only where object, class and state agree. */
  async #deletes(client: KubernetesClient, { name, bucketId, deletes }: BucketToDelete): Promise<boolean> {
    const found = await client.get(this.#kinds.bucketContent, this.#reference);
    const content = found === undefined ? undefined : readContent(found);
    const own = content !== undefined && isOwn(this.#bucket, content) ? content : undefined;
    const where = `the bucket ${bucketId ?? name} of driver ${this.#driverName}`;
    if (own === undefined) {
      this.#warn(`is gone, so the recorded values are used for ${where}`);
      if (deletes)
        this.#warn(`is gone, and with it the policy for ${where}: it is not deleted, only its account is`);
      return false;
    }
    const ofClass = await this.#policyOfClass(client, found);
    if (ofClass !== undefined && ofClass !== own.releasePolicy) {
      this.#warn(
        `has releasePolicy ${own.releasePolicy}, and its BucketClass ${ofClass} now, for ${where}` +
          (own.releasePolicy === "Delete" ? ": it is not deleted, only its account" : ""),
      );
    } else if (deletes && own.releasePolicy === "Retain") {
      this.#warn(`has releasePolicy Retain now, so that ${where} is not deleted, only its account`);
    }
    return deletes && own.releasePolicy === "Delete" && ofClass !== "Retain";
  }

  /** A call is made in any case: where the bucket stays, its account is revoked. */
  async #requireDeletable(client: KubernetesClient, found: KubernetesObject | undefined): Promise<void> {
    const kinds = this.#kinds;
    const content = await client.get(kinds.bucketContent, this.#reference);
    const isOwnContent = content !== undefined && isOwn(this.#bucket, readContent(content));
    const isOwnBucket = found !== undefined && isOurs(found, this.#bucket.uid, this.#objects);
    await requireDeletable(client, [
      ...goingObject(kinds.bucketContent, isOwnContent ? content : undefined, [finalizer]),
      ...goingObject(kinds.bucket, isOwnBucket ? found : undefined, [finalizer]),
    ]);
  }

  async #policyOfClass(
    client: KubernetesClient,
    content: KubernetesObject | undefined,
  ): Promise<"Delete" | "Retain" | undefined> {
    const spec = content?.["spec"] as { bucketClassName?: unknown } | undefined;
    const name = spec?.bucketClassName;
    if (typeof name !== "string") return undefined;
    const found = await client.get(this.#kinds.bucketClass, { name });
    return found === undefined ? undefined : readClass(found).releasePolicy;
  }

  async #protocol(client: KubernetesClient): Promise<string> {
    const content = await client.get(this.#kinds.bucketContent, this.#reference);
    if (content !== undefined) return readContent(content).protocol ?? "unknown";
    const bucket = await client.get(this.#kinds.bucket, this.#bucket);
    return bucket === undefined ? "unknown" : readBucket(bucket).requestProtocol;
  }

  #driftOf(content: ContentRecord, bucketId: string): string[] {
    if (!isOwn(this.#bucket, content)) return [`BucketContent ${content.name} is another Bucket's`];
    if (content.deletionTimestamp !== undefined) return [];
    const drift: string[] = [];
    if (!content.isProtected) drift.push(`BucketContent's finalizer ${finalizer} is missing`);
    if (!content.createSent) drift.push(`BucketContent's annotation ${createSentAnnotation} is missing`);
    if (content.endSent) drift.push("a call that ends bucket or account may have been sent");
    const { protocol } = content;
    const named = protocol === "azureBlob" ? "containerName" : "bucketName";
    if ((content.protocolFields[named] ?? "") !== bucketId) {
      drift.push(`BucketContent's ${named} is ${JSON.stringify(content.protocolFields[named])}`);
    }
    return drift;
  }

  #warn(text: string): void {
    warn(this.#kinds.bucketContent.kind, this.#reference.name, text);
  }

  async #unmark(annotation: string): Promise<void> {
    await unmarkSent(await this.#connect(), this.#markOf(annotation));
  }

  #markOf(annotation: string): SentMark {
    const isOurs = (object: KubernetesObject): boolean => isOwn(this.#bucket, readContent(object));
    return { kind: this.#kinds.bucketContent, reference: this.#reference, annotation, isOwn: isOurs };
  }

  /** Writes into the status of the BucketContent, if it is ours. */
  async #tell(change: StatusChange): Promise<void> {
    await writeStatus(await this.#connect(), this.#kinds.bucketContent, this.#reference, (object) =>
      isOwn(this.#bucket, readContent(object)) ? change : undefined,
    );
  }

  async #tellQuietly(change: StatusChange): Promise<void> {
    try {
      await this.#tell(change);
    } catch {
      // The call goes on, whether its objects tell of it or not.
    }
  }

  /** Waits for the writes that {@link retrying} has begun: none comes after what is written next. */
  #told(): Promise<void> {
    return this.#telling;
  }

  get #reference(): { name: string } {
    return { name: this.#objects.bucket.name };
  }

  get #bucket(): BucketName {
    const { claim } = this.#objects;
    if (claim !== null) return claim;
    throw new Error(`the bucket of ${this.#objects.bucket.name} comes without its Bucket object`);
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }
}
