import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../provider/driver/connections";
import { forEachContract } from "../support/contracts-under-test";
import { failedResource, printed, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { lost, type StrictDriver } from "../support/strict-driver";

const taken = { code: status.ALREADY_EXISTS, message: "taken" };

/** A driver that does what it is asked, loses its reply, and says to the repeat that it was done before. */
forEachContract("an answer that speaks of an earlier attempt", (contract) => {
  const { bucket, access, strictDriver, driverReference, say, ids } = contract;
  const alreadyExists = say(/^DriverCreateBucket: ALREADY_EXISTS: /);
  let driver: StrictDriver;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    driver.refusesKnownNames = true;
    const reference = driverReference(driver.fake.endpoint);
    ofBucket = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
    const ofIt = { bucketName: "photos-1", bucketId: "photos-1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "photos-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** The state that an `up` leaves whose only attempt had its effect, and whose answer was lost. */
  async function lostCreate(changes: Properties): Promise<Properties> {
    driver.answer("create", lost);
    const once = { ...driverReference(driver.fake.endpoint), retryBudgetSeconds: 0.001 };
    const failed = await failedResource(
      bucket.create(ofBucket({ deletionPolicy: "Delete", driver: once, ...changes })),
    );
    return wire(failed.properties);
  }

  it(`makes a create under a computed name done, with its name as its id and a warning ${ids("[GRPC-039]", "[DEP-038]")}`, async () => {
    driver.answer("create", lost);
    let outputs: Properties = {};
    const lines = await printed(async () => {
      ({ outputs } = await bucket.create(ofBucket({ logicalName: "computed", deletionPolicy: "Delete" })));
    });
    assert.equal(outputs["bucketId"], outputs["name"]);
    assert.equal(lines.length, 1);
    assert.match(
      lines[0] ?? "",
      say(
        /^warning: bucket computed-\w+: the driver says that it exists; it stems from an attempt whose answer was lost/,
      ),
    );
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);

    beginRun();
    await bucket.delete(outputs);
    assert.equal(driver.buckets.size, 0, "it is ours, and deleted as such");
  });

  it(`fails a create under a user's name, and says what it may be and how to take it over ${ids("[GRPC-039]", "[DEP-038]")}`, async () => {
    driver.answer("create", lost);
    const news = ofBucket({ name: "mine" });
    const failed = await failedResource(bucket.create(news));
    assert.match(failed.message, alreadyExists);
    assert.match(failed.message, /may stem from an attempt whose answer was lost/);
    assert.match(failed.message, /set nameAsId to true and deletionPolicy to "Retain"/);
    assert.equal(failed.properties["bucketId"], null);

    const takenOver = await bucket.update(wire(failed.properties), { ...news, nameAsId: true });
    assert.equal(takenOver["bucketId"], "mine");
  });

  it(`deletes a bucket under a computed name whose create was lost, by the name as its id ${ids("[GRPC-054] [GRPC-039] [OS1-074]", "[DEP-049] [DEP-038]")}`, async () => {
    const olds = await lostCreate({ logicalName: "computed" });
    beginRun();
    const lines = await printed(() => bucket.delete(olds));
    assert.deepEqual(driver.rpcs(), ["Create", "Create", "Delete"]);
    assert.equal(driver.buckets.size, 0);
    const [line = "", ...others] = lines;
    assert.deepEqual(others, []);
    assert.match(
      line,
      say(/^warning: bucket computed-\w+: .*it stems from an attempt whose answer was lost/),
    );
  });

  it(`never deletes a bucket under a user's name whose create was lost, and says how to drop the entry ${ids("[GRPC-054] [GRPC-039]", "[DEP-049] [DEP-038]")}`, async () => {
    const olds = await lostCreate({ name: "mine" });
    beginRun();
    await assert.rejects(bucket.delete(olds), /mine may exist.*ALREADY_EXISTS.*pulumi state delete/s);
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
    assert.equal(driver.buckets.size, 1, "it may be somebody else's");
  });

  it(`fails a grant, and says what it may be and how to go on ${ids("[GRPC-039]", "[DEP-038]")}`, async () => {
    driver.answer("grant", lost);
    const news = ofAccess({ name: "reader" });
    const failed = await failedResource(access.create(news));
    assert.match(failed.message, say(/^DriverGrantBucketAccess: ALREADY_EXISTS: /));
    assert.match(failed.message, /The account reader may stem from an attempt whose answer was lost/);
    assert.match(failed.message, /remove it at the store, then run pulumi up again/);

    driver.accounts.delete("reader");
    assert.equal((await access.update(wire(failed.properties), news))["accountId"], "reader");
  });

  it(`makes a delete and a revoke done ${ids("[GRPC-039]", "[DEP-038]")}`, async () => {
    const made = await bucket.create(ofBucket({ deletionPolicy: "Delete" }));
    const granted = await access.create(ofAccess({ logicalName: "done" }));
    beginRun();
    for (const [first, repeat] of [
      [lost, undefined],
      [lost, taken],
      [{ code: status.UNKNOWN, message: "?" }, undefined],
    ] as const) {
      driver.answer("revoke", first, repeat);
      driver.answer("delete", first, repeat);
      const before = driver.rpcs().length;
      await access.delete(granted.outputs);
      await bucket.delete(made.outputs);
      assert.deepEqual(driver.rpcs().slice(before), ["Revoke", "Revoke", "Delete", "Delete"]);
    }
    assert.equal(driver.accounts.size, 0);
    assert.equal(driver.buckets.size, 0);
  });

  it("makes a create done whose attempts an earlier run had, by the entry that it left [OS1-060]", async () => {
    driver.answer("create", lost, lost, lost, lost, lost, lost, lost, lost, lost, lost, lost, lost);
    const brief = { ...driverReference(driver.fake.endpoint), retryBudgetSeconds: 0.05 };
    const news = ofBucket({ driver: brief, logicalName: "later" });
    const failed = await failedResource(bucket.create(news));
    driver.answer("create");
    beginRun();
    const lines = await printed(async () => {
      const outputs = await bucket.update(wire(failed.properties), news);
      assert.equal(outputs["bucketId"], outputs["name"]);
    });
    assert.match(
      lines.join(),
      say(/^warning: bucket later-\w+: the driver says that it exists; it stems from/),
    );
  });

  for (const [what, changes] of [
    ["the Driver is another resource", { driver: { seed: "ab".repeat(16) } }],
    ["an empty map stands for none", { parameters: {} }],
  ] as const) {
    it(`makes a create under a computed name done when ${what} by then ${ids("[GRPC-039]", "[DEP-038]")}`, async () => {
      driver.answer("create", lost);
      const brief = { ...driverReference(driver.fake.endpoint), retryBudgetSeconds: 0.001 };
      const failed = await failedResource(bucket.create(ofBucket({ driver: brief, logicalName: what })));
      const olds = wire(failed.properties);
      beginRun();
      const news = ofBucket({
        ...changes,
        driver: { ...brief, ...("driver" in changes ? changes.driver : {}) },
      });
      const { inputs } = await bucket.check(olds, { ...news, logicalName: what });
      assert.deepEqual(await bucket.diff(olds, inputs), { changes: true, replaces: [] });
      const outputs = await bucket.update(olds, { ...news, logicalName: what });
      assert.equal(outputs["bucketId"], olds["name"]);
    });
  }

  it("finds out by the name itself whether it was computed, in a state of an early version, with no change for it", async () => {
    const { outputs } = await bucket.create(ofBucket({ logicalName: "early" }));
    for (const [logicalName, name, done] of [
      ["early", outputs["name"], true],
      ["mine", "mine", false],
    ] as const) {
      const olds: Properties = { ...outputs, logicalName, name };
      delete olds["nameComputed"];
      const news = ofBucket(done ? { logicalName } : { logicalName, name });
      const { inputs } = await bucket.check(olds, news);
      assert.deepEqual(await bucket.diff(olds, inputs), { changes: false, replaces: [] });
      driver.answer("create", taken);
      const finished = bucket.update({ ...olds, bucketId: null }, news);
      if (done) assert.equal((await finished)["bucketId"], name);
      else await assert.rejects(finished, say(/DriverCreateBucket: ALREADY_EXISTS/));
    }
  });

  it("as the first one is final, and shows the ways on [OS1-060] [CASE-C01]", async () => {
    driver.answer("create", taken, taken);
    driver.answer("grant", taken);
    await assert.rejects(bucket.create(ofBucket({ name: "mine" })), (error: unknown) => {
      assert.ok(error instanceof Error && !("properties" in error));
      assert.match(
        error.message,
        say(/change the arguments back, choose another name, or take the bucket over by its id/),
      );
      assert.match(error.message, /set nameAsId to true and deletionPolicy to "Retain"/);
      assert.doesNotMatch(error.message, /may stem from/);
      return true;
    });
    await assert.rejects(bucket.create(ofBucket()), /ALREADY_EXISTS.*run that was killed: nameAsId/);
    await assert.rejects(access.create(ofAccess()), (error: unknown) => !("properties" in Object(error)));
    assert.deepEqual(driver.rpcs(), ["Create", "Create", "Grant"]);
  });
});
