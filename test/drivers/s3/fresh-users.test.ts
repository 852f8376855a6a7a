import assert from "node:assert/strict";
import type { ErrorKind } from "../../../drivers/common/driver-error";
import { createLog } from "../../../drivers/common/log";
import { createDriver, type Driver } from "../../../drivers/s3/core/driver";
import { FreshUsers } from "../../../drivers/s3/core/fresh-users";
import { kindOf } from "../../../drivers/s3/core/store-error";
import { accountUserName } from "../../../drivers/s3/core/user-names";
import { type Answer, type FakeStore, iamOk, startFakeStore, storeError } from "./support/fake-store";
import { fakeStoreConfig } from "./support/fake-store-config";
import { listOf, resultOf } from "./support/small-store";

const DRIVER = "s3.test.dev";
const NONE = new Map<string, string>();
const USER = accountUserName(DRIVER, "reader");

/** Whom a grant of this account makes. */
const RECORD = {
  "cosi-driver": DRIVER,
  "cosi-account": "reader",
  "cosi-bucket": "photos",
  "cosi-parameters": "",
};

describe("users that are fresh, at a store that is consistent in the end only", () => {
  let store: FakeStore;
  let driver: Driver;
  /** The one user, and the one bucket. */
  let user: { keys: number; policies: number } | undefined;
  let hasBucket: boolean;
  let wasAsked: string[];
  /** How often an action is still answered as before the user was made. */
  let behind: Map<string, number>;

  before(async () => {
    store = await startFakeStore();
  });

  after(() => store.stop());

  beforeEach(() => {
    user = undefined;
    hasBucket = true;
    wasAsked = [];
    behind = new Map();
    store.answer = ({ method, url, action }) => {
      if (action === undefined) return answerOfS3(method, url);
      wasAsked.push(action);
      const left = behind.get(action) ?? 0;
      behind.set(action, left - 1);
      return answerOfIam(action, left > 0);
    };
    driver = driverWith();
  });

  function driverWith(fresh?: FreshUsers): Driver {
    const log = createLog("error", () => undefined);
    return createDriver(DRIVER, fakeStoreConfig(store.endpoint), log, fresh);
  }

  function answerOfS3(method: string, url: string): Answer {
    if (method === "PUT") hasBucket = true;
    if (!hasBucket) return storeError(404, "NoSuchBucket");
    return method === "GET" && url.includes("tagging")
      ? storeError(404, "NoSuchTagSet")
      : { status: 200, body: "" };
  }

  function answerOfIam(action: string, isBehind: boolean): Answer {
    if (action === "CreateUser") {
      if (user !== undefined) return storeError(409, "EntityAlreadyExists");
      user = { keys: 0, policies: 0 };
      return iamOk(action);
    }
    if (action === "ListAccessKeys" && isBehind && (user?.keys ?? 0) > 0) return iamOk(action);
    if (user === undefined || isBehind) return storeError(404, "NoSuchEntity");
    switch (action) {
      case "ListUserTags":
        return listOf(
          action,
          "Tags",
          Object.entries(RECORD).map(([key, value]) => `<Key>${key}</Key><Value>${value}</Value>`),
        );
      case "PutUserPolicy":
        user.policies = 1;
        return iamOk(action);
      case "ListUserPolicies":
        return listOf(action, "PolicyNames", user.policies > 0 ? ["cosi-access"] : []);
      case "DeleteUserPolicy":
        user.policies = 0;
        return iamOk(action);
      case "CreateAccessKey":
        user.keys += 1;
        return resultOf(
          action,
          "<AccessKey><AccessKeyId>AK1</AccessKeyId><SecretAccessKey>secret</SecretAccessKey></AccessKey>",
        );
      case "ListAccessKeys":
        return listOf(
          action,
          "AccessKeyMetadata",
          Array.from({ length: user.keys }, () => "<AccessKeyId>AK1</AccessKeyId>"),
        );
      case "DeleteAccessKey":
        user.keys = 0;
        return iamOk(action);
      case "DeleteUser":
        if (user.keys + user.policies > 0) return storeError(409, "DeleteConflict");
        user = undefined;
        return iamOk(action);
      default:
        return iamOk(action);
    }
  }

  const grant = (by = driver) => by.accounts.grant("photos", "reader", NONE);
  const revoke = (by = driver) => by.accounts.revoke("photos", USER);
  const kindOfFailure = (call: Promise<unknown>): Promise<ErrorKind | undefined> =>
    call.then(() => undefined, kindOf);

  const steps = ["TagUser", "PutUserPolicy", "ListAccessKeys", "CreateAccessKey"];
  for (const step of steps) {
    it(`get their key though ${step} does not find them at first, as no bucket is missing`, async () => {
      behind.set(step, 2);
      const { accountId, key } = await grant();
      assert.deepEqual([accountId, key.id], [USER, "AK1"]);
      assert.deepEqual(user, { keys: 1, policies: 1 });
      assert.equal(wasAsked.filter((action) => action === "CreateUser").length, 1);
    });

    it(`are left for a repeat, which is asked for, if ${step} does not find them in time [GRPC-057]`, async () => {
      behind.set(step, Number.POSITIVE_INFINITY);
      const hasty = driverWith(new FreshUsers(50));
      assert.equal(await kindOfFailure(grant(hasty)), "unavailable");
      behind.clear();
      assert.equal((await grant(hasty)).accountId, USER);
      assert.deepEqual(user, { keys: 1, policies: 1 });
    });
  }

  it("that another process has made, and that are not shown everywhere, are no missing bucket either", async () => {
    await grant(driverWith());
    behind.set("PutUserPolicy", 1);
    assert.equal(await kindOfFailure(grant()), "unavailable");
    await grant();
    assert.deepEqual(user, { keys: 1, policies: 1 });
  });

  it("let a bucket be made whose record is one of them", async () => {
    hasBucket = false;
    behind.set("TagUser", 2).set("DeleteUser", 1);
    await driver.buckets.create("photos", NONE);
    assert.equal(user, undefined);
    hasBucket = false;
    behind.set("TagUser", Number.POSITIVE_INFINITY);
    assert.equal(
      await kindOfFailure(driverWith(new FreshUsers(50)).buckets.create("photos", NONE)),
      "unavailable",
    );
  });

  it("are not taken for gone by a revoke that comes at once [GRPC-026]", async () => {
    await grant();
    behind.set("ListUserTags", 2);
    await revoke();
    assert.equal(user, undefined);
  });

  it("are removed though their key is not listed at first [GRPC-026]", async () => {
    await grant();
    behind.set("ListAccessKeys", 1);
    await revoke();
    assert.equal(user, undefined);
  });

  it("are not given to another bucket or mode by a grant that comes at once [GRPC-024]", async () => {
    await grant();
    behind.set("ListUserTags", 1);
    const other = driver.accounts.grant("photos", "reader", new Map([["accessMode", "ro"]]));
    assert.equal(await kindOfFailure(other), "already-exists");
    assert.equal(wasAsked.filter((action) => action === "TagUser").length, 1);
  });

  it("are looked for in a bounded time if they are truly gone, whoever made them, and then once [GRPC-027]", async () => {
    for (const isMaker of [true, false]) {
      const hasty = driverWith(new FreshUsers(250));
      if (isMaker) await grant(hasty);
      user = undefined;
      for (const looks of [2, 1]) {
        wasAsked = [];
        await revoke(hasty);
        assert.deepEqual(
          wasAsked,
          Array.from({ length: looks }, () => "ListUserTags"),
        );
      }
    }
  });

  it("of another process, such as the driver of the last run, are not taken for gone by a revoke [GRPC-026]", async () => {
    await grant(driverWith());
    behind.set("ListUserTags", 2).set("ListAccessKeys", 1);
    await revoke();
    assert.equal(user, undefined);
  });

  it("that cannot be of any driver are looked for once, as nobody made them a moment ago", async () => {
    await driver.accounts.revoke("photos", "somebody");
    assert.deepEqual(wasAsked, ["ListUserTags"]);
  });

  it("are forgotten once the driver has removed them [GRPC-027]", async () => {
    await grant();
    await revoke();
    wasAsked = [];
    await revoke();
    assert.deepEqual(wasAsked, ["ListUserTags"]);
  });

  it("are no matter to the revoke of an old one that somebody else removes meanwhile [GRPC-027]", async () => {
    await grant(driverWith());
    const answer = store.answer;
    store.answer = (request) => {
      if (request.action === "ListAccessKeys") user = undefined;
      return answer(request);
    };
    await revoke();
  });

  it("have a policy that the store refuses, and the code does not say that nothing was made", async () => {
    const answer = store.answer;
    store.answer = (request) =>
      request.action === "PutUserPolicy" ? storeError(400, "MalformedPolicyDocument") : answer(request);
    assert.equal(await kindOfFailure(grant()), "failed-precondition");
    assert.ok(user !== undefined);
  });
});
