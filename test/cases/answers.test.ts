import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { status } from "@grpc/grpc-js";
import { DriverCreateBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { closeConnections } from "../../provider/driver/connections";
import { provider as driverProvider } from "../../provider/driver-resource/provider";
import { FailedResourceError } from "../../provider/dynamic/failed";
import { answers, obligingDriver, paths } from "../support/cosi-v1alpha1";
import type { FakeDriver } from "../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference, quickSettings } from "../support/settings";
import { StrictDriver } from "../support/strict-driver";

const never = new Promise<never>(() => undefined);
const bucket = new Lifecycle(bucketProvider);
const access = new Lifecycle(accessProvider);

describe("what drivers in the field answer", () => {
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

  /** How often a driver was asked by one RPC. */
  const calls = (rpc: string): number => driver.bodies(rpc).length;

  it("OK to a create with an empty id is an error, and nothing counts as created [CASE-C02]", async () => {
    driver.on(paths.create, () => answers.created(""));
    const failed = await failedResource(bucket.create(ofBucket()));
    assert.match(failed.message, /answered OK without bucket_id/);
    const kept = wire(failed.properties);
    assert.equal(kept["bucketId"], null);
    const { failures } = await access.check({}, ofAccess({ bucketName: kept["name"], bucketId: null }));
    assert.match(failures.join(), /bucketId is missing/, "no access is granted to it");
  });

  it("INVALID_ARGUMENT is final with its message, and the next run asks again [CASE-C10]", async () => {
    driver.on(paths.create, (body, earlier) =>
      earlier === 0
        ? { code: status.INVALID_ARGUMENT, message: "the region is busy, try later" }
        : answers.created(DriverCreateBucketRequest.decode(body).name),
    );
    await assert.rejects(bucket.create(ofBucket()), (error: unknown) => {
      assert.ok(error instanceof Error && !(error instanceof FailedResourceError));
      assert.match(error.message, /INVALID_ARGUMENT: the region is busy, try later/);
      return true;
    });
    assert.equal(calls("DriverCreateBucket"), 1);
    beginRun();
    await bucket.create(ofBucket());
    assert.equal(new Set(driver.bodies("DriverCreateBucket")).size, 1);
  });

  it("parameters that are absent, empty or null are one thing, and none is invented [CASE-C12]", async () => {
    const forms: readonly Properties[] = [{}, { parameters: {} }, { parameters: null }];
    for (const [n, form] of forms.entries()) {
      const news = (shape: Properties): Properties => ofBucket({ logicalName: `form-${n}`, ...shape });
      const { id, outputs } = await bucket.create(news(form));
      const bare = DriverCreateBucketRequest.encode({ name: id, parameters: new Map() }).finish();
      assert.equal(driver.bodies("DriverCreateBucket").at(-1), Buffer.from(bare).toString("hex"));
      for (const other of forms) {
        const { inputs, failures } = await bucket.check(outputs, news(other));
        assert.deepEqual(failures, []);
        assert.deepEqual(await bucket.diff(outputs, inputs), { changes: false, replaces: [] });
      }
    }

    driver.on(paths.create, (body) =>
      DriverCreateBucketRequest.decode(body).parameters.size === 0
        ? { code: status.INVALID_ARGUMENT, message: "parameters must not be empty" }
        : answers.created("b1"),
    );
    for (const form of forms) {
      await assert.rejects(bucket.create(ofBucket(form)), /INVALID_ARGUMENT: parameters must not be empty/);
    }
  });

  it("a name of any case and form that the contract allows is a driver's name, and no longer one [CASE-C31]", async () => {
    const store = new Lifecycle(driverProvider);
    const settings = { ...quickSettings(driver.endpoint), logicalName: "store" };
    for (const name of ["A", "1a", "7.of.9", `${"n".repeat(62)}9`]) {
      driver.on(paths.getInfo, () => answers.info(name));
      assert.equal((await store.create(settings)).outputs["driverName"], name);
      for (const spelled of [name.toUpperCase(), name.toLowerCase()]) {
        beginRun();
        const reference = driverReference(driver.endpoint, { driverName: spelled });
        const made = await bucket.create(ofBucket({ driver: reference, deletionPolicy: "Delete" }));
        beginRun();
        await bucket.delete(made.outputs);
        assert.deepEqual(driver.paths().slice(-2), ["DriverCreateBucket", "DriverDeleteBucket"]);
      }
      await closeConnections();
    }
    const tooLong = "n".repeat(64);
    driver.on(paths.getInfo, () => answers.info(tooLong));
    await assert.rejects(store.create(settings), /calls itself "n{64}", which is not a valid driver name/);
  });

  it("nothing at all ends each call at its deadline, and a later run completes it [CASE-C38]", async () => {
    const waits = { callTimeoutSeconds: 0.3, retryBudgetSeconds: 0.3 };
    const reference = { driver: driverReference(driver.endpoint, waits) };
    for (const rpc of ["create", "grant", "delete", "revoke"] as const) driver.on(paths[rpc], () => never);
    const deleting = ofBucket({ ...reference, deletionPolicy: "Delete" });
    const failedBucket = await failedResource(bucket.create(deleting));
    let failedAccess = new FailedResourceError("", "", {});
    await printed(async () => {
      failedAccess = await failedResource(access.create(ofAccess(reference)));
    });
    for (const { message } of [failedBucket, failedAccess]) assert.match(message, /DEADLINE_EXCEEDED/);

    driver.on(paths.create, () => answers.created("b1")).on(paths.grant, () => answers.granted("u1"));
    let made: Properties = {};
    let granted: Properties = {};
    beginRun();
    await printed(async () => {
      made = await bucket.update(wire(failedBucket.properties), deleting);
      granted = await access.update(wire(failedAccess.properties), ofAccess(reference));
    });
    assert.deepEqual([made["bucketId"], granted["accountId"]], ["b1", "u1"]);
    assert.equal(new Set(driver.bodies("DriverCreateBucket")).size, 1);
    assert.equal(new Set(driver.bodies("DriverGrantBucketAccess")).size, 1);

    beginRun();
    await assert.rejects(access.delete(granted), /DriverRevokeBucketAccess: DEADLINE_EXCEEDED/);
    await assert.rejects(bucket.delete(made), /DriverDeleteBucket: DEADLINE_EXCEEDED/);
    driver.on(paths.revoke, () => answers.revoked()).on(paths.delete, () => answers.deleted());
    await access.delete(granted);
    await bucket.delete(made);
    assert.equal(new Set(driver.bodies("DriverRevokeBucketAccess")).size, 1);
    assert.equal(new Set(driver.bodies("DriverDeleteBucket")).size, 1);
  });

  it("nothing at all ends by the Driver's own wait, and the documents say that customTimeouts do not [CASE-U18]", async () => {
    driver.on(paths.create, () => never);
    const waits = { callTimeoutSeconds: 0.2, retryBudgetSeconds: 0.2 };
    const failed = await failedResource(
      bucket.create(ofBucket({ driver: driverReference(driver.endpoint, waits) })),
    );
    assert.match(failed.message, /DEADLINE_EXCEEDED: .*callTimeoutSeconds of the Driver/s);
    const readme = fs.readFileSync(path.join(__dirname, "..", "..", "README.md"), "utf8");
    assert.match(readme, /`customTimeouts` do not reach dynamic providers: .* inputs of `Driver`/);
  });

  it("a protocol that is present but empty is a bucket, and no credentials are an error that leaves no account [CASE-C39]", async () => {
    driver.on(paths.create, () => Buffer.from("0a02623112020a00", "hex"));
    const { outputs } = await bucket.create(ofBucket());
    assert.equal(outputs["bucketId"], "b1");
    assert.deepEqual(outputs["bucketInfo"], { protocol: "S3", region: "", signatureVersion: null });

    driver.on(paths.grant, () => Buffer.from("0a0175", "hex"));
    await assert.rejects(access.create(ofAccess()), (error: unknown) => {
      assert.ok(error instanceof Error && !(error instanceof FailedResourceError));
      assert.match(error.message, /Its account was revoked/);
      return true;
    });
    assert.equal(calls("DriverRevokeBucketAccess"), 1);
  });

  it("a plain error twice, then OK, is a success with one bucket, and one account whose keys all go with it [CASE-C09]", async () => {
    const strict = await new StrictDriver().start();
    try {
      const reference = driverReference(strict.fake.endpoint);
      const plain = { code: status.UNKNOWN, message: "context canceled" };
      strict.answer("create", plain, plain);
      strict.answer("grant", plain, plain);
      const made = await bucket.create(ofBucket({ driver: reference, deletionPolicy: "Delete" }));
      const ofMade = { bucketName: made.id, bucketId: made.outputs["bucketId"], driver: reference };
      let granted: Properties = {};
      const lines = await printed(async () => {
        granted = (await access.create(ofAccess(ofMade))).outputs;
      });
      assert.deepEqual(strict.rpcs(), ["Create", "Create", "Create", "Grant", "Grant", "Grant"]);
      assert.deepEqual([strict.buckets.size, strict.accounts.size], [1, 1]);
      assert.equal(granted["accessKeyId"], "AK-3");
      assert.equal(lines.length, 1, "one warning of the keys of the two attempts");
      assert.match(lines[0] ?? "", /an earlier attempt had no answer: a credential of it may be alive/);

      beginRun();
      await access.delete(granted);
      await bucket.delete(made.outputs);
      assert.deepEqual([strict.buckets.size, strict.accounts.size], [0, 0]);
    } finally {
      await closeConnections();
      strict.fake.stop();
    }
  });
});
