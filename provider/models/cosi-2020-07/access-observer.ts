import { errorText } from "../../dynamic/error-text";
import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { creatableSecrets } from "../../kubernetes/creatable-secrets";
import { goingObject, requireDeletable } from "../../kubernetes/dry-run";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid, swap } from "../../kubernetes/metadata";
import {
  describe,
  namespaceKind,
  secretKind,
  serviceAccountKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../kubernetes/object";
import { requireOwnedByUid } from "../../kubernetes/ownership";
import { refuseForeignSuccessor } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import type { AccountKey } from "../account-record";
import {
  UnwantedGrantError,
  type AbandonedBucket,
  type AccessObjects,
  type AccessObserver,
  type FailedCall,
  type Observation,
  type UnfinishedAccount,
} from "../model";
import { markSent, type SentMark } from "../sent-mark";
import { terminatingNotes } from "../terminating";
import { announce, findBucket, goingText, isGoing, rest, unbind, unprotect } from "./bindings";
import { requireGrantedThrough } from "./bucket-choice";
import {
  accessRequestAnnotation,
  finalizer,
  revokedAnnotation,
  revokeSentAnnotation,
  type Kinds,
} from "./kinds";
import { bindingEntry, namespaceOfProvisioner, requestMark } from "./names";
import { bucketInfoOf } from "./protocol-data";
import { provisionerSecrets } from "./provisioner-secrets";
import { readBucket, readStatus, usersOf, type BucketRecord } from "./records";
import type { AccessPhase } from "./specs";
import { protocolOf } from "../cosi-proposals/protocols";
import { setPhase } from "./status";

/** The objects around an access: its BucketAccessRequest, BucketAccess and Bucket, and the Secrets that will be written. */
export class RequestedAccessObserver implements AccessObserver {
  readonly #objects: AccessObjects;
  readonly #kinds: Kinds;
  /** Phases that are being written while the call goes on, in order. */
  #told: Promise<void> = Promise.resolve();

  constructor(kinds: Kinds, objects: AccessObjects) {
    this.#kinds = kinds;
    this.#objects = objects;
  }

  async beforeGrant(): Promise<{ earlierAttempt: boolean; held?: string }> {
    const client = await this.#connect();
    try {
      return await this.#prepare(client);
    } catch (error) {
      // A run that did not end may have made an account: it is for a destroy to find out.
      const found = await this.#own(client);
      const isProtected = found?.metadata.finalizers?.includes(finalizer) === true;
      if (!isProtected && (await this.#takesBack(client))) throw error;
      return { earlierAttempt: true, held: errorText(error) };
    }
  }

  async #prepare(client: KubernetesClient): Promise<{ earlierAttempt: boolean }> {
    const { access, bucket, secretName } = this.#objects;
    const request = await this.#require(client, "bucketAccessRequest", access);
    requireUid(this.#kinds.bucketAccessRequest, access, request, access.uid);
    requireNotTerminating(this.#kinds.bucketAccessRequest, access, request);
    const account = await this.#require(client, "bucketAccess", this.#account);
    requireUid(this.#kinds.bucketAccess, this.#account, account, this.#account.uid);
    requireNotTerminating(this.#kinds.bucketAccess, this.#account, account);
    const record = readBucket(await this.#require(client, "bucket", { name: bucket.name }));
    if (isGoing(record)) throw new RefusedError(goingText(this.#kinds, record));
    await requireGrantedThrough(client, this.#kinds, this.#objects.claim, record);
    if (secretName === "") await this.#requireServiceAccount(client);
    else await this.#requireSecretNames(client, record);
    // It is on from before a grant until it is sure that there is no account.
    const earlierAttempt = account.metadata.finalizers?.includes(finalizer) === true || isMarked(account);
    // First the finalizer: a run that is killed after it is gone on with, and one that is destroyed says so.
    await addFinalizers(client, this.#kinds.bucketAccess, this.#account, this.#account.uid, [finalizer]);
    try {
      await announce(client, this.#kinds, bucket.name, this.#entry);
    } catch (error) {
      if (!earlierAttempt) await attemptAll([() => this.#release(client)]);
      throw error;
    }
    // What it says of an account before this one would be taken for this one's; the mark of a revoke stays until it is sure.
    await this.#annotate(client, { [revokedAnnotation]: null });
    if (readStatus(account).phase === "Released") {
      await client.patchStatus(this.#kinds.bucketAccess, this.#account, { phase: null, message: null });
    }
    return { earlierAttempt };
  }

  async granted(): Promise<void> {
    await this.#told;
    const { client, bucket } = await this.#bucket();
    if (bucket === undefined || isGoing(bucket)) {
      const { name } = this.#objects.bucket;
      const text =
        bucket === undefined
          ? `${describe(this.#kinds.bucket, { name })} is gone`
          : goingText(this.#kinds, bucket);
      throw new UnwantedGrantError(text);
    }
    await this.#annotate(client, { [revokedAnnotation]: null, [revokeSentAnnotation]: null });
    // An account in the place of another one, whose binding has stayed.
    const isBound = bucket.bindings.includes(this.#entry);
    const found = await this.#own(client);
    if (found === undefined || readStatus(found).phase === "") return;
    const status = { phase: isBound ? "Bound" : null, message: null };
    await client.patchStatus(this.#kinds.bucketAccess, this.#account, status);
  }

  retrying(reason: string): void {
    this.#told = this.#told.then(() => this.#phase("Retrying", reason)).catch(() => undefined);
  }

  async failed({ kept, reason }: FailedCall & { name: string }): Promise<boolean> {
    let released = false;
    try {
      await this.#told;
      await this.#phase("Failed", reason);
      await setPhase(await this.#connect(), this.#kinds.bucketAccessRequest, this.#objects.access, {
        phase: "Failed",
        message: reason,
      });
      if (kept) return false;
      released = await this.#withdraw(await this.#connect());
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
    return released;
  }

  async beforeRevoke({ leaving = false }: { leaving?: boolean }): Promise<{
    earlierAttempt: boolean;
    done?: boolean;
  }> {
    const { access } = this.#objects;
    const client = await this.#connect();
    const request = await this.#requireOwnRequest(client);
    const present = await client.get(this.#kinds.bucketAccess, this.#account);
    const found = present?.metadata.uid === this.#account.uid ? present : undefined;
    const goes = present !== undefined && this.#isOfRequest(present) ? present : undefined;
    if (leaving && goes !== undefined && readStatus(goes).phase !== "Released") {
      await requireDeletable(client, [
        ...goingObject(this.#kinds.bucketAccess, goes, [finalizer]),
        ...goingObject(this.#kinds.bucketAccessRequest, request, [finalizer]),
      ]);
    }
    await setPhase(client, this.#kinds.bucketAccessRequest, access, { phase: "Deleting" });
    if (found === undefined) return { earlierAttempt: false };
    if (readStatus(found).phase === "Released") return { earlierAttempt: true, done: true };
    // Last: nothing that fails comes between the mark and the call.
    return { earlierAttempt: await markSent(client, this.#revokeMark, found) };
  }

  async requireOwn(): Promise<void> {
    await this.#requireOwnRequest(await this.#connect());
  }

  async mayBeRevoked(): Promise<boolean> {
    const found = await this.#own(await this.#connect());
    return found !== undefined && (isMarked(found) || readStatus(found).phase === "Released");
  }

  async revokeRefused(): Promise<void> {
    try {
      await this.#annotate(await this.#connect(), { [revokeSentAnnotation]: null });
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
  }

  async revoked(): Promise<AbandonedBucket | undefined> {
    const client = await this.#connect();
    // A run that comes back finds the revoke done.
    await this.#phase("Released", "the account is revoked");
    const left = await unbind(client, this.#kinds, this.#objects.bucket.name, this.#entry);
    const abandoned = left === undefined ? undefined : await this.#leave(client, left);
    if (abandoned === undefined) await this.#release(client);
    return abandoned;
  }

  async finished({ name, uid }: AbandonedBucket): Promise<void> {
    const client = await this.#connect();
    await setPhase(
      client,
      this.#kinds.bucket,
      { name, uid },
      { phase: "Deleted", message: "the backend's bucket is deleted" },
    );
    await unprotect(client, this.#kinds, name, uid);
    await this.#release(client);
  }

  unfinished(): Promise<UnfinishedAccount[]> {
    return Promise.resolve([]);
  }

  settling(): Promise<void> {
    return Promise.resolve();
  }

  /** Nothing was made; what is left to do, {@link revoked} does. */
  settled(): Promise<void> {
    return Promise.resolve();
  }

  async requireGrantable(): Promise<void> {
    const { bucket } = await this.#bucket();
    if (bucket !== undefined && !isGoing(bucket)) return;
    const { name } = this.#objects.bucket;
    throw new RefusedError(
      `the account of ${describe(this.#kinds.bucketAccess, this.#account)} may already be revoked, ` +
        `and ${describe(this.#kinds.bucket, { name })} ${bucket === undefined ? "is gone" : "is going"}, so none is ` +
        "granted in its place; nothing was sent. Next: `pulumi destroy` ends this access",
    );
  }

  async read(): Promise<Observation> {
    const client = await this.#connect();
    const drift: string[] = [];
    const notes: Observation["notes"] = [];
    const found = await this.#own(client);
    if (found === undefined) {
      drift.push(`${describe(this.#kinds.bucketAccess, this.#account)} is gone`);
      return { drift, notes };
    }
    notes.push(...terminatingNotes(this.#kinds.bucketAccess, found));
    if (isMarked(found) || readStatus(found).phase === "Released") {
      drift.push("a revoke of the account may have been sent");
    }
    if (found.metadata.finalizers?.includes(finalizer) !== true) {
      drift.push(`BucketAccess's finalizer ${finalizer} is missing`);
    }
    return { drift, notes };
  }

  async restore(): Promise<void> {
    const client = await this.#connect();
    await addFinalizers(client, this.#kinds.bucketAccess, this.#account, this.#account.uid, [finalizer]);
  }

  async callSecrets(parameters: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const { client, bucket } = await this.#bucket();
    const { bucket: object, claim } = this.#objects;
    const where = { bucketName: object.name, namespace: claim.namespace };
    return provisionerSecrets(client, [
      { parameters, ...where },
      ...(bucket === undefined ? [] : [{ parameters: bucket.parameters, ...where }]),
    ]);
  }

  async revokedCredentials(): Promise<readonly number[]> {
    const found = await this.#own(await this.#connect());
    return positionsOf(found?.metadata.annotations?.[revokedAnnotation]);
  }

  async noteRevoked(
    _account: AccountKey | { accountId: string },
    positions: readonly number[],
  ): Promise<void> {
    await this.#annotate(await this.#connect(), { [revokedAnnotation]: JSON.stringify(positions) });
  }

  /**
   * What becomes of a Bucket out of which a binding was taken.
   *
   * @returns The Bucket if this was the last one, and its deletion has waited for it: K07-096.
   */
  async #leave(client: KubernetesClient, left: BucketRecord): Promise<AbandonedBucket | undefined> {
    const { name, uid } = left;
    if (usersOf(left).length > 0) return undefined;
    const abandoned = await swap(client, this.#kinds.bucket, { name }, async (object) => {
      const bucket = readBucket(object);
      const waits = bucket.deletionTimestamp !== undefined && bucket.isProtected;
      if (!waits || bucket.uid !== uid || usersOf(bucket).length > 0) return undefined;
      if (bucket.releasePolicy === "Retain" || bucket.request === undefined || bucket.phase === "Deleted") {
        if (bucket.phase !== "Deleted") {
          warn(
            this.#kinds.bucket.kind,
            name,
            `its deletion is completed; the bucket ${bucket.bucketName} of provisioner ${bucket.provisioner} stays in the backend`,
          );
        }
        await unprotect(client, this.#kinds, name, uid);
        return undefined;
      }
      const { resourceVersion } = object.metadata;
      const status = {
        phase: "Deleting",
        message: "the last access is gone; the backend's bucket is being deleted",
      };
      await client.patchStatus(this.#kinds.bucket, { name }, status, resourceVersion);
      return bucket;
    });
    if (abandoned === undefined) {
      await rest(client, this.#kinds, name);
      return undefined;
    }
    const { bucketName: bucketId, protocol, parameters } = abandoned;
    if (protocol === undefined) return undefined;
    const secrets = await provisionerSecrets(client, [
      { parameters, bucketName: name, namespace: namespaceOfRequest(abandoned) },
    ]);
    const bucketInfo = bucketInfoOf(abandoned);
    return { name, uid, bucketId, protocol: protocolOf(protocol), parameters, bucketInfo, secrets };
  }

  /** Takes back what was announced for a grant that was not sent: nobody else would. @returns False if it stays. */
  async #takesBack(client: KubernetesClient): Promise<boolean> {
    try {
      const { bucket } = await this.#bucket();
      const isAnnounced = bucket?.granting.includes(this.#entry) === true;
      if (!isAnnounced || bucket.bindings.includes(this.#entry)) return true;
      return await this.#withdraw(client);
    } catch {
      // What stops the run is the error before this one.
      return false;
    }
  }

  /**
   * Takes back what was announced for a grant that was refused.
   *
   * @returns False if a Bucket waits for just this: the entry in the state then finishes its deletion.
   */
  async #withdraw(client: KubernetesClient): Promise<boolean> {
    const { bucket } = await this.#bucket();
    const [last, ...others] = bucket === undefined ? [] : usersOf(bucket);
    if (bucket?.deletionTimestamp !== undefined && last === this.#entry && others.length === 0) return false;
    const left = await unbind(client, this.#kinds, this.#objects.bucket.name, this.#entry);
    if (left !== undefined) await rest(client, this.#kinds, left.name);
    await this.#release(client);
    return true;
  }

  async #requireServiceAccount(client: KubernetesClient): Promise<void> {
    const { access, serviceAccountName } = this.#objects;
    const reference = { namespace: access.namespace, name: serviceAccountName ?? "" };
    if ((await client.get(serviceAccountKind, reference)) !== undefined) return;
    throw new RefusedError(
      `${describe(serviceAccountKind, reference)} does not exist, but ${describe(this.#kinds.bucketAccessRequest, access)} ` +
        "names it as serviceAccountName: make it first, or correct the name",
    );
  }

  /** K07-064 and K07-072: both names are free, and may be taken, or ours, before anything is granted. */
  async #requireSecretNames(client: KubernetesClient, { provisioner }: BucketRecord): Promise<void> {
    const { access, secretName } = this.#objects;
    const copy = { namespace: access.namespace, name: secretName };
    const owner = { kind: this.#kinds.bucketAccessRequest.kind, name: access.name, uid: access.uid };
    await this.#requireOurs(client, copy, owner);
    const namespace = namespaceOfProvisioner(provisioner);
    if ((await client.get(namespaceKind, { name: namespace })) === undefined) {
      throw new RefusedError(
        `${describe(namespaceKind, { name: namespace })} does not exist, but is that of the provisioner ${provisioner}, and is ` +
          "to hold the generated Secret: make it first",
      );
    }
    const source = { namespace, name: this.#account.name };
    await this.#requireOurs(client, source, { kind: this.#kinds.bucketAccess.kind, ...this.#account });
  }

  async #requireOurs(
    client: KubernetesClient,
    reference: ObjectReference,
    owner: { kind: string; name: string; uid: string },
  ): Promise<void> {
    const found = await client.get(secretKind, reference);
    if (found === undefined) await creatableSecrets.require(client, reference);
    else requireOwnedByUid(secretKind, found, owner);
  }

  async #require(
    client: KubernetesClient,
    kind: "bucket" | "bucketAccess" | "bucketAccessRequest",
    reference: ObjectReference,
  ): Promise<KubernetesObject> {
    const found = await client.get(this.#kinds[kind], reference);
    if (found !== undefined) return found;
    throw new RefusedError(
      `${describe(this.#kinds[kind], reference)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }

  async #phase(phase: AccessPhase, message: string): Promise<void> {
    await setPhase(await this.#connect(), this.#kinds.bucketAccess, this.#account, { phase, message });
  }

  async #annotate(client: KubernetesClient, annotations: Record<string, string | null>): Promise<void> {
    await changeMetadata(client, this.#kinds.bucketAccess, this.#account, ({ metadata }) => {
      if (metadata.uid !== this.#account.uid) return undefined;
      const same = Object.entries(annotations).every(
        ([key, value]) => (metadata.annotations?.[key] ?? null) === value,
      );
      return same ? undefined : { annotations };
    });
  }

  get #revokeMark(): SentMark {
    const { name, uid } = this.#account;
    const isOwn = ({ metadata }: KubernetesObject): boolean => metadata.uid === uid;
    return { kind: this.#kinds.bucketAccess, reference: { name }, annotation: revokeSentAnnotation, isOwn };
  }

  async #release(client: KubernetesClient): Promise<void> {
    const isOurs = (object: KubernetesObject): boolean => this.#isOfRequest(object);
    await removeFinalizers(client, this.#kinds.bucketAccess, this.#account, isOurs, [finalizer]);
  }

  /** The request, which its binding and @pulumi/kubernetes delete after the account. @throws RefusedError for another stack's. */
  async #requireOwnRequest(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const { access } = this.#objects;
    const kind = this.#kinds.bucketAccessRequest;
    const found = await client.get(kind, access);
    return refuseForeignSuccessor(kind, access, found, access.uid, this.#objects);
  }

  /** True for our BucketAccess, and for it as it was restored from a backup, with another UID: it names the request. */
  #isOfRequest({ metadata }: KubernetesObject): boolean {
    const mark = metadata.annotations?.[accessRequestAnnotation];
    return metadata.uid === this.#account.uid || mark === requestMark(this.#objects.access);
  }

  /** Our BucketAccess; not one of the same name that somebody made after ours was deleted. */
  async #own(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const found = await client.get(this.#kinds.bucketAccess, this.#account);
    return found?.metadata.uid === this.#account.uid ? found : undefined;
  }

  get #entry(): string {
    return bindingEntry(this.#account.name, this.#objects.claim);
  }

  #bucket(): ReturnType<typeof findBucket> {
    return findBucket(this.#objects.kubernetes, this.#kinds, this.#objects.bucket.name);
  }

  get #account(): { name: string; uid: string } {
    const { account = null, access } = this.#objects;
    if (account !== null) return { name: account.name, uid: account.uid };
    throw new Error(`the access ${access.namespace}/${access.name} comes without its BucketAccess`);
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }
}

function isMarked({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[revokeSentAnnotation] !== undefined;
}

/** Namespace of the request that a Bucket was made for. */
function namespaceOfRequest({ request = "" }: BucketRecord): string {
  return request.slice(0, request.indexOf("/"));
}

function positionsOf(json: string | undefined): number[] {
  try {
    const value: unknown = JSON.parse(json ?? "[]");
    return Array.isArray(value) ? value.filter((entry) => Number.isInteger(entry)).map(Number) : [];
  } catch {
    return [];
  }
}
