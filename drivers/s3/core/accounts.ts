import { accessPolicy } from "./access-policy";
import type { Buckets } from "./buckets";
import { DriverError } from "./driver-error";
import type { AccessKey, IamUsers } from "./iam-users";
import type { KeyedLock } from "../../../provider/driver/call/locks";
import { checkAccountName } from "./names";
import { type Parameters, accessMode, formatParameters } from "./parameters";
import { type Tags, TAG, hasTags, ownerTag, requireOwner } from "./tags";
import { accountUserName } from "./user-names";

/** The account of a grant and its only live key. */
export interface Grant {
  /** Name of the IAM user. */
  readonly accountId: string;
  readonly key: AccessKey;
}

const POLICY_NAME = "cosi-access";

/**
 * Accounts: one IAM user per account name, with one inline policy for one bucket and one access key.
 *
 * The user's tags record driver, account, bucket and parameters. They are written before policy and key, so a user
 * that can do anything is always one that can be judged.
 */
export class Accounts {
  constructor(
    private readonly users: IamUsers,
    private readonly buckets: Buckets,
    private readonly lock: KeyedLock,
    private readonly driver: string,
    private readonly region: string,
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
   * Ends every access of an account and removes it. One that is gone is done, and so is one whose bucket is gone.
   *
   * @throws DriverError `failed-precondition` if the driver did not make the account, or made it for another bucket:
   * an OK would claim that an access has ended which lives on. Nothing is removed then.
   */
  async revoke(bucket: string, accountId: string): Promise<void> {
    await this.lock.run(`user ${accountId}`, () => this.#revoke(bucket, accountId));
  }

  async #grant(
    bucket: string,
    account: string,
    user: string,
    parameters: Parameters,
    owner: string | undefined,
  ): Promise<Grant> {
    const record: Tags = {
      [TAG.driver]: this.driver,
      [TAG.account]: account,
      [TAG.bucket]: bucket,
      [TAG.parameters]: formatParameters(parameters),
    };
    const tags = await this.users.tagsOf(user);
    if (tags === undefined || Object.keys(tags).length === 0) {
      await this.users.put(user, { ...record, ...ownerTag(owner) });
    } else if (!hasTags(tags, record)) {
      throw new DriverError(
        "already-exists",
        `the account has access to bucket "${tags[TAG.bucket] ?? "?"}" with parameters ` +
          `"${tags[TAG.parameters] ?? "?"}"; revoke that first, or use another name`,
      );
    } else {
      requireOwner(tags, owner);
    }
    await this.users.putPolicy(user, POLICY_NAME, accessPolicy(bucket, accessMode(parameters), this.region));
    await this.users.deleteKeys(user);
    return { accountId: user, key: await this.users.createKey(user) };
  }

  async #revoke(bucket: string, user: string): Promise<void> {
    const tags = await this.users.tagsOf(user);
    if (tags === undefined) {
      return;
    }
    if (tags[TAG.driver] !== this.driver || tags[TAG.account] === undefined) {
      throw new DriverError(
        "failed-precondition",
        `the account's tag ${TAG.driver} does not say that driver "${this.driver}" made it, so it is left alone`,
      );
    }
    if (tags[TAG.bucket] !== bucket) {
      throw new DriverError(
        "failed-precondition",
        `the account's access is to bucket "${tags[TAG.bucket] ?? "?"}"; nothing was revoked`,
      );
    }
    await this.users.remove(user);
  }
}
