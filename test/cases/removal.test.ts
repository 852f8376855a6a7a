import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import { DriverDeleteBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { closeConnections } from "../../provider/driver/connections";
import { provider as driverProvider } from "../../provider/driver-resource/provider";
import { FailedResourceError } from "../../provider/dynamic/failed";
import { idsWith, TestedDriver } from "../conformance/support/tested-driver";
import { answers, driverName, obligingDriver, paths, s3Secrets } from "../support/cosi-v1alpha1";
import type { FakeDriver } from "../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference, quickSettings } from "../support/settings";
import { StrictDriver } from "../support/strict-driver";

const bucket = new Lifecycle(bucketProvider);
const access = new Lifecycle(accessProvider);
const impatient = { connectTimeoutSeconds: 0.2, retryBudgetSeconds: 0.2 };

describe("what goes wrong when buckets and accesses go", () => {
  let driver: FakeDriver;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    ofBucket = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
    const ofIt = { bucketName: "photos-1", bucketId: "photos-1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "photos-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  it("a revoke of a user that is gone: NOT_FOUND is final unless the program says otherwise, INTERNAL is tried again and shown [CASE-C15]", async () => {
    const { outputs } = await access.create(ofAccess());
    const revokes = (): number => driver.bodies("DriverRevokeBucketAccess").length;
    beginRun();
    driver.on(paths.revoke, () => ({ code: status.NOT_FOUND, message: "no such user" }));
    await assert.rejects(access.delete(outputs), /NOT_FOUND: no such user.*set revokeNotFound to "ignore"/s);
    assert.equal(revokes(), 1);

    driver.on(paths.revoke, (_, earlier) => ({ code: status.INTERNAL, message: `user lookup ${earlier}` }));
    await assert.rejects(access.delete(outputs), /INTERNAL: user lookup 3 \(3 attempts in /);
    assert.equal(revokes(), 4);

    driver.on(paths.revoke, () => ({ code: status.NOT_FOUND, message: "no such user" }));
    const lines = await printed(() => access.delete({ ...outputs, revokeNotFound: "ignore" }));
    assert.match(lines.join("\n"), /^warning: access photos-rw-\w+: the driver says NOT_FOUND to the revoke/);
  });

  it("an OK to a revoke that does nothing is believed, which the documents say, and the conformance check tells [CASE-C17]", async () => {
    const { outputs } = await access.create(ofAccess());
    beginRun();
    assert.deepEqual(await printed(() => access.delete(outputs)), []);
    const tasks = fs.readFileSync(path.join(__dirname, "..", "..", "docs", "tasks.md"), "utf8");
    assert.match(tasks, /answers OK to a revoke and revokes nothing .*conformance --check-credentials/);
    for (const checkCredentials of [false, true]) {
      const tested = await TestedDriver.start(["revoke that does nothing"]);
      try {
        assert.ok(idsWith(await tested.run({ checkCredentials }), "fail").includes("GRPC-026"));
      } finally {
        await tested.stop();
      }
    }
  });

  it("credentials that the driver rotates by itself reach no state, since no call reads them: a refresh changes and sends nothing [CASE-C40]", async () => {
    const { outputs } = await access.create(ofAccess());
    driver.on(paths.grant, () => answers.granted("u", { ...s3Secrets(), accessKeyID: "ROTATED" }));
    const calls = driver.calls.length;
    beginRun();
    const read = await access.read(outputs);
    assert.deepEqual(read.outputs, outputs);
    const { inputs } = await access.check(read.inputs, ofAccess());
    assert.deepEqual(await access.diff(read.outputs, inputs), { changes: false, replaces: [] });
    assert.equal(driver.calls.length, calls);
  });

  it("of two drivers, the other one sees no call when an access goes [CASE-P06]", async () => {
    const other = await obligingDriver("other.example.com").start();
    try {
      const reference = driverReference(other.endpoint, { driverName: "other.example.com", seed: "other" });
      const mine = await access.create(ofAccess());
      const theirs = await access.create(ofAccess({ driver: reference, logicalName: "theirs" }));
      const calls = other.calls.length;
      beginRun();
      await access.delete(mine.outputs);
      assert.equal(driver.bodies("DriverRevokeBucketAccess").length, 1);
      assert.equal(other.calls.length, calls);
      await access.delete(theirs.outputs);
      assert.equal(driver.bodies("DriverRevokeBucketAccess").length, 1);
    } finally {
      await closeConnections();
      other.stop();
    }
  });

  it("a create at a wrong endpoint sends nothing and leaves no entry, so there is nothing to delete [CASE-P07]", async () => {
    driver.kill();
    const store = new Lifecycle(driverProvider);
    const reference = { driver: driverReference(driver.endpoint, impatient) };
    for (const creating of [
      store.create({ ...quickSettings(driver.endpoint), ...impatient, logicalName: "store" }),
      bucket.create(ofBucket({ ...reference, deletionPolicy: "Delete" })),
      access.create(ofAccess(reference)),
    ]) {
      await assert.rejects(creating, (error: unknown) => {
        assert.ok(error instanceof Error && !(error instanceof FailedResourceError));
        assert.match(error.message, /no socket appeared/);
        return true;
      });
    }
    assert.deepEqual(driver.calls, []);
  });

  it("of three stores, one that is away is not reported deleted, ready or not, and its bucket goes when it is back [CASE-P23]", async () => {
    const shards = await Promise.all([1, 2, 3].map(() => new StrictDriver().start()));
    const [, away] = shards;
    assert.ok(away !== undefined);
    try {
      const inputsAt = ({ fake }: StrictDriver, n: number): Properties => ({
        driver: driverReference(fake.endpoint, { seed: `seed-${n}`, ...impatient }),
        logicalName: `shard-${n}`,
        deletionPolicy: "Delete",
      });
      const made: Properties[] = [];
      for (const [n, shard] of shards.entries()) made.push((await bucket.create(inputsAt(shard, n))).outputs);
      // A bucket that was made, and of which nobody was ever told.
      const lostReply = { code: status.UNKNOWN, message: "reply lost" };
      away.answer("create", lostReply, lostReply, lostReply);
      const neverReady = await failedResource(
        bucket.create({ ...inputsAt(away, 1), logicalName: "never-ready" }),
      );
      made.push(wire(neverReady.properties));
      assert.deepEqual(
        shards.map(({ buckets }) => buckets.size),
        [1, 2, 1],
      );

      beginRun();
      away.fake.kill();
      const outcomes = await Promise.allSettled(made.map((outputs) => bucket.delete(outputs)));
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status),
        ["fulfilled", "rejected", "fulfilled", "rejected"],
      );
      assert.deepEqual(
        shards.map(({ buckets }) => buckets.size),
        [0, 2, 0],
      );

      await away.start();
      await closeConnections();
      beginRun();
      for (const outputs of [made[1], made[3]]) await bucket.delete(outputs ?? {});
      assert.equal(away.buckets.size, 0);
    } finally {
      await closeConnections();
      for (const { fake } of shards) fake.stop();
    }
  });

  it("a delete after a refresh still knows every input, the parameters among them [CASE-U30]", async () => {
    const parameters = { tier: "gold", "a/b": "" };
    const news = ofBucket({ parameters, deletionPolicy: "Delete", bucketClassName: "gold" });
    const { outputs } = await bucket.create(news);
    const { inputs } = await bucket.check({}, news);
    beginRun();
    const read = await bucket.read(outputs);
    for (const [key, value] of Object.entries(inputs)) assert.deepEqual(read.outputs[key], value, key);
    beginRun();
    await bucket.delete(read.outputs);
    const [body = ""] = driver.bodies("DriverDeleteBucket");
    const { bucketId, deleteContext } = DriverDeleteBucketRequest.decode(Buffer.from(body, "hex"));
    assert.equal(bucketId, outputs["bucketId"]);
    assert.deepEqual(Object.fromEntries(deleteContext), parameters);
    assert.equal(driverName, (read.outputs["driver"] as Properties)["driverName"]);
  });
});
