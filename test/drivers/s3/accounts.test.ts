import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "../../../drivers/common/log";
import { errorNamesOf } from "../../../drivers/s3/contracts/cosi-2020-07/error-names";
import { createDriver, type Driver } from "../../../drivers/s3/core/driver";
import { FreshUsers } from "../../../drivers/s3/core/fresh-users";
import { kindOf, toDriverError } from "../../../drivers/s3/core/store-error";
import {
  type Answer,
  type FakeStore,
  type StoreRequest,
  startFakeStore,
  storeError,
} from "./support/fake-store";
import { fakeStoreConfig } from "./support/fake-store-config";
import { listOf, SmallStore } from "./support/small-store";

const NONE = new Map<string, string>();

describe("accounts of the S3 driver, at a small store", () => {
  let store: FakeStore;
  let small: SmallStore;
  let driver: Driver;
  /** Answers in place of the store. */
  let fault: (request: StoreRequest) => Answer | undefined | Promise<Answer | undefined>;

  before(async () => {
    store = await startFakeStore();
  });

  after(() => store.stop());

  beforeEach(async () => {
    small = new SmallStore();
    fault = () => undefined;
    store.answer = async (request) => (await fault(request)) ?? small.answer(request);
    driver = driverProcess();
    for (const bucket of ["one", "two"]) await driver.buckets.create(bucket, NONE);
  });

  /** A driver as another process has it, with no memory of what others did. */
  function driverProcess(): Driver {
    const log = createLog("error", () => undefined);
    return createDriver("s3.test.dev", fakeStoreConfig(store.endpoint), log, new FreshUsers(300));
  }

  /** The answers to an action, in place of the store, as often as told. */
  function times(count: number, action: string, answer: () => Answer): void {
    let left = count;
    fault = (request) => (request.action === action && left-- > 0 ? answer() : undefined);
  }

  const grant = (bucket: string, owner?: string, by = driver) =>
    by.accounts.grant(bucket, "app", NONE, owner);

  it("stay with their bucket though IAM says once that they are not there [GRPC-024] [GRPC-095]", async () => {
    const { accountId, key } = await grant("one", "aa");
    times(1, "ListUserTags", () => storeError(404, "NoSuchEntity"));
    await assert.rejects(grant("two", "bb", driverProcess()), (error) => kindOf(error) === "already-exists");
    assert.deepEqual(small.keysByBucket(), { one: [key.id] });
    assert.equal(small.users.get(accountId)?.tags["cosi-owner"], "aa");
  });

  for (const [what, hasTags] of [
    ["takes the tags of a new user", true],
    ["does not take the tags of a new user", false],
  ] as const) {
    it(`are of one process alone if two ask at once for one name, at a store that ${what} [GRPC-024]`, async () => {
      const both = new Promise<void>((resolve) => {
        let looks = 0;
        fault = async ({ action }) => {
          if (action === "ListUserTags" && ++looks <= 2) {
            if (looks === 2) resolve();
            await both;
            return storeError(404, "NoSuchEntity");
          }
          // The winner is slower to tag its user than the other to look at it.
          if (action === "TagUser" && !hasTags) await sleep(100);
          return undefined;
        };
      });
      small.takesTags = hasTags;
      const outcomes = await Promise.allSettled([
        grant("one", "aa", driverProcess()),
        grant("two", "bb", driverProcess()),
      ]);
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === "rejected" ? kindOf(outcome.reason) : [],
      );
      assert.deepEqual(refused, [hasTags ? "already-exists" : "aborted"]);
      const granted = outcomes.flatMap((outcome) =>
        outcome.status === "fulfilled" ? outcome.value.key.id : [],
      );
      assert.deepEqual(Object.values(small.keysByBucket()), [granted]);
    });
  }

  it("are not taken over from another process that has made the user and not yet tagged it [GRPC-024]", async () => {
    small.takesTags = false;
    let late: Promise<unknown> = Promise.resolve();
    fault = async ({ action }) => {
      if (action !== "TagUser") return undefined;
      fault = () => undefined;
      late = assert.rejects(
        grant("two", "bb", driverProcess()),
        (error) => kindOf(error) === "already-exists",
      );
      await sleep(100);
      return undefined;
    };
    const { key } = await grant("one", "aa");
    await late;
    assert.deepEqual(small.keysByBucket(), { one: [key.id] });
  });

  it("have one key after a lost reply, though the store does not list the lost one at once [GRPC-025]", async () => {
    let isLost = true;
    let isBehind = false;
    fault = (request) => {
      if (request.action === "CreateAccessKey" && isLost) {
        [isLost, isBehind] = [false, true];
        small.answer(request);
        return storeError(503, "ServiceUnavailable");
      }
      if (request.action !== "ListAccessKeys" || !isBehind) return undefined;
      isBehind = false;
      return listOf("ListAccessKeys", "AccessKeyMetadata", []);
    };
    await assert.rejects(grant("one"), (error) => kindOf(error) === "unavailable");
    const { key } = await grant("one");
    assert.deepEqual(small.keysByBucket(), { one: [key.id] });
  });

  it("whose user others have given something say that the access has ended, and what to do", async () => {
    const { accountId } = await grant("one");
    const user = small.users.get(accountId);
    assert.ok(user);
    user.kept = "Cannot delete entity, must detach all policies first.";
    await assert.rejects(driver.accounts.revoke("one", accountId), (error) => {
      assert.equal(kindOf(error), "failed-precondition");
      const { message } = toDriverError(error, "revoke");
      assert.match(
        message,
        /the access has ended, .*must detach all policies.*what others have given.*revoke again/,
      );
      assert.equal(errorNamesOf("REVOKE")(error, "failed-precondition"), undefined);
      return true;
    });
    assert.deepEqual(user.keys, []);
    delete user.kept;
    await driver.accounts.revoke("one", accountId);
  });

  it("whose key the store does not list yet are for a repeat of the revoke [GRPC-026]", async () => {
    const { accountId } = await grant("one");
    times(Number.POSITIVE_INFINITY, "ListAccessKeys", () =>
      listOf("ListAccessKeys", "AccessKeyMetadata", []),
    );
    await assert.rejects(
      driverProcess().accounts.revoke("one", accountId),
      (error) => kindOf(error) === "unavailable",
    );
    fault = () => undefined;
    await driver.accounts.revoke("one", accountId);
    assert.deepEqual(small.keysByBucket(), {});
  });

  it("of another bucket are called so in the words of cosi-2020-07", async () => {
    const { accountId } = await grant("one");
    await assert.rejects(driver.accounts.revoke("two", accountId), (error) => {
      assert.equal(errorNamesOf("REVOKE")(error, kindOf(error)), "REVOKE_INVALID_PRINCIPAL");
      return true;
    });
  });

  it("stay revoked though a grant whose caller has given up is still at work [GRPC-026] [GRPC-057]", async () => {
    const { accountId } = await grant("one");
    await driver.accounts.revoke("one", accountId);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let isFirst = true;
    fault = async ({ url }) => {
      if (!url.includes("tagging") || !isFirst) return undefined;
      isFirst = false;
      await gate;
      return undefined;
    };
    const late = grant("one");
    const revoked = driver.accounts.revoke("one", accountId);
    await sleep(50);
    open();
    await Promise.all([late, revoked]);
    assert.deepEqual(small.keysByBucket(), {});
  });
});
