import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { failedResource, Lifecycle, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { DRIVER_NAME, type RunningDriver, Setting } from "./setting";

describe("a name that two stacks give, at the S3 driver and a real store", function () {
  this.timeout(180_000);
  const buckets = new Lifecycle(bucketProvider);
  const accesses = new Lifecycle(accessProvider);
  let setting: Setting;
  let admin: StoreAdmin;
  let running: RunningDriver;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    running = await setting.startDriver();
  });
  beforeEach(beginRun);
  after(async () => {
    await closeConnections();
    await setting.stop();
  });

  /** Each stack has a Driver resource of its own, hence a seed. */
  const ofStack = (seed: string, properties: Properties): Properties => ({
    driver: driverReference(`unix://${running.socket}`, {
      driverName: DRIVER_NAME,
      seed,
      retryBudgetSeconds: 5,
    }),
    logicalName: "photos",
    ...properties,
  });
  const refusal = /ALREADY_EXISTS: .*was made for another owner, such as another Pulumi stack/;

  it("is a bucket of the first: the second is refused, and its destroy removes nothing", async () => {
    const name = admin.name();
    const bucket = { name, deletionPolicy: "Delete" };
    const { outputs } = await buckets.create(ofStack("first", bucket));
    beginRun();
    await assert.rejects(buckets.create(ofStack("second", bucket)), refusal);
    assert.equal(await admin.bucketsNamed(name), 1);
    beginRun();
    assert.equal((await buckets.create(ofStack("first", bucket))).outputs["bucketId"], outputs["bucketId"]);
    beginRun();
    await buckets.delete(outputs);
    beginRun();
    const second = (await buckets.create(ofStack("second", bucket))).outputs;
    beginRun();
    await buckets.delete(second);
    assert.equal(await admin.bucketsNamed(name), 0);
  });

  it("is an account of the first: the second is refused, and the key of the first lives on", async () => {
    const name = admin.name();
    const bucket = (await buckets.create(ofStack("first", { name, deletionPolicy: "Delete" }))).outputs;
    const access = { name: `${name.slice(0, 50)}-reader`, bucketName: name, bucketId: bucket["bucketId"] };
    const { outputs } = await accesses.create(ofStack("first", access));
    beginRun();
    await assert.rejects(accesses.create(ofStack("second", access)), refusal);
    assert.deepEqual(await admin.keysOf(String(outputs["accountId"])), [outputs["accessKeyId"]]);
    beginRun();
    await accesses.delete(outputs);
    await buckets.delete(bucket);
  });

  it("is a bucket of the first, too, whose create was cut short, and one that was made without a word of whom it is for", async () => {
    const half = { name: admin.name(), deletionPolicy: "Delete" };
    setting.proxy.fateOf = ({ method, url }) =>
      method === "PUT" && url.includes("?tagging") ? "refuse" : "pass";
    const failed = await failedResource(buckets.create(ofStack("first", half)));
    setting.proxy.fateOf = () => "pass";
    assert.equal(await admin.bucketsNamed(half.name), 1);
    beginRun();
    await assert.rejects(buckets.create(ofStack("second", half)), /ALREADY_EXISTS/);
    beginRun();
    const finished = await buckets.update(wire(failed.properties), ofStack("first", half));
    beginRun();
    await buckets.delete(finished);

    const unsaid = { name: admin.name(), deletionPolicy: "Delete" };
    await running.client.create(unsaid.name);
    const { outputs } = await buckets.create(ofStack("first", unsaid));
    beginRun();
    await assert.rejects(buckets.create(ofStack("second", unsaid)), refusal);
    beginRun();
    await buckets.delete(outputs);
  });

  it("is answered to a caller that says nothing of itself as the contract demands", async () => {
    const name = admin.name();
    const { outputs } = await buckets.create(ofStack("first", { name, deletionPolicy: "Delete" }));
    assert.equal((await running.client.create(name)).bucketId, name);
    beginRun();
    await buckets.delete(outputs);
  });
});
