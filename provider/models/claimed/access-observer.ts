import { errorText } from "../../dynamic/error-text";
import { isRecord } from "../../dynamic/values";
import { KeyedLock } from "../../driver/call/locks";
import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { requireDeletable } from "../../kubernetes/dry-run";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import {
  describe,
  pathOf,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../kubernetes/object";
import { isOwnedByUid } from "../../kubernetes/ownership";
import { ofOurs, refuseForeignSuccessor } from "../../kubernetes/successor";
import { warn } from "../../run/warning";
import { AccessAccounts } from "../access-accounts";
import { requireOtherKeys, requireSecretName } from "../account-secret";
import {
  accountsOf,
  formerAccount,
  isGoneAccount,
  isKnownAccount,
  isSucceeded,
  recordOf,
  type AccountKey,
  type AccountRecord,
  type AccountState,
} from "../account-record";
import type {
  AccessObjects,
  AccessObserver,
  AskedAccount,
  FailedCall,
  HandsOut,
  Observation,
  UnfinishedAccount,
} from "../model";
import { accessesOfNamespace } from "./accesses-of-namespace";
import { revokeSentAnnotation } from "./annotations";
import type { ClaimedApi } from "./claimed-api";
import { accessStatus, bucketStatus, claimStatus } from "./status";
import { markSent, unmarkSent, type SentMark } from "../sent-mark";
import { heldDeletion, terminatingNotes } from "../terminating";

/** One access of a bucket at a time sets or takes off the finalizer that all of them share. */
const bucketLock = new KeyedLock();

/** The objects around an access: its own, the Bucket, and the Secret that will be written. */
export class GrantedAccessObserver implements AccessObserver {
  readonly #api: ClaimedApi;
  /** That of the access. */
  readonly #kind: KubernetesKind;
  readonly #objects: AccessObjects;
  readonly #accounts: AccessAccounts;

  constructor(api: ClaimedApi, objects: AccessObjects) {
    this.#api = api;
    this.#kind = api.kinds.access;
    this.#objects = objects;
    this.#accounts = new AccessAccounts(this.#kind, objects, (object) => accessStatus(object).accountId);
  }

  async beforeGrant(
    asked: AskedAccount,
  ): Promise<{ recordedAccountId?: string; held?: string; earlierAttempt?: boolean }> {
    const { access, bucket, claim } = this.#objects;
    const { kinds, finalizers } = this.#api;
    const client = await this.#connect();
    // All that can refuse comes first: what is refused leaves no finalizer behind.
    const found = await this.#require(client, this.#kind, access);
    requireUid(this.#kind, access, found, access.uid);
    const { accountId } = accessStatus(found);
    const givesWay =
      accountId === asked.retiring?.accountId || isKnownAccount(accountsOf(found), accountId, asked.inState);
    const recorded = accountId === "" || givesWay ? {} : { recordedAccountId: accountId };
    const held = heldDeletion(this.#kind, found, finalizers.access);
    if (held !== undefined) return { ...recorded, held };
    requireNotTerminating(this.#kind, access, found);
    // OS1-046, DEP-094: a Secret of somebody else stops the run before the grant.
    await requireSecretName(client, this.#kind, this.#objects);
    // Our finalizers hold both, so that they are there still if this run has written them.
    const foundClaim =
      client.lastWritten(kinds.claim, claim) ?? (await this.#require(client, kinds.claim, claim));
    const foundBucket =
      client.lastWritten(kinds.bucket, bucket) ?? (await this.#require(client, kinds.bucket, bucket));
    this.#requireReady(foundClaim, foundBucket);
    let earlierAttempt: boolean;
    try {
      const { access: ofAccess, bucketInUse } = finalizers;
      await bucketLock.run(bucket.name, async () => {
        const knownBucket = client.lastWritten(kinds.bucket, bucket) ?? foundBucket;
        await addFinalizers(client, this.#kind, access, access.uid, [ofAccess], lacking(found, ofAccess));
        const known = lacking(knownBucket, bucketInUse);
        await addFinalizers(client, kinds.bucket, bucket, bucket.uid, [bucketInUse], known);
      });
      earlierAttempt = await this.#accounts.asked(client, asked);
    } catch (error) {
      // Nothing was sent: a finalizer of this attempt would hold back a `destroy` for nothing.
      if (has(found, finalizers.access) || (await this.failed({ name: asked.name, kept: false })))
        throw error;
      return { ...recorded, held: `${errorText(error)} ${this.#keptForFinalizer()}` };
    }
    return { ...recorded, ...(earlierAttempt ? { earlierAttempt } : {}) };
  }

  async granted({
    name,
    accountId,
    bucketId,
  }: {
    name: string;
    accountId: string;
    bucketId: string;
  }): Promise<void> {
    const { access } = this.#objects;
    const client = await this.#connect();
    for (const text of this.#api.grantWarnings?.(this.#objects, bucketId) ?? []) {
      warn(this.#kind.kind, pathOf(access), text);
    }
    const status = { accountID: accountId, accessGranted: false };
    const written = await client.patchStatus(this.#kind, access, status);
    // A mark is of an account before this one.
    if (isMarked(written)) await this.#unmark(client);
    await this.#accounts.granted(client, name, accountId, written);
  }

  async failed({ kept, name }: Pick<FailedCall, "kept"> & { name: string }): Promise<boolean> {
    const { access } = this.#objects;
    let released = false;
    try {
      const client = await this.#connect();
      const found = await this.#own(client);
      // While an account works that was to give way, access stays granted.
      const works = found !== undefined && accountsOf(found).some(({ state }) => state === "retiring");
      const release = async (): Promise<void> => {
        if (!works) await this.#release(client);
        released = true;
      };
      await attemptAll([
        ...(kept ? [] : [() => this.#unmark(client), () => this.#refused(client, name), release]),
        ...(found === undefined || works
          ? []
          : [() => client.patchStatus(this.#kind, access, { accessGranted: false })]),
      ]);
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
    return released;
  }

  async mayBeRevoked(key: AccountKey): Promise<boolean> {
    const found = await this.#own(await this.#connect());
    return found !== undefined && (isMarked(found) || isGoneAccount(accountsOf(found), key));
  }

  async beforeRevoke(
    key: AccountKey & { handsOut: HandsOut; leaving?: boolean },
  ): Promise<{ earlierAttempt: boolean }> {
    const { access } = this.#objects;
    const { finalizers } = this.#api;
    const client = await this.#connect();
    const found = refuseForeignSuccessor(
      this.#kind,
      access,
      await client.get(this.#kind, access),
      access.uid,
      this.#objects,
    );
    if (found === undefined) return { earlierAttempt: false };
    // One that was restored from a backup may tell of accounts as they were then.
    const own = found.metadata.uid === access.uid ? found : undefined;
    const former = this.#formerOf(own, key);
    if (former !== undefined) {
      await requireOtherKeys(client, this.#objects, key);
      return { earlierAttempt: await this.#accounts.beforeRevoke(client, former) };
    }
    if (own !== undefined && isSucceeded(accountsOf(own), key))
      await requireOtherKeys(client, this.#objects, key);
    const ours = { uid: found.metadata.uid, finalizers: [finalizers.access], known: found };
    // The Bucket is not asked for: that it stays marked as in use is no reason to leave a key alive.
    await requireDeletable(client, [
      { kind: this.#kind, reference: access, ...ours, isDeleted: key.leaving === true },
    ]);
    if (own === undefined) return { earlierAttempt: false };
    const told = accessStatus(own).accessGranted
      ? await client.patchStatus(this.#kind, access, { accessGranted: false })
      : own;
    // Last: nothing that fails comes between the mark and the call.
    const wasSent = await markSent(client, this.#revokeMark, told);
    return { earlierAttempt: wasSent || isGoneAccount(accountsOf(own), key) };
  }

  async unchanged(): Promise<void> {
    const { access, secretName } = this.#objects;
    const client = await this.#connect();
    const secret = await client.get(secretKind, { namespace: access.namespace, name: secretName });
    const own = await this.#own(client);
    if (own === undefined || secret === undefined || !isOwnedByUid(secret, access.uid)) return;
    if (accessStatus(own).accessGranted) return;
    await client.patchStatus(this.#kind, access, { accessGranted: true });
  }

  async requireOwn(): Promise<void> {
    const { access } = this.#objects;
    const found = await (await this.#connect()).get(this.#kind, access);
    refuseForeignSuccessor(this.#kind, access, found, access.uid, this.#objects);
  }

  async revokeRefused(key: AccountKey): Promise<void> {
    try {
      const client = await this.#connect();
      const former = await this.#former(client, key);
      if (former === undefined) await this.#unmark(client);
      else await this.#accounts.markRevoke(client, former, false);
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
  }

  async revoked(key: AccountKey): Promise<undefined> {
    const { access } = this.#objects;
    const client = await this.#connect();
    const found = client.lastWritten(this.#kind, access) ?? (await this.#own(client));
    const records = found === undefined ? [] : accountsOf(found);
    const own = recordOf(records, key);
    const former = formerAccount(records, found === undefined ? "" : accessStatus(found).accountId, key);
    // Another of its accounts may end at the same time: what is left is told by the object after this write.
    const after = own === undefined ? found : await this.#accounts.revoked(client, own.name);
    const left = after === undefined ? [] : accountsOf(after).filter(({ state }) => state !== "revoked");
    if (former !== undefined && left.length > 0) return undefined;
    // A later grant must not take the account for one that is still there.
    if (found !== undefined && accessStatus(found).accountId !== "") {
      await client.patchStatus(this.#kind, access, { accountID: null, accessGranted: false });
    }
    if (left.length === 0) {
      await this.#releaseSecret(client);
      await this.#release(client);
    }
    // Last: a run that comes back before all is done asks for the revoke once more.
    if (found !== undefined && isMarked(found)) await this.#unmark(client);
    return undefined;
  }

  async unfinished(key: AccountKey & { leaving: boolean }): Promise<UnfinishedAccount[]> {
    const client = await this.#connect();
    const found = client.lastWritten(this.#kind, this.#objects.access) ?? (await this.#own(client));
    if (found === undefined) return [];
    const records = accountsOf(found);
    const { accountId, accessGranted } = accessStatus(found);
    const former = formerAccount(records, accountId, key);
    const own = recordOf(records, key);
    const states: AccountState[] = ["granting"];
    // The Secret is written once the state has the account.
    if (!accessGranted) states.push("active");
    if (key.leaving && former === undefined) states.push("active", "retiring");
    return records
      .filter((record) => record !== own && record.name !== key.name && states.includes(record.state))
      .filter(({ adopted }) => adopted !== true)
      .map(({ name, account }) => ({ name, ...(account === undefined ? {} : { accountId: account }) }));
  }

  async settling(account: { name: string }): Promise<void> {
    await this.#accounts.markRevoke(await this.#connect(), account, true);
  }

  async settled({ name }: { name: string }): Promise<void> {
    await this.#accounts.revoked(await this.#connect(), name);
  }

  async read(key: AccountKey & { accountId: string }): Promise<Observation> {
    const { accountId } = key;
    const { access, bucket } = this.#objects;
    const { kinds, finalizers } = this.#api;
    const whose = `${this.#kind.kind}'s`;
    const client = await this.#connect();
    const drift: string[] = [];
    const notes: Observation["notes"] = [];
    const foundAccess = await client.get(this.#kind, access);
    if (foundAccess === undefined) drift.push(`${describe(this.#kind, access)} is gone`);
    else {
      notes.push(...terminatingNotes(this.#kind, foundAccess));
      const status = accessStatus(foundAccess);
      // One that has given way, and whose successor is in use, is not what the status is of.
      const records = accountsOf(foundAccess);
      const givesWay = status.accessGranted && formerAccount(records, status.accountId, key) !== undefined;
      if (status.accountId !== accountId && !givesWay) {
        drift.push(`${whose} status.accountID is ${JSON.stringify(status.accountId)}`);
      }
      if (isMarked(foundAccess) || isGoneAccount(records, key)) {
        drift.push("a revoke of the account may have been sent");
      }
      if (!has(foundAccess, finalizers.access)) {
        drift.push(`${whose} finalizer ${finalizers.access} is missing`);
      }
    }
    const foundBucket = await client.get(kinds.bucket, bucket);
    if (foundBucket !== undefined && !has(foundBucket, finalizers.bucketInUse)) {
      drift.push(`${kinds.bucket.kind}'s finalizer ${finalizers.bucketInUse} is missing`);
    }
    return { drift, notes };
  }

  async restore({ name, accountId }: { name: string; accountId: string }): Promise<void> {
    const { access, bucket } = this.#objects;
    const { kinds, finalizers } = this.#api;
    const client = await this.#connect();
    await bucketLock.run(bucket.name, async () => {
      await addFinalizers(client, this.#kind, access, access.uid, [finalizers.access]);
      await addFinalizers(client, kinds.bucket, bucket, undefined, [finalizers.bucketInUse]);
    });
    await this.#accounts.granted(client, name, accountId);
    const found = await this.#require(client, this.#kind, access);
    if (accessStatus(found).accountId === accountId) return;
    const { accessGranted } = accessStatus(found);
    await client.patchStatus(this.#kind, access, { accountID: accountId, accessGranted });
  }

  /** The record of an account that has given way to another one. */
  async #former(client: KubernetesClient, key: AccountKey): Promise<AccountRecord | undefined> {
    return this.#formerOf(await this.#own(client), key);
  }

  #formerOf(own: KubernetesObject | undefined, key: AccountKey): AccountRecord | undefined {
    return own === undefined ? undefined : formerAccount(accountsOf(own), accessStatus(own).accountId, key);
  }

  /** The account that was to give way stays, and is what the object is of. */
  async #refused(client: KubernetesClient, name: string): Promise<void> {
    const { access } = this.#objects;
    const stays = await this.#accounts.refused(client, name);
    if (stays === undefined) return;
    await client.patchStatus(this.#kind, access, { accountID: stays, accessGranted: true });
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }

  async #unmark(client: KubernetesClient): Promise<void> {
    await unmarkSent(client, this.#revokeMark, client.lastWritten(this.#kind, this.#objects.access));
  }

  get #revokeMark(): SentMark {
    const { access } = this.#objects;
    const isOwn = ({ metadata }: KubernetesObject): boolean => metadata.uid === access.uid;
    return { kind: this.#kind, reference: access, annotation: revokeSentAnnotation, isOwn };
  }

  /** Our access; not one of the same name that somebody made after ours was deleted. */
  async #own(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const { access } = this.#objects;
    const found = await client.get(this.#kind, access);
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

  #requireReady(claim: KubernetesObject, bucket: KubernetesObject): void {
    const { kinds, fields } = this.#api;
    const refused = `${describe(this.#kind, this.#objects.access)} cannot be granted:`;
    if (!claimStatus(this.#api, claim).ready) {
      throw new RefusedError(
        `${refused} ${describe(kinds.claim, claim.metadata)} is not ready (status.${fields.ready}); ` +
          "`pulumi up --refresh` writes the status again",
      );
    }
    const { ready, bucketId } = bucketStatus(this.#api, bucket);
    if (!ready || bucketId === "") {
      throw new RefusedError(
        `${refused} ${describe(kinds.bucket, bucket.metadata)} is not ready (status.${fields.ready}, ` +
          `status.${fields.bucketId}); \`pulumi up --refresh\` writes the status again`,
      );
    }
  }

  /** A Secret that no state knows, as its run was killed, goes with the access: only its finalizer would hold it. */
  async #releaseSecret(client: KubernetesClient): Promise<void> {
    const { access, secretName } = this.#objects;
    const reference = { namespace: access.namespace, name: secretName };
    const found = await client.get(secretKind, reference);
    if (found === undefined || !isOwnedByUid(found, access.uid)) return;
    await removeFinalizers(client, secretKind, reference, found.metadata.uid, [this.#api.finalizers.secret]);
  }

  /** Takes the finalizer off the access, and with the last one of the claim that off the Bucket. */
  async #release(client: KubernetesClient): Promise<void> {
    const { access, bucket, claim } = this.#objects;
    const { kinds, finalizers, fields } = this.#api;
    await bucketLock.run(bucket.name, async () => {
      const known = client.lastWritten(this.#kind, access);
      const isOurs = ofOurs(access.uid, this.#objects);
      await removeFinalizers(client, this.#kind, access, isOurs, [finalizers.access], known);
      const others = await accessesOfNamespace(client, this.#api, claim.namespace);
      const inUse = others.some(
        (other) =>
          !(other.metadata.name === access.name && isOurs(other)) &&
          isRecord(other["spec"]) &&
          other["spec"][fields.claimName] === claim.name &&
          has(other, finalizers.access),
      );
      if (inUse) return;
      await removeFinalizers(client, kinds.bucket, bucket, undefined, [finalizers.bucketInUse]);
    });
  }

  /** Why a resource stays in the state for which nothing was made. */
  #keptForFinalizer(): string {
    return (
      `The resource stays in the state as failed, as ${describe(this.#kind, this.#objects.access)} has kept the ` +
      `finalizer ${this.#api.finalizers.access}: the next pulumi up goes on, and a destroy takes it off.`
    );
  }
}

/** True if a revoke of its account may have been sent. */
export function isMarked(access: KubernetesObject): boolean {
  return access.metadata.annotations?.[revokeSentAnnotation] !== undefined;
}

/** A copy without the finalizer. One with it does not tell that it is there still: no request would come to be refused. */
function lacking(object: KubernetesObject, finalizer: string): KubernetesObject | undefined {
  return has(object, finalizer) ? undefined : object;
}

function has(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}
