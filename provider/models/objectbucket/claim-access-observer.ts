import { errorText } from "../../dynamic/error-text";
import { attemptAll } from "../../kubernetes/attempt-all";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { refuseForeignSuccessor } from "../../kubernetes/successor";
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
import { markSent } from "../sent-mark";
import { heldDeletion } from "../terminating";
import { accountStateKey } from "./additional-state";
import {
  accountAnnotation,
  accountEndedAnnotation,
  finalizer,
  lastErrorAnnotation,
  objectBucketClaimKind,
  objectBucketKind,
  revokeSentAnnotation,
} from "./kinds";
import { markOf } from "./claim-mark";
import { mayHaveEndedText } from "./ended-text";
import { isOfClaim, readClaim, readObjectBucket } from "./records";
import { requireRemovable } from "./removable";
import { tellReleased } from "./released";
import { tellError, writePhase } from "./status";

/** The claim whose bucket an account is granted for, and the Secret that will be written. */
export class ClaimAccessObserver implements AccessObserver {
  readonly #objects: AccessObjects;
  readonly #accounts: AccessAccounts;

  constructor(objects: AccessObjects) {
    this.#objects = objects;
    this.#accounts = new AccessAccounts(
      objectBucketClaimKind,
      objects,
      (object) => readClaim(object).accountId,
    );
  }

  async beforeGrant(
    asked: AskedAccount,
  ): Promise<{ recordedAccountId?: string; held?: string; earlierAttempt?: boolean }> {
    const claim = this.#objects.access;
    const client = await this.#connect();
    const found = await client.get(objectBucketClaimKind, claim);
    if (found === undefined) {
      throw new RefusedError(
        `${describe(objectBucketClaimKind, claim)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    requireUid(objectBucketClaimKind, claim, found, claim.uid);
    const { accountId } = readClaim(found);
    const givesWay =
      accountId === asked.retiring?.accountId || isKnownAccount(accountsOf(found), accountId, asked.inState);
    const recorded = accountId === "" || givesWay ? {} : { recordedAccountId: accountId };
    const held = accountId === "" ? undefined : heldDeletion(objectBucketClaimKind, found, finalizer);
    if (held !== undefined) return { ...recorded, held };
    requireNotTerminating(objectBucketClaimKind, claim, found);
    // OBC-044: a Secret of somebody else stops the run before the grant.
    await requireSecretName(client, objectBucketClaimKind, this.#objects);
    // Nothing is sent for an account that is there: a claim that is adopted stays as it is.
    if (this.#objects.adopted === true) return {};
    if (readClaim(found).endSent) throw new RefusedError(mayHaveEndedText(claim));
    const wasAsked = accountNoted(found) !== undefined;
    if (!wasAsked) await this.#annotate(client, { [accountAnnotation]: "" });
    try {
      const earlierAttempt = await this.#accounts.asked(client, asked);
      const isUnknown = wasAsked && accountId === "" && !asked.rotates;
      return { ...recorded, ...(earlierAttempt || isUnknown ? { earlierAttempt: true } : {}) };
    } catch (error) {
      // Nothing was sent: a mark of this attempt would hold back a `destroy` for nothing.
      if (wasAsked || (await this.#forget(client))) throw error;
      return { ...recorded, held: errorText(error) };
    }
  }

  async granted({ name, accountId }: { name: string; accountId: string }): Promise<void> {
    if (this.#objects.adopted === true) return;
    const client = await this.#connect();
    await this.#requireOwn(client);
    await this.#annotate(client, {
      [accountAnnotation]: accountId,
      [revokeSentAnnotation]: null,
      [accountEndedAnnotation]: null,
      [lastErrorAnnotation]: null,
    });
    await this.#accounts.granted(client, name, accountId);
  }

  async failed({ kept, isFinal, name, reason }: FailedCall & { name: string }): Promise<boolean> {
    const claim = this.#objects.access;
    let released = false;
    try {
      const client = await this.#connect();
      const found = await this.#own(client);
      // While an account works that was to give way, the claim stays bound.
      const works = found !== undefined && accountsOf(found).some(({ state }) => state === "retiring");
      await attemptAll([
        ...(kept
          ? []
          : [
              async () => {
                const stays = await this.#accounts.refused(client, name);
                if (stays !== undefined) await this.#annotate(client, { [accountAnnotation]: stays });
                else if (!works) await this.#forget(client);
                released = true;
              },
            ]),
        () => tellError(client, claim, reason),
        ...(works
          ? []
          : [() => writePhase(client, objectBucketClaimKind, claim, isFinal ? "Failed" : "Pending")]),
      ]);
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
    return released;
  }

  async mayBeRevoked(key: AccountKey): Promise<boolean> {
    const found = await this.#own(await this.#connect());
    if (found === undefined) return false;
    return isMarked(found) || isGoneAccount(accountsOf(found), key) || hasEnded(found, key);
  }

  async beforeRevoke(
    key: AccountKey & { handsOut: HandsOut; leaving?: boolean },
  ): Promise<{ earlierAttempt: boolean }> {
    const claim = this.#objects.access;
    const client = await this.#connect();
    const found = await this.#refuseForeign(client);
    const former = await this.#former(client, key);
    if (former !== undefined) {
      await requireOtherKeys(client, this.#objects, key);
      return { earlierAttempt: await this.#accounts.beforeRevoke(client, former) };
    }
    if (found?.metadata.uid === claim.uid && isSucceeded(accountsOf(found), key))
      await requireOtherKeys(client, this.#objects, key);
    if (key.leaving === true) await requireRemovable(client, this.#objects.bucket, claim, found);
    await tellReleased(client, claim, this.#objects.bucket.name);
    const hasGone =
      found?.metadata.uid === claim.uid && (isGoneAccount(accountsOf(found), key) || hasEnded(found, key));
    // Last: nothing that fails comes between the mark and the call.
    const wasSent = await markSent(client, markOf(claim, revokeSentAnnotation));
    return { earlierAttempt: wasSent || hasGone };
  }

  async requireOwn(): Promise<void> {
    await this.#refuseForeign(await this.#connect());
  }

  async failedLater(reason: string): Promise<void> {
    await attemptAll([async () => tellError(await this.#connect(), this.#objects.access, reason)]);
  }

  async revokeRefused(key: AccountKey): Promise<void> {
    try {
      const client = await this.#connect();
      const former = await this.#former(client, key);
      if (former === undefined) await this.#annotate(client, { [revokeSentAnnotation]: null });
      else await this.#accounts.markRevoke(client, former, false);
    } catch {
      // The error of the call is what stops the run; this one would hide it.
    }
  }

  async revoked(key: AccountKey): Promise<undefined> {
    const client = await this.#connect();
    const found = await this.#own(client);
    // OBC-099: the revoke that has failed has come to its end.
    if (tellsError(found)) await this.#annotate(client, { [lastErrorAnnotation]: null });
    const records = found === undefined ? [] : accountsOf(found);
    const own = recordOf(records, key);
    const current = found === undefined ? "" : readClaim(found).accountId;
    const former = formerAccount(records, current, key);
    // Another of its accounts may end at the same time: what is left is told by the object after this write.
    const after = own === undefined ? found : await this.#accounts.revoked(client, own.name);
    const left = after === undefined ? [] : accountsOf(after).filter(({ state }) => state !== "revoked");
    if (former !== undefined && left.length > 0) return undefined;
    // What has ended stays told: a state that is older than this takes the account for one that works.
    const ended = key.accountId ?? current;
    await this.#forget(client, ended === "" ? {} : { [accountEndedAnnotation]: ended });
    return undefined;
  }

  async unfinished(key: AccountKey & { leaving: boolean }): Promise<UnfinishedAccount[]> {
    const client = await this.#connect();
    const found = await this.#own(client);
    if (found === undefined) return [];
    const records = accountsOf(found);
    const { accountId } = readClaim(found);
    const former = formerAccount(records, accountId, key);
    const own = recordOf(records, key);
    const states: AccountState[] = ["granting"];
    // The ObjectBucket tells of an account once its keys are handed out, and by then the state has it.
    if (!(await this.#isHandedOut(client, accountId))) states.push("active");
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
    const client = await this.#connect();
    const found = await this.#own(client);
    // What has become of the claim, its own resource tells.
    if (found === undefined) return { drift: [], notes: [] };
    const drift: string[] = [];
    const { accountId } = readClaim(found);
    const records = accountsOf(found);
    const givesWay = formerAccount(records, accountId, key) !== undefined;
    if (this.#objects.adopted === true) return { drift, notes: [] };
    if (accountId !== key.accountId && !givesWay) {
      drift.push(`claim's annotation ${accountAnnotation} is ${JSON.stringify(accountId)}`);
    }
    if (isMarked(found) || isGoneAccount(records, key) || hasEnded(found, key)) {
      drift.push("a revoke of the account may have been sent");
    }
    return { drift, notes: [] };
  }

  async restore({ name, accountId }: { name: string; accountId: string }): Promise<void> {
    const client = await this.#connect();
    const found = await this.#own(client);
    if (found === undefined || this.#objects.adopted === true) return;
    if (accountsOf(found).length > 0) await this.#accounts.granted(client, name, accountId);
    if (readClaim(found).accountId !== accountId || tellsError(found))
      await this.#annotate(client, { [accountAnnotation]: accountId, [lastErrorAnnotation]: null });
  }

  /** What has the claim's name, and is ours. @throws RefusedError for anything else. */
  async #refuseForeign(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const claim = this.#objects.access;
    const found = await client.get(objectBucketClaimKind, claim);
    return refuseForeignSuccessor(objectBucketClaimKind, claim, found, claim.uid, this.#objects);
  }

  /** True if the ObjectBucket of the claim tells of this account. */
  async #isHandedOut(client: KubernetesClient, accountId: string): Promise<boolean> {
    const { bucket, access } = this.#objects;
    const found = await client.get(objectBucketKind, { name: bucket.name });
    if (found === undefined) return false;
    const record = readObjectBucket(found);
    return isOfClaim(record, access.uid) && record.additionalState[accountStateKey] === accountId;
  }

  /** The record of an account that has given way to another one. */
  async #former(client: KubernetesClient, key: AccountKey): Promise<AccountRecord | undefined> {
    const found = await this.#own(client);
    return found === undefined
      ? undefined
      : formerAccount(accountsOf(found), readClaim(found).accountId, key);
  }

  /** Takes the account off the claim. @returns False if that could not be done. */
  async #forget(client: KubernetesClient, more: Record<string, string> = {}): Promise<boolean> {
    await this.#annotate(client, { [accountAnnotation]: null, [revokeSentAnnotation]: null, ...more });
    return true;
  }

  async #annotate(client: KubernetesClient, annotations: Record<string, string | null>): Promise<void> {
    const claim = this.#objects.access;
    await changeMetadata(client, objectBucketClaimKind, claim, ({ metadata }) => {
      if (metadata.uid !== claim.uid) return undefined;
      const live = metadata.annotations ?? {};
      const isSame = Object.entries(annotations).every(([key, value]) => (live[key] ?? null) === value);
      return isSame ? undefined : { annotations };
    });
  }

  async #requireOwn(client: KubernetesClient): Promise<void> {
    if ((await this.#own(client)) !== undefined) return;
    const claim = this.#objects.access;
    throw new RefusedError(
      `${describe(objectBucketClaimKind, claim)} was deleted meanwhile; run \`pulumi refresh\` and \`pulumi up\``,
    );
  }

  /** Our claim; not one of the same name that somebody made after ours was deleted. */
  async #own(client: KubernetesClient): Promise<KubernetesObject | undefined> {
    const claim = this.#objects.access;
    const found = await client.get(objectBucketClaimKind, claim);
    return found?.metadata.uid === claim.uid ? found : undefined;
  }

  #connect(): Promise<KubernetesClient> {
    return connectKubernetes(this.#objects.kubernetes);
  }
}

/** True if a revoke of the claim's account may have been sent. */
export function isMarked(claim: KubernetesObject): boolean {
  return claim.metadata.annotations?.[revokeSentAnnotation] !== undefined;
}

/** True if the claim says that the account was revoked, and none was granted since. */
function hasEnded({ metadata }: KubernetesObject, { accountId }: AccountKey): boolean {
  const ended = metadata.annotations?.[accountEndedAnnotation];
  return ended !== undefined && ended === accountId;
}

/** True for a claim that tells of a call which has failed. */
function tellsError(claim: KubernetesObject | undefined): boolean {
  return claim?.metadata.annotations?.[lastErrorAnnotation] !== undefined;
}

/** What the claim says of its account: its id, "" while one is asked for. */
function accountNoted({ metadata }: KubernetesObject): string | undefined {
  return metadata.annotations?.[accountAnnotation];
}
