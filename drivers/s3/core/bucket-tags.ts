import {
  GetBucketTaggingCommand,
  PutBucketTaggingCommand,
  type S3Client,
  paginateListBuckets,
} from "@aws-sdk/client-s3";
import { DriverError } from "../../common/driver-error";
import { isOfOtherRegion, kindOf } from "./store-error";
import { type Tags, fromTagEntries, toTagEntries } from "./tags";

/** The tags of buckets, in which the driver's record lies. */
export class BucketTags {
  constructor(private readonly s3: S3Client) {}

  /** The tags of a bucket, or undefined if there is no such bucket. */
  async of(name: string): Promise<Tags | undefined> {
    try {
      const { TagSet = [] } = await this.s3.send(new GetBucketTaggingCommand({ Bucket: name }));
      return fromTagEntries(TagSet);
    } catch (error) {
      if (error instanceof Error && error.name === "NoSuchTagSet") {
        return {};
      }
      if (kindOf(error) === "not-found") {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * As {@link of}; a bucket whose tags are kept from us because another account owns it counts as absent.
   *
   * @throws DriverError `already-exists` for one in another region, whoever owns it.
   */
  async beforeCreate(name: string): Promise<Tags | undefined> {
    try {
      return await this.of(name);
    } catch (error) {
      const elsewhere = isOfOtherRegion(error);
      if (!elsewhere && kindOf(error) !== "permission-denied") throw error;
      // A store that has another region than the driver was told says so here, too.
      const inAccount = await this.#isInAccount(name);
      if (elsewhere) {
        throw new DriverError(
          "already-exists",
          "it exists already, in another region than the driver's; choose another name",
          { cause: error },
        );
      }
      if (!inAccount) return undefined;
      throw error;
    }
  }

  /** Puts these in the place of all tags of a bucket. */
  async put(name: string, tags: Tags): Promise<void> {
    await this.s3.send(
      new PutBucketTaggingCommand({ Bucket: name, Tagging: { TagSet: toTagEntries(tags) } }),
    );
  }

  async #isInAccount(name: string): Promise<boolean> {
    for await (const { Buckets: page = [] } of paginateListBuckets({ client: this.s3 }, { Prefix: name })) {
      if (page.some((bucket) => bucket.Name === name)) {
        return true;
      }
    }
    return false;
  }
}
