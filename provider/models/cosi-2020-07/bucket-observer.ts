import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { goingObject, requireDeletable } from "../../kubernetes/dry-run";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import {
  changeMetadata,
  changeObject,
  changeStatus,
  requireNotTerminating,
  requireUid,
  swap,
} from "../../kubernetes/metadata";
import { describe, secretKind, type KubernetesObject } from "../../kubernetes/object";
import { isOurs, refuseOthersMark } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
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
import { heldDeletion, terminatingNotes } from "../terminating";
import { awaitingAccess, isGoing, requestGoneAnnotation, rest, unprotect } from "./bindings";
import { contextAnnotation, createSentAnnotation, finalizer, type Kinds } from "./kinds";
import { requestMark, type Request } from "./names";
import { fieldsOf, writeContext } from "./protocol-data";
import { provisionerSecrets } from "./provisioner-secrets";
import { readBucket, usersOf, type BucketRecord } from "./records";
import { refuseBound } from "./request-bound";
import { setPhase } from "./status";

/** The objects around a bucket that was made for a request: its Bucket, and the BucketRequest. */
export class RequestedBucketObserver implements BucketObserver {
  readonly #objects: BucketObjects;
  readonly #kinds: Kinds;
  readonly #parameters: Readonly<Record<string, string>>;
  readonly #mark: string;

  constructor(kinds: Kinds, objects: BucketObjects, request: CreateRequest) {
    this.#kinds = kinds;
    this.#objects = objects;
    this.#parameters = request.parameters ?? {};
    this.#mark = createMarkOf(request);
  }

