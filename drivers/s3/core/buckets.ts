import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetBucketTaggingCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  paginateListBuckets,
} from "@aws-sdk/client-s3";
import { contentsOf, emptyBucket } from "./bucket-contents";
import type { CreateIntents } from "./create-intents";
import { DriverError, type ErrorKind } from "./driver-error";
import type { Emptying, Emptyings } from "./emptyings";
import type { KeyedLock } from "../../../provider/driver/call/locks";
import { canBeBucket, checkBucketName } from "./names";
import { type Parameters, bucketParameter, formatParameters, parseParameters } from "./parameters";
import type { Store } from "./store";
import { kindOf } from "./store-error";
import { type Tags, TAG, fromTagEntries, hasTags, ownerTag, requireOwner, toTagEntries } from "./tags";

/** After these the store may have made the bucket all the same. */
const OUTCOME_UNKNOWN: readonly ErrorKind[] = ["unavailable", "aborted", "internal"];

/**
 * The buckets of the store.
 *
 * A bucket that the driver made bears two tags: the driver's name and the parameters. They lie with the bucket in
 * the store, so that a repeat can be judged after a restart and from any machine, and no bucket of anyone else is
 * ever adopted or deleted. {@link CreateIntents} covers the time between a bucket and its tags.
 *
 * Calls for one bucket run one after the other; while it is being emptied, all but a delete are told to come back. A
 * second driver process of the same name at the same store would break that: one is meant to run.
 */
export class Buckets {
  constructor(
    private readonly store: Store,
    private readonly intents: CreateIntents,
    private readonly emptyings: Emptyings,
    private readonly lock: KeyedLock,
    private readonly driver: string,
    private readonly region: string,
  ) {}

  /**
   * Creates a bucket; its id is its name. Again with equal parameters: done, without a change.
   *
   * @param parameters - checked ones.
   * @param owner - for whom it is made, if that is known; recorded.
   * @throws DriverError `already-exists` if the bucket was made with other parameters, for another owner or by someone else,
   * `out-of-range` for a region that the driver does not serve.
   */
  async create(name: string, parameters: Parameters, owner?: string): Promise<void> {
    checkBucketName("name", name);
    const region = bucketParameter(parameters, "region") ?? this.region;
    if (region !== this.region) {
      throw new DriverError(
        "out-of-range",
        `parameters: key "region": "${region}" is not offered, only "${this.region}"`,
      );
    }
    await this.#locked(name, () => this.#create(name, parameters, owner));
  }

  /**
   * Deletes a bucket that the driver made. One that is gone is done. One that was created with `emptyOnDelete` is
   * emptied first, which goes on when the caller has gone; a call for a bucket that is being emptied joins in.
   *
   * @throws DriverError `failed-precondition` if someone else made the bucket or it is not empty, nothing is removed
   * then; `aborted` if the emptying takes longer than a call may wait; what an emptying meets, such as
   * `permission-denied` for an object that is locked.
   */
  async delete(id: string): Promise<void> {
    if (!canBeBucket(id)) {
      return;
    }
    const emptying = await this.lock.run(
      lockOf(id),
      async () => this.emptyings.find(id) ?? (await this.#delete(id)),
    );
    await emptying?.finished();
  }

  /**
   * Runs a task for a bucket while no other call for it is under way.
   *
   * @throws DriverError `not-found` if there is no such bucket.
   */
  async whileExists<T>(id: string, task: () => Promise<T>): Promise<T> {
    return this.#locked(id, async () => {
      if (!canBeBucket(id) || (await this.#tagsOf(id)) === undefined) {
        throw new DriverError("not-found", "the store has no such bucket");
      }
      return task();
    });
  }

