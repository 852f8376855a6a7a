import assert from "node:assert/strict";
import { provider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StrictDriver } from "../../support/strict-driver";

describe("the deletion policy of a bucket with a class", () => {
  const bucket = new Lifecycle(provider);
  let driver: StrictDriver;
  let inputs: Properties;

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
    inputs = {
      driver: driverReference(driver.fake.endpoint),
      logicalName: "photos",
      bucketClassName: "gold",
      parameters: { tier: "hot" },
      deletionPolicy: "Delete",
    };
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  it("changes in place, either way and without a call, where it is the program's own word", async () => {
    let { outputs } = await bucket.create(inputs);
    const edited = { ...inputs, parameters: { tier: "cold" } };
    for (const [change, policy] of [
      [{ deletionPolicy: "Retain", ownDeletionPolicy: true }, "Retain"],
      [{ deletionPolicy: "Delete", ownDeletionPolicy: true }, "Delete"],
      [{ deletionPolicy: "Retain", ownDeletionPolicy: true }, "Retain"],
      // The word is taken back: the policy is that of the copy again.
      [{ deletionPolicy: "Delete" }, "Delete"],
    ] as const) {
      const { inputs: checked } = await bucket.check(outputs, { ...edited, ...change });
      assert.deepEqual(checked["parameters"], { tier: "hot" });
      assert.deepEqual(await bucket.diff(outputs, checked), { changes: true, replaces: [] });
      outputs = await bucket.update(outputs, { ...edited, ...change });
      assert.equal(outputs["deletionPolicy"], policy);
    }
    assert.deepEqual(driver.rpcs(), ["Create"]);
  });

  it("stays where it is the class's, whatever becomes of that [OS1-011]", async () => {
    const { outputs } = await bucket.create(inputs);
    const { inputs: checked } = await bucket.check(outputs, { ...inputs, deletionPolicy: "Retain" });
    assert.equal(checked["deletionPolicy"], "Delete");
    assert.deepEqual(await bucket.diff(outputs, checked), { changes: false, replaces: [] });
  });

  it("keeps the bucket after a change to Retain", async () => {
    const { outputs } = await bucket.create(inputs);
    await bucket.delete(
      await bucket.update(outputs, { ...inputs, deletionPolicy: "Retain", ownDeletionPolicy: true }),
    );
    assert.deepEqual(driver.rpcs(), ["Create"]);
    assert.equal(driver.buckets.size, 1);
  });
});
