import type { IamUsers } from "./iam-users";
import { type Tags, TAG, hasTags, isOfOther, ownerTag } from "./tags";
import { intentUserName } from "./user-names";

/**
 * The driver's write-ahead record of a create.
 *
 * S3 has no way that all stores know to make a bucket and mark it in one step, so a create that is cut short may
 * leave a bucket without mark. Whether the driver or somebody else made such a bucket is told by a record that was
 * written before it, and only while no bucket of that name existed: an IAM user without keys and policies, named
 * after driver and bucket, with the parameters in its tags. It is removed once the bucket bears its mark.
 *
 * Why an IAM user: it lies in the store, hence survives the driver and its machine; it needs no bucket of the
 * driver's own, whose name would have to be configured and would show up among the users' buckets; and the driver
 * must be allowed to make users anyway.
 *
 * What remains: if a create is cut short after the record and before the bucket, and somebody else with the
 * administrator's rights makes a bucket of that very name before the create is repeated, the repeat takes it for
 * its own, provided that it is empty and has no tags.
 */
export class CreateIntents {
  constructor(
    private readonly users: IamUsers,
    private readonly driver: string,
  ) {}

  /**
   * Records that a bucket is about to be made; replaces an earlier record for it.
   *
   * @returns true if there was one: an earlier create of the driver may have made the bucket, or may do so yet.
   */
  async write(bucket: string, parameters: string, owner: string | undefined): Promise<boolean> {
    const user = intentUserName(this.driver, bucket);
    const tags = { ...this.#tags(bucket, parameters), ...ownerTag(owner) };
    if (await this.users.create(user, tags)) return false;
    await this.users.tag(user, tags);
    return true;
  }

  /** True if there is a record for the bucket, made with these parameters and for this owner if they are given. */
  async exists(bucket: string, parameters?: string, owner?: string): Promise<boolean> {
    const user = intentUserName(this.driver, bucket);
    this.users.expect(user);
    const tags = await this.users.tagsOf(user);
    if (tags === undefined || isOfOther(tags, owner)) return false;
    return hasTags(tags, this.#tags(bucket, parameters));
  }

  /** Removes the record; none is no error. */
  async drop(bucket: string): Promise<void> {
    await this.users.removeBare(intentUserName(this.driver, bucket));
  }

  #tags(bucket: string, parameters?: string): Tags {
    return {
      [TAG.driver]: this.driver,
      [TAG.bucket]: bucket,
      ...(parameters === undefined ? {} : { [TAG.parameters]: parameters }),
    };
  }
}
