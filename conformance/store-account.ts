import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { pickCredentials, readCredentials } from "../provider/credentials/reader";
import { errorText } from "../provider/dynamic/error-text";
import { NotJudgedError } from "./not-judged-error";
import type { Granted } from "./context";
import type { BackendAnswer, Trial } from "./trial";

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const forbidden = new Set([401, 403]);
const notFound = 404;

/** Granted S3 credentials at work: what they may do at the store, as a workload would find out. */
export class StoreAccount implements Trial {
  readonly #client: S3Client;
  /** Name of the account's bucket at the store. */
  readonly bucket: string;
  readonly name: string;
  readonly what: string;
  readonly by = "the store";

  /** @throws NotJudgedError if the grant has no S3 credentials with an endpoint. */
  constructor(granted: Granted, bucketSentName: string) {
    this.name = granted.name;
    const secrets = new Map(
      [...granted.reply.credentials].map(([entry, details]) => [entry, details.secrets]),
    );
    const s3 = readS3(secrets);
    const told = secrets.get("s3")?.get("bucketName");
    this.bucket = told ?? (bucketName.test(granted.bucketId) ? granted.bucketId : bucketSentName);
    this.what = `ListObjectsV2 on bucket ${this.bucket} with the key of account ${granted.accountId}`;
    this.#client = new S3Client({
      endpoint: s3.endpoint,
      region: s3.region,
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.accessSecretKey },
      forcePathStyle: true,
      maxAttempts: 2,
    });
  }

  attempt(): Promise<BackendAnswer> {
    return this.list();
  }

  /** Lists a bucket, its own unless another is named. */
  list(bucket: string = this.bucket): Promise<BackendAnswer> {
    return this.#answer(() => this.#client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })));
  }

  put(key: string, bucket: string = this.bucket): Promise<BackendAnswer> {
    return this.#answer(() =>
      this.#client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: key })),
    );
  }

  get(key: string, bucket: string = this.bucket): Promise<BackendAnswer> {
    return this.#answer(() => this.#read(key, bucket));
  }

  /** Whether an object that was put is there: a missing one counts as refused. */
  has(key: string): Promise<BackendAnswer> {
    return this.#answer(() => this.#read(key, this.bucket), "refused");
  }

  remove(key: string, bucket: string = this.bucket): Promise<BackendAnswer> {
    return this.#answer(() => this.#client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })));
  }

  /**
   * Removes an object as part of a clean-up, which goes on whatever becomes of it: one that stays keeps its bucket,
   * and that is listed.
   *
   * @returns false if it may still be there.
   */
  async discard(key: string, bucket: string = this.bucket): Promise<boolean> {
    try {
      return (await this.remove(key, bucket)) === "allowed";
    } catch (error) {
      if (!(error instanceof NotJudgedError)) throw error;
      return false;
    }
  }

  /** Makes a bucket, which is to be removed with {@link removeBucket}, also where the store did not answer. */
  makeBucket(name: string): Promise<BackendAnswer> {
    return this.#answer(() => this.#client.send(new CreateBucketCommand({ Bucket: name })));
  }

  /** Removes a bucket that {@link makeBucket} made. @returns why it may still be there; `undefined` if it is gone. */
  async removeBucket(name: string): Promise<string | undefined> {
    try {
      await this.#client.send(new DeleteBucketCommand({ Bucket: name }));
      return undefined;
    } catch (error) {
      if (httpStatusOf(error) === notFound) return undefined;
      return `DeleteBucket with the key of account ${this.name}: ${errorText(error)}`;
    }
  }

  async #read(key: string, bucket: string): Promise<void> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    // A body that nobody reads keeps its connection, and with it the process.
    await Body?.transformToByteArray();
  }

  /** @param missing What it is that there is no such object. @default "allowed": it is told only to those who may look */
  async #answer(request: () => Promise<unknown>, missing: BackendAnswer = "allowed"): Promise<BackendAnswer> {
    try {
      await request();
      return "allowed";
    } catch (error) {
      const httpStatus = httpStatusOf(error);
      if (httpStatus !== undefined && forbidden.has(httpStatus)) return "refused";
      if (error instanceof NoSuchKey) return missing;
      throw new NotJudgedError(`the store did not answer for account ${this.name}: ${errorText(error)}`);
    }
  }
}

function httpStatusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return undefined;
  const metadata = error.$metadata;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
}

function readS3(secrets: ReadonlyMap<string, ReadonlyMap<string, string>>): {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly accessSecretKey: string;
} {
  if (!secrets.has("s3")) throw new NotJudgedError("the driver grants no S3 credentials");
  const { endpoint, region, accessKeyId, accessSecretKey } = readCredentials(
    pickCredentials(secrets, "S3"),
    "IAM",
    {},
  );
  if (endpoint === null || accessKeyId === null || accessSecretKey === null) {
    throw new NotJudgedError("the driver's S3 credentials lack endpoint, accessKeyID or accessSecretKey");
  }
  return { endpoint, region: region ?? "us-east-1", accessKeyId, accessSecretKey };
}