  async beforeCreate(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const client = await this.#connect();
    const request = await client.get(this.#kinds.bucketRequest, this.#request);
    if (request === undefined) {
      throw new RefusedError(
        `${this.#describeRequest()} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    requireUid(this.#kinds.bucketRequest, this.#request, request, this.#request.uid);
    requireNotTerminating(this.#kinds.bucketRequest, this.#request, request);
    let earlierAttempt: boolean | undefined;
    let held: string | undefined;
    const marked = await changeMetadata(client, this.#kinds.bucket, this.#reference, (object) => {
      const bucket = this.#requireOwn(object);
      held = heldDeletion(this.#kinds.bucket, object, finalizer);
      if (held !== undefined) return undefined;
      if (isGoing(bucket)) throw new RefusedError(`${describe(this.#kinds.bucket, bucket)} is being deleted`);
      const { finalizers = [], annotations = {} } = object.metadata;
      const isMarked = annotations[createSentAnnotation] === this.#mark;
      // By the first look alone: where the answer to our own write is lost, the next one sees our own mark.
      earlierAttempt ??= isMarked;
      if (isMarked && bucket.isProtected && annotations[requestGoneAnnotation] === undefined)
        return undefined;
      return {
        finalizers: [...new Set([...finalizers, finalizer])],
        annotations: { [createSentAnnotation]: this.#mark, [requestGoneAnnotation]: null },
      };
    });
    if (marked === undefined) {
      throw new RefusedError(
        `${describe(this.#kinds.bucket, this.#reference)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    return { earlierAttempt: earlierAttempt === true, ...(held === undefined ? {} : { held }) };
  }

  async created({ bucketId, bucketInfo }: Parameters<BucketObserver["created"]>[0]): Promise<void> {
    const client = await this.#connect();
    const context = writeContext(bucketInfo?.providerContext);
    await changeObject(client, this.#kinds.bucket, this.#reference, (object) => {
      const { protocol, ...bucket } = this.#requireOwn(object);
      if (protocol === undefined) return undefined;
      const fields = fieldsOf(protocol, bucketId, bucketInfo, this.#parameters);
      const told = Object.entries(fields).every(([key, value]) => bucket.protocolFields[key] === value);
      if (told && (bucket.providerContext ?? null) === context) return undefined;
      return {
        metadata: { annotations: { [contextAnnotation]: context } },
        spec: { protocol: { [protocol]: fields } },
      };
    });
    await rest(client, this.#kinds, this.#reference.name);
  }

  async failed({ kept, reason }: FailedCall): Promise<boolean> {
    let released = false;
    await attemptAll([
      async () => {
        if (kept) return;
        await this.#release();
        released = true;
      },
      async () => {
        const status = { phase: "Creating", message: reason };
        await changeStatus(await this.#connect(), this.#kinds.bucket, this.#reference, (object) => {
          const bucket = readBucket(object);
          const isWaited = bucket.deletionTimestamp === undefined && usersOf(bucket).length === 0;
          return this.#isOwn(bucket) && isWaited ? status : undefined;
        });
      },
    ]);
    return released;
  }

  async beforeDelete(bucket: BucketToDelete): Promise<DeletePlan> {
    const client = await this.#connect();
    const kind = this.#kinds.bucketRequest;
    const request = await client.get(kind, this.#request);
    refuseOthersMark(kind, this.#request, request, this.#request.uid, this.#objects);
    const plan = await swap(client, this.#kinds.bucket, this.#reference, (object) =>
      this.#plan(client, object, bucket),
    );
    if (plan !== undefined) return plan;
    this.#warnOfAbsence(bucket);
    return { backend: false };
  }

  async deleted({ objectGoes = false }: DeletePlan = { backend: false }): Promise<void> {
    if (!objectGoes) return;
    const client = await this.#connect();
    await changeStatus(client, this.#kinds.bucket, this.#reference, (object) => {
      const bucket = readBucket(object);
      if (!this.#isOwn(bucket) || bucket.phase === "Deleted") return undefined;
      return { phase: "Deleted", message: "the backend's bucket is deleted" };
    });
    await setPhase(client, this.#kinds.bucketRequest, this.#request, { phase: "Deleted" });
    await this.#release();
  }

  async deleteFailed({ outcomeUnknown }: FailedDelete): Promise<void> {
    if (outcomeUnknown) return;
    try {
      const client = await this.#connect();
      await changeStatus(client, this.#kinds.bucket, this.#reference, (object) => {
        const bucket = readBucket(object);
        const isBack =
          this.#isOwn(bucket) && bucket.phase === "Deleting" && bucket.deletionTimestamp === undefined;
        return isBack ? { phase: "Creating", message: awaitingAccess } : undefined;
      });
      await setPhase(client, this.#kinds.bucketRequest, this.#request, { phase: "Creating" });
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
  }

  async read({ bucketId }: { bucketId: string }): Promise<Observation> {
    const client = await this.#connect();
    const drift: string[] = [];
    const notes: Observation["notes"] = [];
    const found = await client.get(this.#kinds.bucket, this.#reference);
    if (found === undefined) drift.push(`${describe(this.#kinds.bucket, this.#reference)} is gone`);
    else {
      notes.push(...terminatingNotes(this.#kinds.bucket, found));
      drift.push(...this.#driftOf(readBucket(found), bucketId));
    }
    const request = await client.get(this.#kinds.bucketRequest, this.#request);
    if (request?.metadata.uid === this.#request.uid) return { drift, notes };
    return { drift, notes, lostClaim: `${this.#describeRequest()} (UID ${this.#request.uid})` };
  }

  async restore({ bucketId, bucketInfo }: Parameters<BucketObserver["created"]>[0]): Promise<void> {
    const client = await this.#connect();
    await changeMetadata(client, this.#kinds.bucket, this.#reference, (object) => {
      const bucket = this.#requireOwn(object);
      const isAwaited = object.metadata.annotations?.[requestGoneAnnotation] === undefined;
      if (bucket.isProtected && bucket.createSent && isAwaited) return undefined;
      requireNotTerminating(this.#kinds.bucket, this.#reference, object);
      return {
        finalizers: [...new Set([...(object.metadata.finalizers ?? []), finalizer])],
        annotations: { [createSentAnnotation]: this.#mark, [requestGoneAnnotation]: null },
      };
    });
    await this.created({ bucketId, bucketInfo: bucketInfo ?? null });
  }

  async callSecrets(verb: "create" | "delete"): Promise<Record<string, string>> {
    const client = await this.#connect();
    const { namespace } = this.#request;
    const { name: bucketName } = this.#reference;
    const { secretName = null } = this.#objects;
    const found = await client.get(this.#kinds.bucket, this.#reference);
    const parameters = found === undefined ? this.#parameters : readBucket(found).parameters;
    const own = secretName === null ? undefined : { namespace, name: secretName };
    // K07-118: what the request names may have gone before its bucket.
    const isGone =
      verb === "delete" && own !== undefined && (await client.get(secretKind, own)) === undefined;
    return provisionerSecrets(client, [{ parameters, bucketName, namespace }], isGone ? undefined : own);
  }

  /** What becomes of the bucket, by its object as it is now: it is done if nobody has written meanwhile. */
  async #plan(
    client: KubernetesClient,
    object: KubernetesObject,
    asked: BucketToDelete,
  ): Promise<DeletePlan> {
    const bucket = readBucket(object);
    if (!this.#isOwn(bucket)) {
      this.#warnOfAbsence(asked);
      return { backend: false };
    }
    refuseBound(this.#kinds, this.#request, bucket.bindings);
    if (bucket.phase === "Deleted") return { backend: false, objectGoes: true };
    const { uid = "", resourceVersion } = object.metadata;
    const users = usersOf(bucket);
    if (users.length > 0) {
      warn(
        this.#kinds.bucket.kind,
        bucket.name,
        `stays, with its data, as it is still bound: ${users.join(", ")}; ` +
          (bucket.releasePolicy === "Delete"
            ? "it is deleted with the last of these"
            : "its releasePolicy is Retain"),
      );
      if (bucket.releasePolicy === "Delete") {
        if (bucket.deletionTimestamp === undefined)
          await client.delete(this.#kinds.bucket, this.#reference, { uid, resourceVersion });
      } else {
        const annotations = { [requestGoneAnnotation]: "true" };
        await client.patch(this.#kinds.bucket, this.#reference, {
          metadata: { annotations, resourceVersion },
        });
      }
      return { backend: false };
    }
    if (asked.made && bucket.releasePolicy === "Retain") {
      // First: whoever takes a binding out from now on does not wait for this request.
      const annotations = { [requestGoneAnnotation]: "true" };
      const marked = await client.patch(this.#kinds.bucket, this.#reference, {
        metadata: { annotations, resourceVersion },
      });
      await client.patchStatus(
        this.#kinds.bucket,
        this.#reference,
        { phase: "Released", message: "the bucket and its data are kept, and may be bound anew" },
        marked.metadata.resourceVersion,
      );
      await unprotect(client, this.#kinds, bucket.name);
      await setPhase(client, this.#kinds.bucketRequest, this.#request, { phase: "Deleting" });
      return { backend: false };
    }
    if (asked.made) {
      const ours = { kind: this.#kinds.bucket, reference: this.#reference, uid };
      await requireDeletable(client, [
        { ...ours, finalizers: [finalizer], known: object },
        ...goingObject(this.#kinds.bucketRequest, await this.#ownRequest(client), [finalizer]),
      ]);
    }
    await client.patchStatus(
      this.#kinds.bucket,
      this.#reference,
      { phase: "Deleting", message: "the backend's bucket is being deleted" },
      resourceVersion,
    );
    await setPhase(client, this.#kinds.bucketRequest, this.#request, { phase: "Deleting" });
    return { backend: asked.made, objectGoes: true };
  }

  /** K07-039. */
  #warnOfAbsence({ deletes, driverName, name, bucketId }: BucketToDelete): void {
    if (!deletes) return;
    warn(
      this.#kinds.bucket.kind,
      this.#reference.name,
      `is gone, and with it the record of who else is bound to it, so the bucket ${bucketId ?? name} of provisioner ${driverName} is not ` +
        "deleted: delete it there if nobody needs it",
    );
  }

  #driftOf(bucket: BucketRecord, bucketId: string): string[] {
    const drift: string[] = [];
    if (!this.#isOwn(bucket)) return [`Bucket ${bucket.name} is another request's`];
    if (bucket.deletionTimestamp !== undefined) return drift;
    if (!bucket.isProtected) drift.push(`Bucket's finalizer ${finalizer} is missing`);
    if (!bucket.createSent) drift.push(`Bucket's annotation ${createSentAnnotation} is missing`);
    if (bucket.bucketName !== bucketId) {
      drift.push(`Bucket's bucketName is ${JSON.stringify(bucket.bucketName)}`);
    }
    return drift;
  }

  /** Takes finalizer and mark off. */
  async #release(): Promise<void> {
    await changeMetadata(await this.#connect(), this.#kinds.bucket, this.#reference, (object) => {
      const bucket = readBucket(object);
      if (!this.#isOwn(bucket) || (!bucket.isProtected && !bucket.createSent)) return undefined;
      if (usersOf(bucket).length > 0) return undefined;
      return {
        annotations: { [createSentAnnotation]: null },
        finalizers: (object.metadata.finalizers ?? []).filter((entry) => entry !== finalizer),
      };
    });
  }

  #isOwn({ request }: BucketRecord): boolean {
    return request === requestMark(this.#request);
  }

  #requireOwn(object: KubernetesObject): BucketRecord {
    const bucket = readBucket(object);
    if (this.#isOwn(bucket)) return bucket;
    throw new RefusedError(
      `${describe(this.#kinds.bucket, bucket)} is not the one of ${this.#describeRequest()} (UID ${this.#request.uid}): its ` +
        "annotation pulumi-cosi/bucket-request names another one; run `pulumi refresh`",
    );
  }

  #describeRequest(): string {
    return describe(this.#kinds.bucketRequest, this.#request);
  }

  get #reference(): { name: string } {
    return { name: this.#objects.bucket.name };
  }

  /** The request, or what was restored from a backup in its place: @pulumi/kubernetes deletes whichever has the name. */
  async #ownRequest(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const found = await client.get(this.#kinds.bucketRequest, this.#request);
    return found !== undefined && isOurs(found, this.#request.uid, this.#objects) ? found : undefined;
  }

  get #request(): Request {
    const { claim } = this.#objects;
    if (claim !== null) return claim;
    throw new Error(`the bucket of ${this.#objects.bucket.name} comes without its request`);
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }
}
