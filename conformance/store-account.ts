import { addAbortSignal, Readable } from "node:stream";
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
import type { BucketNaming } from "./backend-knowledge";
import type { Context } from "./context";
import type { Granted } from "./ledger";
import type { BackendAnswer, Trial } from "./trial";

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const forbidden = new Set([401, 403]);
const notFound = 404;
/** What removes goes on though the run was interrupted. */
const noInterrupt = new AbortController().signal;

/** Granted S3 credentials at work: what they may do at the store, as a workload would find out. */
export class StoreAccount implements Trial {
  readonly #client: S3Client;
  /** What this account has put, or may have, with the versions that a store keeps: a bucket with one is not empty. */
  readonly #versions = new Map<string, string[]>();
  /** What the store may call the account's bucket. */
  readonly #buckets: Readonly<Record<BucketNaming, string>>;
  readonly #accountId: string;
  readonly name: string;
  readonly by = "the store";

  /** @throws NotJudgedError if the grant has no S3 credentials with an endpoint. */
  constructor(
    granted: Granted,
    bucketSentName: string,
    private readonly run: Pick<Context, "patience" | "interrupt" | "mask" | "backend">,
  ) {
    this.name = granted.name;
    this.#accountId = granted.accountId;
    const secrets = new Map(
      [...granted.reply.credentials].map(([entry, details]) => [entry, details.secrets]),
    );
    const s3 = readS3(secrets);
    const told = secrets.get("s3")?.get("bucketName");
    const looksLikeName = bucketName.test(granted.bucketId);
    this.#buckets = {
      "by id": told ?? (looksLikeName ? granted.bucketId : bucketSentName),
      "by sent name": told ?? bucketSentName,
    };
    this.#client = new S3Client({
      endpoint: s3.endpoint,
      region: s3.region,
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.accessSecretKey },
      forcePathStyle: true,
      maxAttempts: 2,
    });
  }

  /** Name of the account's bucket at the store. */
  get bucket(): string {
    return this.#buckets[this.run.backend.bucketNaming ?? "by id"];
  }

  get what(): string {
    return `ListObjectsV2 on bucket ${this.bucket} with the key of account ${this.#accountId}`;
  }

  attempt(): Promise<BackendAnswer> {
    return this.list();
  }

  /** Lists a bucket, its own unless another is named. */
  list(bucket: string = this.bucket): Promise<BackendAnswer> {
    return this.#answer(bucket, (Bucket, abortSignal) =>
      this.#client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), { abortSignal }),
    );
  }

  /** @throws NotJudgedError where it could not be removed again. */
  async put(key: string, bucket: string = this.bucket): Promise<BackendAnswer> {
    if (this.run.backend.keepsPuts) {
      throw new NotJudgedError(
        "the store keeps versions of objects, which the granted keys may not remove: nothing more is put there",
      );
    }
    return this.#answer(bucket, async (Bucket, abortSignal) => {
      const versions = this.#versions.get(placeOf(Bucket, key)) ?? [];
      this.#versions.set(placeOf(Bucket, key), versions);
      const request = new PutObjectCommand({ Bucket, Key: key, Body: key });
      const { VersionId } = await this.#client.send(request, { abortSignal });
      if (VersionId !== undefined) versions.push(VersionId);
    });
  }

  get(key: string, bucket: string = this.bucket): Promise<BackendAnswer> {
    return this.#answer(bucket, (place, abortSignal) => this.#read(key, place, abortSignal));
  }

  /** Whether an object that was put is there: a missing one counts as refused. */
  has(key: string): Promise<BackendAnswer> {
    return this.#answer(this.bucket, (place, abortSignal) => this.#read(key, place, abortSignal), "refused");
  }

  /**
   * Removes an object as part of a clean-up, which goes on whatever becomes of it: one that stays keeps its bucket,
   * and that is listed. Of one in a bucket that keeps versions the versions that this account put are removed.
   *
   * @returns false if it may still be there.
   */
  async discard(key: string, bucket: string = this.bucket): Promise<boolean> {
    try {
      const known = this.#versions.get(placeOf(bucket, key));
      // A delete of what was never put would leave its own mark where versions are kept.
      if (known === undefined) return true;
      if (known.length === 0) known.push(...(await this.#removed(key, bucket)));
      for (const version of known) await this.#removed(key, bucket, version);
      this.#versions.delete(placeOf(bucket, key));
      return true;
    } catch {
      this.run.backend.keepsPuts ||= (this.#versions.get(placeOf(bucket, key)) ?? []).length > 0;
      return false;
    }
  }

  /** Makes a bucket, which is to be removed with {@link removeBucket}, also where the store did not answer. */
  makeBucket(name: string): Promise<BackendAnswer> {
    return this.#answer(name, (Bucket, abortSignal) =>
      this.#client.send(new CreateBucketCommand({ Bucket }), { abortSignal }),
    );
  }

  /** Removes a bucket that {@link makeBucket} made. @returns why it may still be there; `undefined` if it is gone. */
  async removeBucket(name: string): Promise<string | undefined> {
    try {
      await this.#bounded(
        (abortSignal) => this.#client.send(new DeleteBucketCommand({ Bucket: name }), { abortSignal }),
        noInterrupt,
      );
      return undefined;
    } catch (error) {
      if (httpStatusOf(error) === notFound) return undefined;
      return `DeleteBucket with the key of account ${this.name}: ${this.run.mask.apply(errorText(error))}`;
    }
  }

  async #read(key: string, bucket: string, abortSignal: AbortSignal): Promise<void> {
    const request = new GetObjectCommand({ Bucket: bucket, Key: key });
    const { Body } = await this.#client.send(request, { abortSignal });
    if (Body instanceof Readable) addAbortSignal(abortSignal, Body);
    // A body that nobody reads keeps its connection, and with it the process.
    await Body?.transformToByteArray();
  }

  /** @returns the marker that a store with versions has put in its place. */
  async #removed(key: string, bucket: string, version?: string): Promise<string[]> {
    const request = new DeleteObjectCommand({
      Bucket: bucket,
      Key: key,
      ...(version === undefined ? {} : { VersionId: version }),
    });
    const { DeleteMarker, VersionId } = await this.#bounded(
      (abortSignal) => this.#client.send(request, { abortSignal }),
      noInterrupt,
    );
    return DeleteMarker === true && VersionId !== undefined ? [VersionId] : [];
  }

  /** No request outlasts the longest wait for one call. */
  async #bounded<Result>(
    request: (abortSignal: AbortSignal) => Promise<Result>,
    interrupt: AbortSignal = this.run.interrupt,
  ): Promise<Result> {
    const { patience } = this.run;
    const late = AbortSignal.timeout(patience);
    try {
      return await request(AbortSignal.any([late, interrupt]));
    } catch (error) {
      if (interrupt.aborted) throw new NotJudgedError("the run was interrupted");
      if (late.aborted) throw new Error(`no answer within ${patience / 1000} s`, { cause: error });
      throw error;
    }
  }

  /**
   * An id that looks like a bucket's name need not be one, as a UUID. Until the account's bucket has let a key in, a
   * request to it that was answered otherwise is made by the name that was sent too.
   *
   * @param missing What it is that there is no such object. @default "allowed": it is told only to those who may look
   */
  async #answer(
    bucket: string,
    request: StoreRequest,
    missing: BackendAnswer = "allowed",
  ): Promise<BackendAnswer> {
    const outcome = await this.#outcome(bucket, request, missing);
    const { "by id": id, "by sent name": sent } = this.#buckets;
    if (this.run.backend.bucketNaming === undefined && bucket === id && id !== sent) {
      if (outcome === "allowed") this.run.backend.bucketNaming = "by id";
      else if (wasAnswered(outcome) && (await this.#outcome(sent, request, missing)) === "allowed") {
        this.run.backend.bucketNaming = "by sent name";
        return "allowed";
      }
    }
    if (!isFailure(outcome)) return outcome;
    if (outcome.error instanceof NotJudgedError) throw outcome.error;
    const said = wasAnswered(outcome) ? "answered" : "did not answer";
    const why = this.run.mask.apply(errorText(outcome.error));
    throw new NotJudgedError(`the store ${said} for account ${this.name}: ${why}`);
  }

  async #outcome(bucket: string, request: StoreRequest, missing: BackendAnswer): Promise<Outcome> {
    try {
      await this.#bounded((abortSignal) => request(bucket, abortSignal));
      return "allowed";
    } catch (error) {
      const httpStatus = httpStatusOf(error);
      if (httpStatus !== undefined && forbidden.has(httpStatus)) return "refused";
      return error instanceof NoSuchKey ? missing : { error };
    }
  }
}

/** Neither a yes nor a no. */
interface Failure {
  readonly error: unknown;
}

type Outcome = BackendAnswer | Failure;

type StoreRequest = (bucket: string, abortSignal: AbortSignal) => Promise<unknown>;

function isFailure(outcome: Outcome): outcome is Failure {
  return typeof outcome === "object";
}

function wasAnswered(outcome: Outcome): boolean {
  return !isFailure(outcome) || httpStatusOf(outcome.error) !== undefined;
}

function placeOf(bucket: string, key: string): string {
  return `${bucket}/${key}`;
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
