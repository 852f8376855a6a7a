import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { closeConnections } from "../../../provider/driver/connections";
import { forEachContract } from "../../support/contracts-under-test";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { lost, type StrictDriver } from "../../support/strict-driver";

forEachContract("a replacement that leaves the old bucket", (contract) => {
  const { bucket, strictDriver, driverReference, say, ids } = contract;
  let driver: StrictDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    // One attempt per call: its answer is lost, and its outcome is not known.
    const reference = driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001 });
    inputs = (changes = {}) => ({
      driver: reference,
      logicalName: "p",
      name: "photos",
      parameters: { tier: "1" },
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** What the engine asks before it replaces anything: `check` and `diff` against the state. */
  async function plan(olds: Properties, news: Properties): Promise<string[]> {
    beginRun();
    const { inputs: checked, failures } = await bucket.check(olds, news);
    assert.deepEqual(failures, []);
    return (await bucket.diff(olds, checked)).replaces ?? [];
  }

  const changed = { parameters: { tier: "2" } };

  it(`is refused under the name that the program gave, with bucket, property and the ways on ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const { outputs } = await bucket.create(inputs());
    await assert.rejects(
      plan(outputs, inputs(changed)),
      say(
        /^Error: the bucket photos of driver fake\.example\.com would be replaced because of parameters, and stays in the backend, so the new one .*Next: give the new bucket another name, or none to have one computed; or take the old one over as it is \(existingBucketId "photos", and no name\)\.$/,
      ),
    );
    assert.deepEqual(driver.rpcs(), ["Create"]);
  });

  it(`makes a bucket of another name beside the old one ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const { outputs } = await bucket.create(inputs());
    const news = inputs({ ...changed, name: "pictures" });
    assert.deepEqual(await plan(outputs, news), ["name", "parameters"]);
    await bucket.delete(outputs);
    await bucket.create(news);
    assert.deepEqual([...driver.buckets.keys()], ["photos", "pictures"]);
  });

  it("goes on where its name is no longer sent: by the bucket's id, at another driver, or as a computed one", async () => {
    const { outputs } = await bucket.create(inputs());
    const byId = inputs({ name: undefined, existingBucketId: "photos" });
    assert.deepEqual(await plan(outputs, byId), ["existingBucketId"]);
    const elsewhere = driverReference("unix:///run/elsewhere.sock", {
      driverName: "b.example.com",
      seed: "b",
    });
    assert.deepEqual(await plan(outputs, inputs({ ...changed, driver: elsewhere })), [
      "parameters",
      "driver",
    ]);
    beginRun();
    const computed = await bucket.create(inputs({ logicalName: "c", name: undefined }));
    const news = inputs({ logicalName: "c", name: undefined, ...changed });
    assert.deepEqual(await plan(computed.outputs, news), ["parameters"]);
  });

  it("goes by what the program says by then: a name that it takes back, or one that was computed and is written out", async () => {
    const { outputs } = await bucket.create(inputs());
    assert.deepEqual(await plan(outputs, inputs({ name: undefined, ...changed })), ["parameters"]);
    beginRun();
    const computed = await bucket.create(inputs({ name: undefined }));
    const written = { name: computed.outputs["name"], ...changed };
    await assert.rejects(plan(computed.outputs, inputs(written)), say(/bucket p-\w+ .*another name/));
  });

  it("is refused for a bucket that existed before, under its own name, and not under a computed one", async () => {
    const { outputs } = await bucket.create(inputs({ name: undefined, existingBucketId: "photos" }));
    await assert.rejects(
      plan(outputs, inputs()),
      say(/bucket photos .*because of existingBucketId, .*another name/),
    );
    assert.deepEqual(await plan(outputs, inputs({ name: undefined })), ["existingBucketId"]);
    assert.deepEqual(driver.rpcs(), []);
  });

  it("is refused for a bucket that was taken over by its name", async () => {
    driver.answer("create", { code: status.ALREADY_EXISTS, message: "taken" });
    let outputs: Properties = {};
    await printed(async () => ({ outputs } = await bucket.create(inputs({ nameAsId: true }))));
    await assert.rejects(plan(outputs, inputs({ nameAsId: true, ...changed })), /another name/);
  });

  it("is refused for one that may exist, and not for one that was never made", async () => {
    driver.answer("create", lost);
    const olds = wire((await failedResource(bucket.create(inputs()))).properties);
    await assert.rejects(
      plan(olds, inputs(changed)),
      say(
        /bucket photos .*, which may exist .*because of parameters, .*look for the old one in the backend, and use pulumi state delete if it is not there or existingBucketId if it is\.$/,
      ),
    );
    assert.deepEqual(await plan({ ...olds, nothingMade: true }, inputs(changed)), ["parameters"]);
  });

  it("is what the refusal of one that would delete data leads to, with another name", async () => {
    const policy = { deletionPolicy: "Delete" };
    const { outputs } = await bucket.create(inputs(policy));
    await assert.rejects(
      plan(outputs, inputs({ ...policy, ...changed })),
      say(/run pulumi up before this change, which then needs another name for the new bucket \(/),
    );
    await assert.rejects(
      plan(outputs, inputs({ ...policy, name: "pictures" })),
      say(/run pulumi up before this change \(the old bucket/),
    );
  });
});
