import { setTimeout as sleep } from "node:timers/promises";
import { accessPolicy } from "./access-policy";
import type { Buckets } from "./buckets";
import { DriverError } from "../../common/driver-error";
import { toMade } from "../../common/made";
import type { AccessKey, IamUsers } from "./iam-users";
import type { KeyedLock } from "../../../provider/driver/call/locks";
import { checkAccountName } from "./names";
import { type Parameters, accessIdentity, accessMode, formatParameters } from "./parameters";
import { toDriverError } from "./store-error";
import { type Tags, TAG, hasTags, ownerTag, requireOwner } from "./tags";
import { accountUserName, isDriversUserName } from "./user-names";

/** The account of a grant and its only live key. */
export interface Grant {
  /** Name of the IAM user. */
  readonly accountId: string;
  readonly key: AccessKey;
}

/** An account that is not for the driver to end, or not with this bucket. */
export class ForeignAccountError extends DriverError {
  constructor(message: string) {
    super("failed-precondition", message);
  }
}

/**
 * So long another process may need to tag a user that it has just made, where that takes a second request (SeaweedFS). One that
 * is without tags after it was left by a grant that was cut short.
 */
const TAGGING_MS = 500;

const POLICY_NAME = "cosi-access";

/**
 * Accounts: one IAM user per account name, with one inline policy for one bucket and one access key.
 *
 * The user's tags record driver, account, bucket and parameters. They are written before policy and key, so a user
 * that can do anything is always one that can be judged.
 */
export class Accounts {
  /** @param partition - the first part of the names of buckets in policies, see `bucketArn`. */
  constructor(
    private readonly users: IamUsers,
    private readonly buckets: Buckets,
    private readonly lock: KeyedLock,
    private readonly driver: string,
    private readonly partition: string,
  ) {}

  /**
   * Gives an account access to a bucket, whoever made the bucket. Again with equal arguments: the same account with
   * a new key, and every earlier key ended, since a store tells a secret only once.
   *
   * @param parameters - checked ones.
   * @param owner - for whom the account is, if that is known; recorded.
   * @throws DriverError `not-found` if there is no such bucket, `already-exists` if the account has another bucket, other
   * parameters or another owner.
   */
  async grant(bucket: string, account: string, parameters: Parameters, owner?: string): Promise<Grant> {
    checkAccountName("name", account);
    const accountId = accountUserName(this.driver, account);
    return this.buckets.whileExists(bucket, () =>
      this.lock.run(`user ${accountId}`, () => this.#grant(bucket, account, accountId, parameters, owner)),
    );
  }

  /**
   * Judges an account that is to come with its bucket, before the bucket does: what {@link grant} would refuse then must
   * leave no bucket behind. Nothing is written.
   *
   * @throws DriverError `already-exists` as {@link grant}.
   */
  async requireGrantable(
    bucket: string,
    account: string,
    parameters: Parameters,
    owner?: string,
  ): Promise<void> {
    checkAccountName("name", account);
    await this.#stateOf(
      accountUserName(this.driver, account),
      this.#record(bucket, account, parameters),
      owner,
    );
  }

