import {
  DeleteUserCommand,
  IAMClient,
  ListAccessKeysCommand,
  ListUsersCommand,
  ListUserTagsCommand,
} from "@aws-sdk/client-iam";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { randomBytes } from "node:crypto";
import type { Store } from "../../../../tools/local/store-access";
import { emptyBucket } from "../../../../drivers/s3/core/bucket-contents";

/** Looks at a real store, and changes it behind the driver's back, as its administrator. */
export class StoreAdmin {
  readonly s3: S3Client;
  readonly iam: IAMClient;
  /** All names of one test file begin so: the store may have other users. */
  readonly #prefix = `t${randomBytes(4).toString("hex")}`;
  #count = 0;

  constructor(private readonly store: Store) {
    this.s3 = this.clientWith(store.accessKeyId, store.secretAccessKey);
    const { endpoint, region, accessKeyId, secretAccessKey } = store;
    this.iam = new IAMClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
  }

  /** A client of the store with other keys. */
  clientWith(accessKeyId: string, secretAccessKey: string): S3Client {
    const { endpoint, region } = this.store;
    return new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
  }

  /** A name that no other test has. */
  name(): string {
    return `${this.#prefix}-${++this.#count}`;
  }

  async makeBucket(name: string, tags: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.s3.send(new CreateBucketCommand({ Bucket: name }));
    const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    if (TagSet.length > 0) {
      await this.s3.send(new PutBucketTaggingCommand({ Bucket: name, Tagging: { TagSet } }));
    }
  }

  async removeBucket(name: string): Promise<void> {
    await this.s3.send(new DeleteBucketCommand({ Bucket: name }));
  }

  /** Which of the buckets with this name there are: one or none. */
  async bucketsNamed(name: string): Promise<number> {
    const { Buckets = [] } = await this.s3.send(new ListBucketsCommand({ Prefix: name }));
    return Buckets.filter((bucket) => bucket.Name === name).length;
  }

  /** All that a create may set on a bucket. */
  async settingsOf(name: string): Promise<unknown> {
    const tags = await this.s3.send(new GetBucketTaggingCommand({ Bucket: name })).then(
      ({ TagSet }) => TagSet,
      (error: unknown) => (error instanceof Error ? error.name : error),
    );
    const { Status } = await this.s3.send(new GetBucketVersioningCommand({ Bucket: name }));
    return { tags, versioning: Status };
  }

  async put(bucket: string, key: string, text = "text"): Promise<void> {
    await this.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
  }

  async remove(bucket: string, key: string): Promise<void> {
    await this.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  }

  async get(bucket: string, key: string): Promise<string | undefined> {
    const { Body } = await this.s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body?.transformToString();
  }

  /** How many versions, delete markers and unfinished uploads a bucket holds. */
  async countContents(bucket: string): Promise<number> {
    const { Versions = [], DeleteMarkers = [] } = await this.s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket }),
    );
    const { Uploads = [] } = await this.s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    return Versions.length + DeleteMarkers.length + Uploads.length;
  }

  /** The names of all users, sorted. */
  async users(): Promise<string[]> {
    const { Users = [] } = await this.iam.send(new ListUsersCommand({}));
    return Users.map(({ UserName }) => UserName ?? "").sort();
  }

  /** The ids of a user's active keys. */
  async keysOf(user: string): Promise<string[]> {
    const { AccessKeyMetadata = [] } = await this.iam.send(new ListAccessKeysCommand({ UserName: user }));
    return AccessKeyMetadata.filter(({ Status }) => Status === "Active").map(
      ({ AccessKeyId }) => AccessKeyId ?? "",
    );
  }

  async tagsOfUser(user: string): Promise<unknown> {
    return (await this.iam.send(new ListUserTagsCommand({ UserName: user }))).Tags;
  }

  async removeUser(user: string): Promise<void> {
    await this.iam.send(new DeleteUserCommand({ UserName: user }));
  }

  /** Removes every bucket of this test file. */
  async cleanUp(): Promise<void> {
    const { Buckets = [] } = await this.s3.send(new ListBucketsCommand({ Prefix: this.#prefix }));
    for (const { Name = "" } of Buckets.filter((bucket) => bucket.Name?.startsWith(this.#prefix))) {
      await emptyBucket(this.s3, Name);
      await this.removeBucket(Name);
    }
  }
}
