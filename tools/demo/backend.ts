import { IAMClient, paginateListUsers } from "@aws-sdk/client-iam";
import { CreateBucketCommand, DeleteBucketCommand, ListBucketsCommand, S3Client } from "@aws-sdk/client-s3";
import type { Store } from "../local/store-access";

/** The store as its administrator sees it. */
export class Backend {
  readonly #s3: S3Client;
  readonly #iam: IAMClient;

  constructor({ endpoint, region, accessKeyId, secretAccessKey }: Store) {
    const access = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
    this.#s3 = new S3Client({ ...access, forcePathStyle: true });
    this.#iam = new IAMClient(access);
  }

  async buckets(): Promise<string[]> {
    const { Buckets = [] } = await this.#s3.send(new ListBucketsCommand({}));
    return Buckets.flatMap(({ Name }) => (Name === undefined ? [] : [Name]));
  }

  async users(): Promise<string[]> {
    const names: string[] = [];
    for await (const { Users = [] } of paginateListUsers({ client: this.#iam }, {})) {
      names.push(...Users.flatMap(({ UserName }) => (UserName === undefined ? [] : [UserName])));
    }
    return names;
  }

  async createBucket(name: string): Promise<void> {
    await this.#s3.send(new CreateBucketCommand({ Bucket: name }));
  }

  async deleteBucket(name: string): Promise<void> {
    await this.#s3.send(new DeleteBucketCommand({ Bucket: name }));
  }

  close(): void {
    this.#s3.destroy();
    this.#iam.destroy();
  }
}