  async #create(name: string, parameters: Parameters, owner: string | undefined): Promise<void> {
    const line = formatParameters(parameters);
    const mark = { [TAG.driver]: this.driver, [TAG.parameters]: line };
    const made = { ...mark, ...ownerTag(owner) };
    const tags = await this.#tagsBeforeCreate(name);
    if (tags === undefined) {
      await this.intents.write(name, line, owner);
      await this.#createBare(name);
      await this.#finish(name, parameters, made);
    } else if (await this.#isHalfMade(name, tags, line, owner)) {
      await this.#finish(name, parameters, made);
    } else if (tags[TAG.driver] !== this.driver) {
      throw notOurs();
    } else if (!hasTags(tags, mark)) {
      const others = tags[TAG.parameters];
      throw new DriverError(
        "already-exists",
        `it exists and was created with ${others ? `other parameters: ${others}` : "no parameters"}`,
      );
    } else {
      requireOwner(tags, owner);
      // Made by a caller that did not say for whom.
      if (owner !== undefined && tags[TAG.owner] === undefined)
        await this.#tag(name, { ...tags, ...ownerTag(owner) });
    }
    await this.intents.drop(name);
  }

  /**
   * The bucket alone. It was not there a moment ago: if it is now, someone else was faster. Amazon's region us-east-1
   * alone says OK then (S3 API reference, CreateBucket), so there a moment of doubt remains.
   */
  async #createBare(name: string): Promise<void> {
    try {
      await this.store.once.s3.send(new CreateBucketCommand({ Bucket: name }));
    } catch (error) {
      const kind = kindOf(error);
      if (!OUTCOME_UNKNOWN.includes(kind)) {
        // A record that stays does no harm as long as no bucket of that name is made: the next create replaces it.
        await this.intents.drop(name).catch(() => undefined);
      }
      throw kind === "already-exists" ? notOurs() : error;
    }
  }

  /** Settings first, mark last: a marked bucket is complete. */
  async #finish(name: string, parameters: Parameters, mark: Tags): Promise<void> {
    try {
      if (bucketParameter(parameters, "versioning") === "true") {
        await this.store.s3.send(
          new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: "Enabled" } }),
        );
      }
      await this.#tag(name, mark);
    } catch (error) {
      // A large store may need a moment to show a fresh bucket everywhere.
      throw kindOf(error) === "not-found"
        ? new DriverError(
            "unavailable",
            "it is made, but the store does not show it everywhere yet; try again",
          )
        : error;
    }
  }

  async #tag(name: string, tags: Tags): Promise<void> {
    await this.store.s3.send(
      new PutBucketTaggingCommand({ Bucket: name, Tagging: { TagSet: toTagEntries(tags) } }),
    );
  }

  /** Deletes the bucket, or starts what empties it first. */
  async #delete(id: string): Promise<Emptying | undefined> {
    const tags = await this.#tagsOf(id);
    if (tags === undefined) {
      await this.intents.drop(id);
      return undefined;
    }
    if (tags[TAG.driver] !== this.driver && !(await this.#isHalfMade(id, tags))) {
      throw new DriverError(
        "failed-precondition",
        `its tag ${TAG.driver} does not say that driver "${this.driver}" made it, so it is left alone`,
      );
    }
    if (bucketParameter(parseParameters(tags[TAG.parameters] ?? ""), "emptyOnDelete") !== "true") {
      await this.#deleteEmpty(id, "remove them and delete again");
      return undefined;
    }
    return this.emptyings.start(id, async (removed) => {
      await unlessGone(emptyBucket(this.store.s3, id, removed));
      await this.#deleteEmpty(id, "they came while it was emptied; stop what writes to it and delete again");
    });
  }

  async #deleteEmpty(id: string, advice: string): Promise<void> {
    const contents = await unlessGone(contentsOf(this.store.s3, id));
    if (contents !== undefined) {
      throw new DriverError("failed-precondition", `it is not empty: it holds ${contents}; ${advice}`);
    }
    await unlessGone(this.store.s3.send(new DeleteBucketCommand({ Bucket: id })));
    await this.intents.drop(id);
  }

  /** True for a bucket that a create of this driver made and did not come to mark. */
  async #isHalfMade(name: string, tags: Tags, parameters?: string, owner?: string): Promise<boolean> {
    return (
      Object.keys(tags).length === 0 &&
      (await this.intents.exists(name, parameters, owner)) &&
      (await contentsOf(this.store.s3, name)) === undefined
    );
  }

  /** The tags of a bucket, or undefined if there is no such bucket. */
  async #tagsOf(name: string): Promise<Tags | undefined> {
    try {
      const { TagSet = [] } = await this.store.s3.send(new GetBucketTaggingCommand({ Bucket: name }));
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

  /** As {@link #tagsOf}; a bucket whose tags are kept from us because another account owns it counts as absent. */
  async #tagsBeforeCreate(name: string): Promise<Tags | undefined> {
    try {
      return await this.#tagsOf(name);
    } catch (error) {
      if (kindOf(error) === "permission-denied" && !(await this.#isInAccount(name))) {
        return undefined;
      }
      throw error;
    }
  }

  async #isInAccount(name: string): Promise<boolean> {
    for await (const { Buckets: page = [] } of paginateListBuckets(
      { client: this.store.s3 },
      { Prefix: name },
    )) {
      if (page.some((bucket) => bucket.Name === name)) {
        return true;
      }
    }
    return false;
  }

  #locked<T>(name: string, task: () => Promise<T>): Promise<T> {
    return this.lock.run(lockOf(name), async () => {
      const emptying = this.emptyings.find(name);
      if (emptying !== undefined) {
        throw emptying.busy();
      }
      return task();
    });
  }
}

function lockOf(bucket: string): string {
  return `bucket ${bucket}`;
}

/** The outcome of a step of a delete; a bucket that is gone by then is no error. */
async function unlessGone<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if (kindOf(error) !== "not-found") {
      throw error;
    }
    return undefined;
  }
}

function notOurs(): DriverError {
  return new DriverError(
    "already-exists",
    "it exists already and was not made by this driver; choose another name, or use it by its id",
  );
}
