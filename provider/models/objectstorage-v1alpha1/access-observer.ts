import { isRecord } from "../../dynamic/values";
import { KeyedLock } from "../../driver/call/locks";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import {
  describe,
  pathOf,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../kubernetes/object";
import { requireOwnedByUid } from "../../kubernetes/ownership";
import { refuseForeignSuccessor } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import type { AccessObjects, AccessObserver, FailedCall, Observation } from "../model";
import { bucketAccessKind, bucketClaimKind, bucketKind, finalizers, revokeSentAnnotation } from "./kinds";
import { serviceAccountWarning } from "./service-account";
import { accessStatus, bucketStatus, claimStatus } from "./status";
import { heldDeletion, terminatingNotes } from "./terminating";

/** One access of a bucket at a time sets or takes off the finalizer that all of them share. */
const bucketLock = new KeyedLock();

/** The objects around an access: its BucketAccess, the Bucket, and the Secret that will be written. */
export class GrantedAccessObserver implements AccessObserver {
  readonly #objects: AccessObjects;

  constructor(objects: AccessObjects) {
    this.#objects = objects;
  }

  async beforeGrant(): Promise<{ recordedAccountId?: string; held?: string }> {
    const { access, bucket, claim } = this.#objects;
    const client = await this.#connect();
    // All that can refuse comes first: what is refused leaves no finalizer behind.
    const found = await this.#require(client, bucketAccessKind, access);
    requireUid(bucketAccessKind, access, found, access.uid);
    const { accountId } = accessStatus(found);
    const recorded = accountId === "" ? {} : { recordedAccountId: accountId };
    const held = heldDeletion(bucketAccessKind, found, finalizers.access);
    if (held !== undefined) return { ...recorded, held };
    requireNotTerminating(bucketAccessKind, access, found);
    await this.#requireSecretName(client);
    this.#requireReady(
      await this.#require(client, bucketClaimKind, claim),
      await this.#require(client, bucketKind, bucket),
    );
    try {
      await bucketLock.run(bucket.name, async () => {
        await addFinalizers(client, bucketAccessKind, access, access.uid, [finalizers.access]);
        await addFinalizers(client, bucketKind, bucket, bucket.uid, [finalizers.bucketInUse]);
      });
    } catch (error) {
      // Nothing was sent: a finalizer of this attempt would hold back a `destroy` for nothing.
      if (!has(found, finalizers.access)) await this.failed({ kept: false });
      throw error;
    }
    return recorded;
  }

  async granted({ accountId, bucketId }: { accountId: string; bucketId: string }): Promise<void> {
    const { access, bucket, bucketInfoName, serviceAccountName = null } = this.#objects;
    const client = await this.#connect();
    if (serviceAccountName !== null) {
      warn(bucketAccessKind.kind, pathOf(access), serviceAccountWarning(serviceAccountName));
    }
    const status = { accountID: accountId, accessGranted: false };
    // A mark is of an account before this one.
    if (isMarked(await client.patchStatus(bucketAccessKind, access, status))) await this.#unmark(client);
    if (bucketId === bucket.name || bucketInfoName === "id") return;
    warn(
      bucketAccessKind.kind,
      pathOf(access),
      `clients need the backend's bucket name ${JSON.stringify(bucketId)}, which the Secret has as spec.bucketID; ` +
        `its spec.bucketName is the Bucket object's, ${JSON.stringify(bucket.name)}. bucketInfoName: "id" puts the ` +
        "backend's name there too",
    );
  }

  async failed({ kept }: FailedCall): Promise<void> {
    const { access } = this.#objects;
    try {
      const client = await this.#connect();
      const found = await client.patchStatus(bucketAccessKind, access, { accessGranted: false });
      if (kept) return;
      if (isMarked(found)) await this.#unmark(client);
      await this.#release(client);
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
  }

  async beforeRevoke(): Promise<{ earlierAttempt: boolean }> {
    const { access } = this.#objects;
    const client = await this.#connect();
    let earlierAttempt = false;
    const found = await changeMetadata(client, bucketAccessKind, access, (object) => {
      refuseForeignSuccessor(bucketAccessKind, access, object, access.uid, this.#objects);
      if (object.metadata.uid !== access.uid) return undefined;
      earlierAttempt = isMarked(object);
      return earlierAttempt ? undefined : { annotations: { [revokeSentAnnotation]: "true" } };
    });
    if (found?.metadata.uid === access.uid && accessStatus(found).accessGranted) {
      await client.patchStatus(bucketAccessKind, access, { accessGranted: false });
    }
    return { earlierAttempt };
  }

  async revokeRefused(): Promise<void> {
    try {
      await this.#unmark(await this.#connect());
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
  }

  async revoked(): Promise<void> {
    const { access } = this.#objects;
    const client = await this.#connect();
    const found = await this.#own(client);
    // A later grant must not take the account for one that is still there.
    if (found !== undefined && accessStatus(found).accountId !== "") {
      await client.patchStatus(bucketAccessKind, access, { accountID: null, accessGranted: false });
    }
    if (found !== undefined && isMarked(found)) await this.#unmark(client);
    await this.#release(client);
  }

  async read({ accountId }: { accountId: string }): Promise<Observation> {
    const { access, bucket } = this.#objects;
    const client = await this.#connect();
    const drift: string[] = [];
    const notes: Observation["notes"] = [];
    const foundAccess = await client.get(bucketAccessKind, access);
    if (foundAccess === undefined) drift.push(`${describe(bucketAccessKind, access)} is gone`);
    else {
      notes.push(...terminatingNotes(bucketAccessKind, foundAccess));
      const status = accessStatus(foundAccess);
      if (status.accountId !== accountId) {
        drift.push(`BucketAccess's status.accountID is ${JSON.stringify(status.accountId)}`);
      }
      if (!has(foundAccess, finalizers.access)) {
        drift.push(`BucketAccess's finalizer ${finalizers.access} is missing`);
      }
    }
    const foundBucket = await client.get(bucketKind, bucket);
    if (foundBucket !== undefined && !has(foundBucket, finalizers.bucketInUse)) {
      drift.push(`Bucket's finalizer ${finalizers.bucketInUse} is missing`);
    }
    return { drift, notes };
  }

  async restore({ accountId }: { accountId: string }): Promise<void> {
    const { access, bucket } = this.#objects;
    const client = await this.#connect();
    await bucketLock.run(bucket.name, async () => {
      await addFinalizers(client, bucketAccessKind, access, access.uid, [finalizers.access]);
      await addFinalizers(client, bucketKind, bucket, undefined, [finalizers.bucketInUse]);
    });
    const found = await this.#require(client, bucketAccessKind, access);
    if (accessStatus(found).accountId === accountId) return;
    const { accessGranted } = accessStatus(found);
    await client.patchStatus(bucketAccessKind, access, { accountID: accountId, accessGranted });
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }

  async #unmark(client: KubernetesClient): Promise<void> {
    const { access } = this.#objects;
    await changeMetadata(client, bucketAccessKind, access, (found) =>
      found.metadata.uid === access.uid && isMarked(found)
        ? { annotations: { [revokeSentAnnotation]: null } }
        : undefined,
    );
  }

  /** Our BucketAccess; not one of the same name that somebody made after ours was deleted. */
  async #own(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const { access } = this.#objects;
    const found = await client.get(bucketAccessKind, access);
    return found?.metadata.uid === access.uid ? found : undefined;
  }

  async #require(
    client: KubernetesClient,
    kind: KubernetesKind,
    reference: ObjectReference,
  ): Promise<KubernetesObject> {
    const found = await client.get(kind, reference);
    if (found !== undefined) return found;
    throw new RefusedError(
      `${describe(kind, reference)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }

  /** OS1-046: a Secret of somebody else stops the run before the grant. */
  async #requireSecretName(client: KubernetesClient): Promise<void> {
    const { access, secretName } = this.#objects;
    const found = await client.get(secretKind, { namespace: access.namespace, name: secretName });
    if (found !== undefined) requireOwnedByUid(secretKind, found, { ...access, kind: bucketAccessKind.kind });
  }

  #requireReady(claim: KubernetesObject, bucket: KubernetesObject): void {
    const { access } = this.#objects;
    if (!claimStatus(claim).bucketReady) {
      throw new RefusedError(
        `${describe(bucketAccessKind, access)} cannot be granted: ${describe(bucketClaimKind, claim.metadata)} is ` +
          "not ready (status.bucketReady); `pulumi up --refresh` writes the status again",
      );
    }
    const { bucketReady, bucketId } = bucketStatus(bucket);
    if (!bucketReady || bucketId === "") {
      throw new RefusedError(
        `${describe(bucketAccessKind, access)} cannot be granted: ${describe(bucketKind, bucket.metadata)} is not ` +
          "ready (status.bucketReady, status.bucketID); `pulumi up --refresh` writes the status again",
      );
    }
  }

  /** Takes the finalizer off the BucketAccess, and with the last one of the claim that off the Bucket. */
  async #release(client: KubernetesClient): Promise<void> {
    const { access, bucket, claim } = this.#objects;
    await bucketLock.run(bucket.name, async () => {
      await removeFinalizers(client, bucketAccessKind, access, access.uid, [finalizers.access]);
      const others = await client.list(bucketAccessKind, { namespace: claim.namespace });
      const inUse = others.some(
        (other) =>
          other.metadata.uid !== access.uid &&
          isRecord(other["spec"]) &&
          other["spec"]["bucketClaimName"] === claim.name &&
          has(other, finalizers.access),
      );
      if (inUse) return;
      await removeFinalizers(client, bucketKind, bucket, undefined, [finalizers.bucketInUse]);
    });
  }
}

/** True if a revoke of its account may have been sent. */
function isMarked(access: KubernetesObject): boolean {
  return access.metadata.annotations?.[revokeSentAnnotation] !== undefined;
}

function has(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}
