import { isDeepStrictEqual } from "node:util";
import type { KeyedLock } from "../../../../provider/driver/call/locks";
import { bucketArn } from "../access-policy";
import type { IamUsers } from "../iam-users";
import { TAG } from "../tags";
import { jsonObject } from "./json-object";
import { setting, wrongSetting } from "./setting-refusal";

const KEY = "bucketOwner";

/**
 * Users who were there before and get full access to a bucket. All that the driver does to such a user is to set and to
 * remove one inline policy, called after the bucket: other policies, keys and the user itself are none of its business.
 *
 * Why no statement in the bucket's policy: that is a setting of its own, of which a caller may say nothing, and what it says
 * is put as it is.
 */
export class BucketOwners {
  constructor(
    private readonly users: IamUsers,
    private readonly lock: KeyedLock,
    private readonly partition: string,
  ) {}

  /**
   * Judges a user who is to own a bucket, before anything is made. Nothing is written.
   *
   * @throws DriverError `invalid-argument` if there is no such user, or it is none that can be an owner.
   */
  async require(user: string, bucket: string): Promise<void> {
    await this.#hasAccess(user, bucket);
  }

  /**
   * Gives full access. Again: no change.
   *
   * @throws DriverError `invalid-argument` as {@link require}.
   */
  async give(user: string, bucket: string): Promise<void> {
    await this.#locked(user, async () => {
      if (await this.#hasAccess(user, bucket)) return;
      await setting(KEY, this.users.putPolicy(user, policyName(bucket), this.#policy(bucket)));
    });
  }

  /** Takes away what was given. A user that is gone has nothing. */
  async end(user: string, bucket: string): Promise<void> {
    await this.#locked(user, async () => {
      // Asked first: SeaweedFS takes the removal of a policy that is not there for a reason to end rights of other sources.
      const names = await this.users.policyNames(user);
      if (names?.includes(policyName(bucket)) === true)
        await this.users.deletePolicy(user, policyName(bucket));
    });
  }

  /** True if the user has what is given here. */
  async #hasAccess(user: string, bucket: string): Promise<boolean> {
    const tags = await setting(KEY, this.users.tagsOf(user));
    if (tags === undefined) {
      throw wrongSetting(
        KEY,
        `the store has no IAM user "${user}": this driver makes none, name one that exists`,
      );
    }
    if (tags[TAG.driver] !== undefined) {
      throw wrongSetting(
        KEY,
        `IAM user "${user}" was made by driver "${tags[TAG.driver]}" and ends with its access: name one of your own`,
      );
    }
    const document = await setting(KEY, this.users.policyOf(user, policyName(bucket)));
    if (document === undefined) return false;
    const names = await setting(KEY, this.users.policyNames(user));
    if (names?.includes(policyName(bucket)) !== true) {
      // SeaweedFS says so of rights that stand in its own configuration, and a first policy would replace them.
      throw wrongSetting(
        KEY,
        `IAM user "${user}" has rights of its own that are not IAM policies, and a policy would end them: give the user ` +
          "its rights by inline policies (PutUserPolicy), or name another user",
      );
    }
    return isDeepStrictEqual(jsonObject(document), jsonObject(this.#policy(bucket)));
  }

  #policy(bucket: string): string {
    const arn = bucketArn(bucket, this.partition);
    return JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Action: "s3:*", Resource: [arn, `${arn}/*`] }],
    });
  }

  #locked<T>(user: string, task: () => Promise<T>): Promise<T> {
    return this.lock.run(`user ${user}`, task);
  }
}

/** A policy of its own for each bucket, so that none of another is touched. */
function policyName(bucket: string): string {
  return `cosi-owner-${bucket}`;
}
