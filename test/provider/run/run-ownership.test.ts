import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { DriverCreateBucketRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import type { DriverReference } from "../../../provider/driver-resource/driver-reference";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, paths } from "../../support/cosi-v1alpha1";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { lost, type Script, type StrictDriver } from "../../support/strict-driver";

const unknown = pulumi.runtime.unknownValue;
const refused: Script = [{ code: status.PERMISSION_DENIED, message: "not now" }];
const deleting = { deletionPolicy: "Delete", protectData: false };
const otherSeed = "ab".repeat(16);

forEachContract("what a run owns", (contract) => {
  const { bucket, access, endpointVariable, strictDriver, driverReference, say, ids } = contract;
  let driver: StrictDriver;
  let reference: DriverReference;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    // One attempt per call: its answer is lost, and its outcome is not known.
    reference = driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001 });
    ofBucket = (changes = {}) => ({
      driver: reference,
      logicalName: "old",
      name: "photos",
      ...deleting,
      ...changes,
    });
    const ofIt = { bucketName: "b1", bucketId: "b1" };
    ofAccess = (changes = {}) => ({
      driver: reference,
      logicalName: "old",
      name: "reader",
      ...ofIt,
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
    Reflect.deleteProperty(process.env, endpointVariable);
  });

  /** The entry of a bucket whose create had its effect and lost its answer, at a driver whose ids are not its names. */
  async function failedBucket(changes: Properties = {}): Promise<Properties> {
    driver.fake.on(paths.create, (body, earlier) =>
      earlier === 0 ? lost : answers.created(`eu/${DriverCreateBucketRequest.decode(body).name}`),
    );
    const failed = await failedResource(bucket.create(ofBucket(changes)));
    beginRun();
    return wire(failed.properties);
  }

  for (const [what, logicalName, name] of [
    ["in its place", "old", "pictures"],
    ["by another resource", "taken", "videos"],
  ] as const) {
    it(`is a failed bucket that is taken over by its id ${what}: no Delete for the id that is learned ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const olds = await failedBucket({ name });
      const news = { driver: reference, logicalName, existingBucketId: `eu/${name}` };
      await bucket.check({}, news);
      const lines = await printed(() => bucket.delete(olds));
      assert.equal((await bucket.create(news)).outputs["bucketId"], `eu/${name}`);
      assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
      assert.match(lines.join(), say(/^warning: bucket \w+: .*only this entry is dropped$/));
    });
  }

  it("is not what a failed bucket learns under another id: that one is deleted", async () => {
    const olds = await failedBucket();
    await bucket.check({}, { driver: reference, logicalName: "taken", existingBucketId: "eu/other" });
    driver.answer("delete", answers.deleted());
    await bucket.delete(olds);
    assert.deepEqual(driver.rpcs(), ["Create", "Create", "Delete"]);
  });

  it(`is protected in a replacement of a bucket that may exist, until protectData is false in the state ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const news = { driver: reference, logicalName: "old", existingBucketId: "eu/photos" };
    const olds = await failedBucket({ protectData: true });
    const { inputs } = await bucket.check(olds, news);
    await assert.rejects(
      bucket.diff(olds, inputs),
      say(/bucket photos .*which may exist.*because of existingBucketId.*protectData to false/),
    );
    const { replaces } = await bucket.diff({ ...olds, protectData: false }, inputs);
    assert.deepEqual(replaces, ["existingBucketId"]);
  });

  it(`is an account that a failed access learns and another one has: no Revoke ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    driver.answer("grant", answers.granted("shared"), lost, answers.granted("shared"));
    const kept = (await access.create(ofAccess({ logicalName: "kept", name: "kept" }))).outputs;
    const gone = wire((await failedResource(access.create(ofAccess()))).properties);
    beginRun();
    const { inputs } = await access.check(kept, ofAccess({ logicalName: "kept", name: "kept" }));
    await access.diff(kept, inputs);
    const lines = await printed(() => access.delete(gone));
    assert.deepEqual(driver.rpcs(), ["Grant", "Grant", "Grant"]);
    assert.match(lines.at(-1) ?? "", /^warning: access reader: .*only this entry is dropped$/);
  });

  it("is an account that a driver gives twice, once with nothing usable: no Revoke", async () => {
    driver.answer("grant", answers.granted("shared"), answers.granted("shared", {}));
    await access.create(ofAccess({ logicalName: "kept", name: "kept" }));
    await assert.rejects(
      access.create(ofAccess()),
      /account shared is that of another access of this program/,
    );
    assert.deepEqual(driver.rpcs(), ["Grant", "Grant"]);
  });

  for (const [what, script, name] of [
    ["has no known outcome", [lost], "doubted"],
    ["is refused for sure", refused, "refused"],
  ] as const) {
    it(`is what a renamed resource asks for, if its call ${what}: no Delete and no Revoke for the old one ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const oldBucket = (await bucket.create(ofBucket({ name }))).outputs;
      const oldAccess = (await access.create(ofAccess({ name }))).outputs;
      beginRun();
      driver.answer("create", ...script);
      driver.answer("grant", ...script);
      await assert.rejects(bucket.create(ofBucket({ name, logicalName: "new" })));
      await assert.rejects(access.create(ofAccess({ name, logicalName: "new" })));
      const lines = await printed(async () => {
        await access.delete(oldAccess);
        await bucket.delete(oldBucket);
      });
      assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Create", "Grant"]);
      assert.deepEqual([...driver.buckets.keys()], [name]);
      assert.deepEqual([...driver.accounts.keys()], [name]);
      assert.equal(lines.filter((line) => line.endsWith("only this entry is dropped")).length, 2);
    });
  }

  it(`is not what a resource wants anew for itself, renamed with an alias or not ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    for (const logicalName of ["old", "new"]) {
      const before = driver.rpcs().length;
      const oldBucket = (await bucket.create(ofBucket())).outputs;
      const oldAccess = (await access.create(ofAccess())).outputs;
      beginRun();
      for (const [resource, olds, news] of [
        [access, oldAccess, ofAccess({ logicalName })],
        [bucket, oldBucket, ofBucket({ logicalName })],
      ] as const) {
        await resource.check(olds, news);
        await resource.check({}, news);
        await resource.delete(olds);
      }
      assert.deepEqual(driver.rpcs().slice(before), ["Create", "Grant", "Revoke", "Delete"]);
      beginRun();
    }
  });

  it(`is the same at the endpoint in the environment and at the same endpoint written out ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    process.env[endpointVariable] = driver.fake.endpoint;
    const inherited: Properties = { ...reference };
    delete inherited["endpoint"];
    const { outputs } = await bucket.create(ofBucket({ driver: inherited }));
    beginRun();
    await bucket.create(ofBucket({ logicalName: "new", driver: { ...reference, seed: otherSeed } }));
    await printed(() => bucket.delete(outputs));
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
  });

  for (const [what, first, second] of [
    ["in the first preview, which knows no Driver yet", unknown, unknown],
    ["by two Drivers on one socket", "00".repeat(16), otherSeed],
  ] as const) {
    it(`has one sender for a name: it is an error ${what} ${ids("[GRPC-029]", "[DEP-029]")}`, async () => {
      for (const [resource, kind, inputs] of [
        [bucket, "bucket", ofBucket],
        [access, "access", ofAccess],
      ] as const) {
        const of = (seed: string, logicalName: string) => {
          const driverName = seed === unknown ? unknown : reference.driverName;
          return inputs({ driver: { ...reference, seed, driverName }, logicalName });
        };
        assert.deepEqual((await resource.check({}, of(first, "one"))).failures, []);
        assert.deepEqual((await resource.check({}, of(first, "one"))).failures, [], "the same, asked again");
        const { failures } = await resource.check({}, of(second, "two"));
        assert.match(failures.join(), say(new RegExp(`^name ".*" is sent to .* by the ${kind} one too`)));
        assert.ok(!failures.join().includes(unknown));
      }
      assert.deepEqual(driver.rpcs(), []);
    });
  }

  it("has a sender for each store behind one address, and for each Driver whose place is not known", async () => {
    const at = (tls: Properties) => ({ ...reference, tls });
    assert.deepEqual((await bucket.check({}, ofBucket({ driver: at({ serverName: "a" }) }))).failures, []);
    const other = { ...at({ serverName: "b" }), seed: otherSeed };
    assert.deepEqual((await bucket.check({}, ofBucket({ driver: other, logicalName: "b" }))).failures, []);
    beginRun();
    for (const logicalName of ["one", "two"]) {
      const nowhere = { ...reference, endpoint: unknown, seed: unknown, driverName: unknown };
      assert.deepEqual((await bucket.check({}, ofBucket({ driver: nowhere, logicalName }))).failures, []);
    }
  });
});
