import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { DriverRevokeBucketAccessRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../provider/driver/connections";
import type { DriverReference } from "../../provider/driver-resource/reference";
import { forEachContract } from "../support/contracts-under-test";
import { answers } from "../support/cosi-v1alpha1";
import { failedResource, printed, wire, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { lost, type StrictDriver } from "../support/strict-driver";

const denied = { code: status.PERMISSION_DENIED, message: "not yours" };
const refused = { code: status.INVALID_ARGUMENT, message: "never made" };

forEachContract("what an earlier run left unfinished", (contract) => {
  const { bucket, access, strictDriver, driverReference, say, ids } = contract;
  let driver: StrictDriver;
  let reference: DriverReference;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    driver.buckets.set("b1", "{}");
    // One attempt per call: its answer is lost, and its outcome is not known.
    reference = driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001 });
    ofBucket = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
    const ofIt = { bucketName: "b1", bucketId: "b1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "photos-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  const pairs = () =>
    driver.fake.bodies("DriverRevokeBucketAccess").map((body) => {
      const { bucketId, accountId } = DriverRevokeBucketAccessRequest.decode(Buffer.from(body, "hex"));
      return [bucketId, accountId];
    });

  it("as a create is repeated to learn the id and deleted under Delete, and named under Retain [OS1-074]", async () => {
    driver.answer("create", lost);
    const news = ofBucket({ deletionPolicy: "Delete" });
    const failed = await failedResource(bucket.create(news));
    beginRun();
    await bucket.delete(wire(failed.properties));
    assert.deepEqual(driver.rpcs(), ["Create", "Create", "Delete"]);
    assert.equal(new Set(driver.fake.bodies("DriverCreateBucket")).size, 1);
    assert.deepEqual([...driver.buckets.keys()], ["b1"]);

    driver.answer("create", lost);
    const retained = await failedResource(bucket.create(ofBucket({ logicalName: "retained" })));
    const before = driver.rpcs().length;
    beginRun();
    const lines = await printed(() => bucket.delete(wire(retained.properties)));
    assert.equal(driver.rpcs().length, before);
    assert.match(
      lines.join(),
      say(/^warning: bucket retained-\w+: .*nothing is sent: look for it in the backend/),
    );
  });

  it(`as a grant is repeated to learn the account, then revoked ${ids("[GRPC-055] [OS1-074]", "[DEP-049]")}`, async () => {
    driver.answer("grant", lost);
    const failed = await failedResource(access.create(ofAccess()));
    assert.equal(driver.accounts.size, 1);
    beginRun();
    await access.delete(wire(failed.properties));
    assert.deepEqual(driver.rpcs(), ["Grant", "Grant", "Revoke"]);
    assert.equal(new Set(driver.fake.bodies("DriverGrantBucketAccess")).size, 1);
    assert.equal(driver.accounts.size, 0);
  });

  it("of an access that was never granted leaves no entry, hence no Revoke [OS1-074]", async () => {
    driver.answer("grant", refused);
    await assert.rejects(access.create(ofAccess()), (error: unknown) => !("properties" in Object(error)));
    driver.answer("grant", lost, refused);
    const failed = await failedResource(access.create(ofAccess()));
    beginRun();
    await access.delete(wire(failed.properties));
    assert.deepEqual(driver.rpcs(), ["Grant", "Grant", "Grant"]);
  });

  it(`keeps an account whose reply is unusable and whose revoke fails, and revokes it first the next time ${ids("[GRPC-055]", "[DEP-049]")}`, async () => {
    driver.answer("grant", answers.granted("u", {}));
    driver.answer("revoke", denied);
    const failed = await failedResource(access.create(ofAccess()));
    assert.equal(failed.properties["accountId"], "u");
    driver.answer("revoke", answers.revoked());
    beginRun();
    // The driver has moved since: the recorded account is revoked where the program says that the driver is now.
    const moved = await strictDriver().start();
    try {
      moved.buckets.set("b1", "{}");
      moved.accounts.set("u", "{}");
      const elsewhere = { ...reference, endpoint: moved.fake.endpoint };
      const outputs = await access.update(wire(failed.properties), ofAccess({ driver: elsewhere }));
      assert.deepEqual(moved.rpcs(), ["Revoke", "Grant"]);
      assert.deepEqual([...moved.accounts.keys()], [outputs["accountId"]]);
    } finally {
      moved.fake.stop();
    }

    beginRun();
    await access.delete(wire(failed.properties));
    assert.deepEqual(pairs().at(-1), ["b1", "u"]);
  });

  it(`as an account that only a repeated grant tells is named when its revoke fails ${ids("[GRPC-055]", "[DEP-049]")}`, async () => {
    driver.answer("grant", lost, answers.granted("acct/7"));
    driver.answer("revoke", denied);
    const failed = await failedResource(access.create(ofAccess({ name: "reader" })));
    beginRun();
    await assert.rejects(
      access.delete(wire(failed.properties)),
      /PERMISSION_DENIED.*account acct\/7.*remove that account in the store and use pulumi state delete/s,
    );
    assert.deepEqual(pairs(), [["b1", "acct/7"]]);
  });

  it(`as an account that was revoked leaves the state, whatever becomes of the next grant ${ids("[GRPC-055]", "[DEP-049]")}`, async () => {
    const half = answers.granted("u", {});
    for (const next of [half, denied]) {
      driver.answer("grant", half, next);
      driver.answer("revoke", denied, answers.revoked(), answers.revoked());
      const news = ofAccess({ name: "half" });
      const failed = await failedResource(access.create(news));
      beginRun();
      const after = await failedResource(access.update(wire(failed.properties), news));
      assert.match(after.message, /without an account: the next pulumi up asks for one again/);
      assert.deepEqual([after.properties["accountId"], after.properties["name"]], [null, "half"]);
      beginRun();
      driver.accounts.clear();
      const before = driver.rpcs().length;
      const outputs = await access.update(wire(after.properties), news);
      assert.equal(outputs["accountId"], "half");
      assert.deepEqual(driver.rpcs().slice(before), ["Grant"]);
      beginRun();
      await access.delete(outputs);
    }
  });

  it(`as a revoke that fails for good leaves the access as it was: the next up sends nothing ${ids("[GRPC-015]", "[DEP-017]")}`, async () => {
    const { outputs } = await access.create(ofAccess());
    driver.answer("revoke", denied);
    beginRun();
    await assert.rejects(access.delete(outputs), /PERMISSION_DENIED/);
    beginRun();
    const calls = driver.rpcs().length;
    const { inputs } = await access.check(outputs, ofAccess());
    assert.deepEqual(await access.diff(outputs, inputs), { changes: false, replaces: [] });
    const restored = await access.update(outputs, ofAccess());
    assert.deepEqual(restored, outputs);
    assert.equal(driver.rpcs().length, calls);
  });

  it(`is revoked with the recorded pair, whatever was changed of bucket and access since ${ids("[GRPC-015]", "[DEP-017]")}`, async () => {
    const { outputs } = await access.create(ofAccess({ name: "reader", parameters: { a: "1" } }));
    beginRun();
    const changed = ofAccess({
      name: "reader",
      parameters: { a: "1" },
      bucketInfo: { protocol: "S3", region: "other", signatureVersion: null },
      defaultEndpoint: "https://other",
      revokeNotFound: "ignore",
    });
    const updated = await access.update(outputs, changed);
    const other = ofAccess({ name: "reader", bucketName: "b2", bucketId: "b2", parameters: { a: "2" } });
    const { inputs } = await access.check(updated, other);
    assert.deepEqual((await access.diff(updated, inputs)).replaces, ["bucketName", "parameters"]);
    beginRun();
    await access.delete(updated);
    assert.deepEqual(pairs(), [["b1", "reader"]]);
    assert.equal(driver.accounts.size, 0);
  });
});
