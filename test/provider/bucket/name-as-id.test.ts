import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { DriverDeleteBucketRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../../provider/driver/connections";
import { forEachContract } from "../../support/contracts-under-test";
import { answers, paths } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

forEachContract("nameAsId", (contract) => {
  const { bucket, obligingDriver, driverReference, say, ids } = contract;
  const taken = () => ({ code: status.ALREADY_EXISTS, message: "taken" });
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    inputs = (changes = {}) => ({ driver: reference, logicalName: "photos", nameAsId: true, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  /** Creates a bucket. @returns its outputs, and what was printed. */
  async function create(news: Properties): Promise<{ outputs: Properties; text: string }> {
    let outputs: Properties = {};
    const lines = await printed(async () => ({ outputs } = await bucket.create(news)));
    assert.equal(lines.length, 1);
    return { outputs, text: lines[0] ?? "" };
  }

  it(`takes the name on a first ALREADY_EXISTS, with a warning ${ids("[GRPC-036] [CASE-C01]", "[DEP-035]")}`, async () => {
    driver.on(paths.create, taken);
    const user = await create(inputs({ name: "mine-1" }));
    assert.equal(user.outputs["bucketId"], "mine-1");
    assert.match(
      user.text,
      say(/^warning: bucket mine-1: .*exists already; nameAsId takes it over.*never deleted$/),
    );
    const computed = await create(inputs({ logicalName: "first" }));
    assert.equal(computed.outputs["bucketId"], computed.outputs["name"]);
    assert.match(computed.text, say(/^warning: bucket first-\w+: .*exists already; nameAsId takes it over/));
    await assert.rejects(bucket.create(inputs({ logicalName: "off", nameAsId: false })), /ALREADY_EXISTS/);
  });

  it(`takes a user's name after an attempt without an answer, with a warning ${ids("[GRPC-036]", "[DEP-035]")}`, async () => {
    driver.on(paths.create, (_, earlier) => (earlier === 0 ? { code: status.UNAVAILABLE } : taken()));
    const { outputs, text } = await create(inputs({ name: "mine-2" }));
    assert.equal(outputs["bucketId"], "mine-2");
    assert.match(
      text,
      say(/^warning: bucket mine-2: .*attempt whose answer was lost; nameAsId takes it over/),
    );
  });

  it(`takes the name where OK comes without an id, with a warning, and the bucket is ours ${ids("[GRPC-036]", "[DEP-035]")}`, async () => {
    driver.on(paths.create, () => answers.created(""));
    const { outputs, text } = await create(inputs({ name: "mine-3", deletionPolicy: "Delete" }));
    assert.equal(outputs["bucketId"], "mine-3");
    assert.deepEqual(outputs["bucketInfo"], { protocol: "S3", region: "eu-1", signatureVersion: "S3V4" });
    assert.match(
      text,
      say(/^warning: bucket mine-3: the driver answered OK without bucket_id; nameAsId takes/),
    );
    beginRun();
    await bucket.delete(outputs);
    const [body = ""] = driver.bodies("DriverDeleteBucket");
    assert.equal(DriverDeleteBucketRequest.decode(Buffer.from(body, "hex")).bucketId, "mine-3");
  });

  it("changes nothing where the driver tells an id", async () => {
    driver.on(paths.create, () => answers.created("id-7"));
    const lines = await printed(async () => {
      assert.equal((await bucket.create(inputs())).outputs["bucketId"], "id-7");
    });
    assert.deepEqual(lines, []);
  });

  it("never deletes a bucket that may be somebody else's, and refuses the policy Delete for it", async () => {
    driver.on(paths.create, taken);
    const news = inputs({ name: "theirs" });
    await assert.rejects(
      bucket.create({ ...news, deletionPolicy: "Delete" }),
      /ALREADY_EXISTS.*only with deletionPolicy "Retain"/,
    );
    let outputs: Properties = {};
    await printed(async () => ({ outputs } = await bucket.create(news)));

    beginRun();
    const deleting = await bucket.check(outputs, { ...news, deletionPolicy: "Delete" });
    await assert.rejects(
      bucket.diff(outputs, deleting.inputs),
      say(/bucket theirs .*taken over by nameAsId.*"Retain"/),
    );
    const restored = await bucket.update(outputs, { ...news, protectData: false });
    assert.equal(restored["adopted"], true);
    for (const state of [restored, { ...restored, deletionPolicy: "Delete" }]) await bucket.delete(state);
    assert.ok(!driver.paths().includes("DriverDeleteBucket"));
  });

  it("finishes an entry that failed without it, in place", async () => {
    driver.on(paths.create, () => answers.created(""));
    const failed = await failedResource(bucket.create(inputs({ nameAsId: false })));
    assert.match(failed.message, /nameAsId takes the name/);
    const kept = wire(failed.properties);
    const { inputs: news } = await bucket.check(kept, inputs());
    assert.deepEqual(await bucket.diff(kept, news), { changes: true, replaces: [] });
    await printed(async () => {
      assert.equal((await bucket.update(kept, inputs()))["bucketId"], kept["name"]);
    });
  });
});
