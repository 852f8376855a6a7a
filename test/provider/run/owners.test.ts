import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { ownerMetadata } from "../../../provider/driver/call/owner";
import { closeConnections } from "../../../provider/driver/connections";
import { failedResource, Lifecycle, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StoringDriver } from "../../support/workflows/storing-driver";

const lost = { code: status.UNAVAILABLE, message: "lost" };
const first = "01".repeat(16);
const second = "23".repeat(16);
const third = "45".repeat(16);

describe("the owner for whom a driver is asked", () => {
  const buckets = new Lifecycle(bucketProvider);
  const accesses = new Lifecycle(accessProvider);
  let driver: StoringDriver;

  beforeEach(async () => {
    beginRun();
    driver = await new StoringDriver().start();
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** @param seed Of the Driver resource, which is another one under another name. */
  const at = (seed: string): Properties => ({
    ...driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001, seed }),
  });
  const ofBucket = (seed: string, changes: Properties = {}): Properties => ({
    driver: at(seed),
    logicalName: "photos",
    deletionPolicy: "Delete",
    protectData: false,
    ...changes,
  });
  const ofAccess = (seed: string, changes: Properties = {}): Properties => ({
    driver: at(seed),
    logicalName: "photos-rw",
    bucketName: "b1",
    bucketId: "b1",
    ...changes,
  });
  /** Name and owner of every create and grant. */
  const asked = (): [string, unknown][] => {
    const calls = driver.fake.calls.filter(({ path }) => /Create|Grant/.test(path));
    return driver
      .calls()
      .flatMap(({ request }) => ("name" in request ? [request.name] : []))
      .map((name, index) => [name, calls[index]?.metadata[ownerMetadata]]);
  };
  const failing = async (action: () => Promise<unknown>): Promise<Properties> => {
    const off = driver.on("done", () => Promise.resolve(lost));
    const failed = await failedResource(action());
    off();
    beginRun();
    return wire(failed.properties);
  };

  for (const [what, resource, inputs] of [
    ["a bucket", buckets, ofBucket],
    ["an account", accesses, ofAccess],
  ] as const) {
    it(`stays that of the first call for ${what} whose outcome is not known, whatever the Driver is called since`, async () => {
      let state = await failing(() => resource.create(inputs(first)));
      state = await failing(() => resource.update(state, inputs(second)));
      state = await resource.update(state, inputs(third));
      assert.equal(asked().length, 3);
      const [call, ...repeats] = asked();
      for (const repeat of repeats) assert.deepEqual(repeat, call);

      beginRun();
      const diff = await resource.diff(state, (await resource.check(state, inputs(third))).inputs);
      assert.deepEqual(diff, { changes: false, replaces: [] });
    });

    it(`stays it when a destroy asks for ${what} once more to learn its id`, async () => {
      let state = await failing(() => resource.create(inputs(first)));
      state = await failing(() => resource.update(state, inputs(second)));
      await resource.delete(state);
      const [call, ...repeats] = asked();
      assert.equal(repeats.length, 2);
      for (const repeat of repeats) assert.deepEqual(repeat, call);
      assert.deepEqual([...driver.buckets.keys(), ...driver.accounts.keys()], []);
    });

    it(`is another one for ${what} at another driver`, async () => {
      const { outputs } = await resource.create(inputs(first, { name: "mine" }));
      const other = { ...at(second), driverName: "other.example.com" };
      await driver.becomes(other.driverName);
      await closeConnections();
      beginRun();
      const news = inputs(second, { name: "mine", driver: other });
      const diff = await resource.diff(outputs, (await resource.check(outputs, news)).inputs);
      assert.deepEqual(diff.replaces, ["driver"]);
      await resource.create(news);
      const [call, next] = asked();
      assert.notEqual(call?.[1], next?.[1]);
    });
  }

  it("and the name stay those of a rotation that was killed, when the Driver is called otherwise in the next run", async () => {
    const old = (await accesses.create(ofAccess(first, { rotation: { trigger: 1 } }))).outputs;
    for (const seed of [first, second]) {
      beginRun();
      const news = ofAccess(seed, { rotation: { trigger: 2 } });
      const diff = await accesses.diff(old, (await accesses.check(old, news)).inputs);
      assert.deepEqual(diff.replaces, ["rotation"]);
      await accesses.create(news);
    }
    const [, killed, again] = asked();
    assert.deepEqual(again, killed);
    assert.equal(driver.accounts.size, 2);
  });

  it("stays that of a user's name which a replacement asks for again, and the state has it", async () => {
    const named = { name: "mine" };
    const deletable = { ...named, deletionPolicy: "Delete", protectData: false };
    const bucket = (await buckets.create(ofBucket(first, deletable))).outputs;
    const access = (await accesses.create(ofAccess(first, { ...named, rotation: { trigger: 1 } }))).outputs;
    for (const [resource, state, news] of [
      [buckets, bucket, ofBucket(second, deletable)],
      [accesses, access, ofAccess(second, { ...named, rotation: { trigger: 1 } })],
    ] as const) {
      beginRun();
      // With --replace, which asks for no diff.
      await resource.check(state, news);
      const made = (await resource.create(news)).outputs;
      beginRun();
      const diff = await resource.diff(made, (await resource.check(made, news)).inputs);
      assert.deepEqual(diff, { changes: false, replaces: [] });
    }
    assert.equal(new Set(asked().map(([, owner]) => owner)).size, 1);
  });
});