  /**
   * Ends every access of an account and removes it. One that is gone is done, and so is one whose bucket is gone. It waits for
   * earlier calls for the bucket, of which one may be the grant of this account whose caller has given up.
   *
   * @param account - name of the account, where it is known, see {@link requireOf}.
   * @throws ForeignAccountError if the driver did not make the account, or made it for another bucket: an OK would claim that
   * an access has ended which lives on. Nothing is removed then.
   */
  async revoke(bucket: string, accountId: string, account?: string): Promise<void> {
    await this.buckets.inOrder(bucket, () =>
      this.lock.run(`user ${accountId}`, async () => {
        if (await this.#isThere(bucket, accountId, account)) await this.users.remove(accountId);
      }),
    );
  }

  /**
   * Judges an account that is to end with its bucket, before the bucket does. One that is gone is right.
   *
   * @param account - name of the account, where it is known: a user that is called after it and has no tags is what a
   * grant that was cut short has left, and right too.
   * @throws ForeignAccountError as {@link revoke}.
   */
  async requireOf(bucket: string, accountId: string, account?: string): Promise<void> {
    await this.#isThere(bucket, accountId, account);
  }

  async #grant(
    bucket: string,
    account: string,
    user: string,
    parameters: Parameters,
    owner: string | undefined,
  ): Promise<Grant> {
    const record = this.#record(bucket, account, parameters);
    const isNew = await this.#make(user, record, owner);
    const policy = accessPolicy(bucket, accessMode(parameters), this.partition);
    const key = await toMade("the account", "let it in", toDriverError, async () => {
      await this.users.putPolicy(user, POLICY_NAME, policy);
      await this.users.deleteKeys(user);
      const made = await this.users.createKey(user);
      // A key whose reply was lost on the way may not have been listed yet.
      if (!isNew) await this.users.deleteKeys(user, made.id);
      return made;
    });
    return { accountId: user, key };
  }

  /**
   * Makes the account, unless it is there as recorded.
   *
   * @returns true if this call has made it.
   */
  async #make(user: string, record: Tags, owner: string | undefined): Promise<boolean> {
    const tags = { ...record, ...ownerTag(owner) };
    let state = await this.#stateOf(user, record, owner);
    if (state === "untagged") {
      await sleep(TAGGING_MS);
      state = await this.#stateOf(user, record, owner);
    }
    if (state === "granted") return false;
    if (state === "untagged") {
      await this.users.tag(user, tags);
      return false;
    }
    if (await this.users.create(user, tags)) return true;
    // Another process was faster, or the look above one of before. What is there may be an account for something else.
    if ((await this.#stateOf(user, record, owner)) === "granted") return false;
    throw new DriverError(
      "aborted",
      `IAM user "${user}" appeared a moment ago and does not say yet which account it is for: another process of this driver may be ` +
        "making it; try again",
    );
  }

  #record(bucket: string, account: string, parameters: Parameters): Tags {
    return {
      [TAG.driver]: this.driver,
      [TAG.account]: account,
      [TAG.bucket]: bucket,
      [TAG.parameters]: formatParameters(accessIdentity(parameters)),
    };
  }

  /** Whether the account is there as recorded, or free; neither if it is there for something else. */
  async #stateOf(
    user: string,
    record: Tags,
    owner: string | undefined,
  ): Promise<"granted" | "untagged" | "absent"> {
    const tags = await this.users.tagsOf(user);
    if (tags === undefined) return "absent";
    if (isUntagged(tags)) return "untagged";
    if (!hasTags(tags, record)) {
      throw new DriverError(
        "already-exists",
        `the account has access to bucket "${tags[TAG.bucket] ?? "?"}" with parameters ` +
          `"${tags[TAG.parameters] ?? "?"}"; revoke that first, or use another name`,
      );
    }
    requireOwner(tags, owner);
    return "granted";
  }

  /** True if the account is there, and false if it is gone; neither if it is not the driver's for this bucket. */
  async #isThere(bucket: string, user: string, account: string | undefined): Promise<boolean> {
    if (isDriversUserName(user)) this.users.expect(user);
    const tags = await this.users.tagsOf(user);
    if (tags === undefined) {
      return false;
    }
    if (account !== undefined && user === accountUserName(this.driver, account) && isUntagged(tags)) {
      return true;
    }
    if (tags[TAG.driver] !== this.driver || tags[TAG.account] === undefined) {
      throw new ForeignAccountError(
        `the account's tag ${TAG.driver} does not say that driver "${this.driver}" made it, so it is left alone`,
      );
    }
    if (tags[TAG.bucket] !== bucket) {
      throw new ForeignAccountError(
        `the account's access is to bucket "${tags[TAG.bucket] ?? "?"}"; nothing was revoked`,
      );
    }
    return true;
  }
}

function isUntagged(tags: Tags): boolean {
  return Object.keys(tags).length === 0;
}
