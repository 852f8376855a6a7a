import { isDeepStrictEqual } from "node:util";
import { CreateBucketCommand, DeleteBucketCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { contentsOf, emptyBucket } from "./bucket-contents";
import { BucketTags } from "./bucket-tags";
import type { CreateIntents } from "./create-intents";
import { DriverError, type ErrorKind } from "../../common/driver-error";
import { toMade } from "../../common/made";
import type { Log } from "../../common/log";
import type { Emptying, Emptyings } from "./emptyings";
import type { KeyedLock } from "../../../provider/driver/call/locks";
import { canBeBucket, checkBucketName } from "./names";
import {
  type Parameters,
  bucketIdentity,
  bucketParameter,
  formatParameters,
  parseParameters,
} from "./parameters";
import type { BucketOwners } from "./settings/bucket-owners";
import { type BucketSettings, bucketSettings } from "./settings/bucket-settings";
import type { SettingsWriter } from "./settings/settings-writer";
import type { Store } from "./store";
import { isOfOtherRegion, kindOf, toDriverError } from "./store-error";
import { type Tags, TAG, hasTags, ownerTag, requireOwner, userIn, withUser } from "./tags";
import { quote } from "../../common/text";

/** After these the store may have made the bucket all the same. */
const OUTCOME_UNKNOWN: readonly ErrorKind[] = ["unavailable", "aborted", "internal"];

/** After these a caller takes it that nothing was made, and does not ask again. */
const REFUSED: readonly ErrorKind[] = [
  "invalid-argument",
  "out-of-range",
  "failed-precondition",
  "permission-denied",
  "unauthenticated",
];

/** Tags that a bucket keeps for its life; that of the user changes with the settings. */
const IDENTITY = [TAG.driver, TAG.parameters, TAG.owner] as const;

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
  readonly #tags: BucketTags;

  constructor(
    private readonly store: Store,
    private readonly intents: CreateIntents,
    private readonly emptyings: Emptyings,
    private readonly settings: SettingsWriter,
    private readonly owners: BucketOwners,
    private readonly lock: KeyedLock,
    private readonly driver: string,
    private readonly region: string,
    private readonly log: Log,
  ) {
    this.#tags = new BucketTags(store.s3);
  }

  /**
   * Creates a bucket; its id is its name. Again with what it was made with: the settings that are given are set anew, and
   * nothing else is changed.
   *
   * @param parameters - checked ones.
   * @param owner - for whom it is made, if that is known; recorded.
   * @throws DriverError `already-exists` if the bucket was made as another one, for another owner or by someone else,
   * `out-of-range` for a region that the driver does not serve, `invalid-argument` for a setting that the store refuses. What
   * a refused call has made is removed; where an earlier one has made the bucket, both are `failed-precondition`.
   */
  async create(name: string, parameters: Parameters, owner?: string): Promise<void> {
    checkBucketName("name", name);
    await this.#locked(name, () => this.#create(name, parameters, owner));
  }

  /**
   * Deletes a bucket that the driver made. One that is gone is done. One that was created with `emptyOnDelete` is
   * emptied first, which goes on when the caller has gone; a call for a bucket that is being emptied joins in. What the
   * owner of its settings was given ends with it.
   *
   * @param owner - the user of the setting, as the caller knows it: its access ends even if the bucket and its record are gone.
   * @throws DriverError `failed-precondition` if someone else made the bucket or it is not empty, nothing is removed
   * then; `aborted` if the emptying takes longer than a call may wait; what an emptying meets, such as
   * `permission-denied` for an object that is locked.
   */
  async delete(id: string, owner?: string): Promise<void> {
    const emptying = await this.beginDelete(id, owner);
    await emptying?.finished();
  }

  /**
   * As {@link delete}, but does not wait for an emptying.
   *
   * @returns the emptying that goes on, and with whose end the bucket is deleted; undefined if it is deleted.
   */
  async beginDelete(id: string, owner?: string): Promise<Emptying | undefined> {
    if (!canBeBucket(id)) return undefined;
    return this.inOrder(id, async () => this.emptyings.find(id) ?? (await this.#delete(id, owner)));
  }

  /**
   * Runs a task once all calls for the bucket that came before have ended, be it there or not, or being emptied. Calls go on
   * when their callers have given up: without this, what an opposite call has ended could come to life after it.
   */
  async inOrder<T>(id: string, task: () => Promise<T>): Promise<T> {
    return this.lock.run(`bucket ${id}`, task);
  }

  /**
   * Runs a task for a bucket while no other call for it is under way.
   *
   * @throws DriverError `not-found` if there is no such bucket.
   */
  async whileExists<T>(id: string, task: () => Promise<T>): Promise<T> {
    return this.#locked(id, async () => {
      if (!canBeBucket(id) || (await this.#tags.of(id)) === undefined) {
        throw new DriverError("not-found", "the store has no such bucket");
      }
      return task();
    });
  }

  async #create(name: string, parameters: Parameters, owner: string | undefined): Promise<void> {
    const line = formatParameters(bucketIdentity(parameters));
    const settings = bucketSettings(parameters);
    const mark = { [TAG.driver]: this.driver, [TAG.parameters]: line };
    const made = { ...mark, ...ownerTag(owner) };
    let tags = await this.#tags.beforeCreate(name);
    if (tags === undefined) {
      this.#requireRegion(parameters, false);
      if (settings.owner) await this.owners.require(settings.owner, name);
      const isRepeat = await this.intents.write(name, line, owner);
      tags = await this.#createBare(name, isRepeat);
    }
    if (tags === undefined) {
      await this.#finish(name, parameters, settings, made);
    } else if (await this.#isHalfMade(name, tags, line, owner)) {
      this.#requireRegion(parameters, true);
      await this.#finish(name, parameters, settings, made);
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
      this.#requireRegion(parameters, true);
      // The owner is added where the bucket was made by a caller that did not say for whom.
      const record = { ...tags, ...ownerTag(tags[TAG.owner] ?? owner) };
      await toMade("the bucket", "change its settings", toDriverError, () =>
        this.#change(name, record, tags, settings),
      );
    }
    await this.#dropIntent(name);
  }

  /**
   * Removes the record of a create that is complete. The bucket does not need that: it bears its mark, and a delete tries again.
   * So a refusal, after which a caller would take it that there is no bucket, is told to the log alone.
   */
  async #dropIntent(name: string): Promise<void> {
    try {
      await this.intents.drop(name);
    } catch (error) {
      if (!REFUSED.includes(kindOf(error))) throw error;
      const { message } = toDriverError(error, "remove the record of its create");
      this.log.error("record left", { bucket: quote(name), reason: message });
    }
  }

  /**
   * @throws DriverError `out-of-range` for a region that the driver does not serve; `failed-precondition` if the bucket is there,
   * which the driver has then made while it served that region.
   */
  #requireRegion(parameters: Parameters, isMade: boolean): void {
    const region = bucketParameter(parameters, "region") ?? this.region;
    if (region === this.region) return;
    throw isMade
      ? new DriverError(
          "failed-precondition",
          `it was made in region "${region}", but the driver now serves only "${this.region}": start it for the other region`,
        )
      : new DriverError(
          "out-of-range",
          `parameters: key "region": "${region}" is not offered, only "${this.region}"`,
        );
  }

  /**
   * The bucket alone. It was not there a moment ago: if it is now, someone else was faster, or an earlier create of the driver
   * has come to its end. Amazon's region us-east-1 alone says OK then (S3 API reference, CreateBucket), so there a moment of
   * doubt remains.
   *
   * @param isRepeat - there was a record of an earlier create, whose bucket may come late, or be shown late. The record stays.
   * @returns the tags of the bucket if there is one by now; undefined if this call has made it.
   */
  async #createBare(name: string, isRepeat: boolean): Promise<Tags | undefined> {
    try {
      await this.store.once.s3.send(new CreateBucketCommand({ Bucket: name }));
      return undefined;
    } catch (error) {
      const kind = kindOf(error);
      if (isRepeat && kind === "already-exists") return this.#tagsOfLate(name);
      if (!isRepeat && !OUTCOME_UNKNOWN.includes(kind)) {
        // A record that stays does no harm as long as no bucket of that name is made: the next create replaces it.
        await this.intents.drop(name).catch(() => undefined);
      }
      throw kind === "already-exists" || isOfOtherRegion(error) ? notOurs() : error;
    }
  }

  /** The tags of a bucket that was not there at the first look. */
  async #tagsOfLate(name: string): Promise<Tags> {
    try {
      const tags = await this.#tags.of(name);
      if (tags !== undefined) return tags;
    } catch (error) {
      throw kindOf(error) === "permission-denied" || isOfOtherRegion(error) ? notOurs() : error;
    }
    throw notShownYet();
  }

  /**
   * Settings first, then the mark: a marked bucket is complete. Only the access of its owner comes after it, as the mark is the
   * record of whom it is to be taken from.
   */
  async #finish(name: string, parameters: Parameters, settings: BucketSettings, mark: Tags): Promise<void> {
    const user = settings.owner === "" ? undefined : settings.owner;
    try {
      if (bucketParameter(parameters, "versioning") === "true") {
        await this.store.s3.send(
          new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: "Enabled" } }),
        );
      }
      await this.settings.write(name, settings);
      await this.#tags.put(name, withUser(mark, user));
      if (user !== undefined) await this.owners.give(user, name);
    } catch (error) {
      const kind = kindOf(error);
      if (REFUSED.includes(kind)) await this.#undo(name, user, error);
      // A large store may need a moment to show a fresh bucket everywhere.
      throw kind === "not-found" ? notShownYet() : error;
    }
  }

  /** Removes what a refused create has made. If that fails, the caller must hear of it in a way that has it ask again. */
  async #undo(name: string, user: string | undefined, refusal: unknown): Promise<void> {
    try {
      await this.#deleteEmpty(name, user, "remove them");
    } catch (error) {
      const { message } = toDriverError(refusal, `finish bucket ${quote(name)}`);
      const { message: reason } = toDriverError(error, "remove it again");
      throw new DriverError("unavailable", `${message}; it is made, and the driver ${reason}; try again`);
    }
  }

  /** Sets anew what is given of the settings of a marked bucket. */
  async #change(name: string, record: Tags, present: Tags, settings: BucketSettings): Promise<void> {
    const before = userIn(present);
    const user = settings.owner === "" ? undefined : (settings.owner ?? before);
    if (settings.owner) await this.owners.require(settings.owner, name);
    await this.settings.write(name, settings);
    if (before !== undefined && before !== user) await this.owners.end(before, name);
    const tags = withUser(record, user);
    if (!isDeepStrictEqual(tags, present)) await this.#tags.put(name, tags);
    if (settings.owner) await this.owners.give(settings.owner, name);
  }

  /** Deletes the bucket, or starts what empties it first. */
  async #delete(id: string, owner: string | undefined): Promise<Emptying | undefined> {
    const tags = await this.#tags.of(id);
    if (tags === undefined) {
      if (owner) await this.owners.end(owner, id);
      await this.intents.drop(id);
      return undefined;
    }
    if (tags[TAG.driver] !== this.driver && !(await this.#isHalfMade(id, tags))) {
      throw new DriverError(
        "failed-precondition",
        `its tag ${TAG.driver} does not say that driver "${this.driver}" made it, so it is left alone`,
      );
    }
    const user = userIn(tags);
    if (bucketParameter(parseParameters(tags[TAG.parameters] ?? ""), "emptyOnDelete") !== "true") {
      await this.#deleteEmpty(id, user, "remove them and delete again");
      return undefined;
    }
    return this.emptyings.start(id, async (removed) => {
      const isOurs = () => this.#requireSame(id, tags);
      await unlessGone(emptyBucket(this.store.s3, id, removed, isOurs).then(isOurs));
      const advice =
        "they came while it was being emptied, so stop what writes to it and delete again; or the store lists them under names other than " +
        "their own, as some do with control characters, so remove them by their own";
      await this.#deleteEmpty(id, user, advice);
    });
  }

  /**
   * Judges anew a bucket that is being emptied, which may take hours.
   *
   * @throws DriverError `failed-precondition` if it is another one under the same name.
   */
  async #requireSame(id: string, before: Tags): Promise<void> {
    const tags = await this.#tags.of(id);
    const [was, is] = [before, tags ?? before].map((all) => IDENTITY.map((key) => all[key]));
    if (isDeepStrictEqual(was, is)) return;
    throw new DriverError(
      "failed-precondition",
      "while it was being emptied, somebody removed it and made another one of the same name, or changed its tags: what is there now is left alone",
    );
  }

  async #deleteEmpty(id: string, user: string | undefined, advice: string): Promise<void> {
    const contents = await unlessGone(contentsOf(this.store.s3, id));
    if (contents !== undefined) {
      throw new DriverError("failed-precondition", `it is not empty: it holds ${contents}; ${advice}`);
    }
    // Before the bucket, with which the record of the user goes.
    if (user !== undefined) await this.owners.end(user, id);
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

  #locked<T>(name: string, task: () => Promise<T>): Promise<T> {
    return this.inOrder(name, async () => {
      const emptying = this.emptyings.find(name);
      if (emptying !== undefined) {
        throw emptying.busy();
      }
      return task();
    });
  }
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

function notShownYet(): DriverError {
  return new DriverError(
    "unavailable",
    "it is made, but the store does not show it everywhere yet; try again",
  );
}

function notOurs(): DriverError {
  return new DriverError(
    "already-exists",
    "it exists already and was not made by this driver; choose another name, or use it by its id",
  );
}
