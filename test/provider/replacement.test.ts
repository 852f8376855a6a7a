import assert from "node:assert/strict";
import { closeConnections } from "../../provider/driver/connections";
import { forEachContract } from "../support/contracts-under-test";
import { printed, type Lifecycle, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import type { StrictDriver } from "../support/strict-driver";

const given = { deletionPolicy: "Delete", protectData: false };

forEachContract("a replacement, at a driver with strict rules for names", (contract) => {
  const { bucket, access, strictDriver, driverReference, say, ids } = contract;
  let driver: StrictDriver;
  let reference: Properties;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await strictDriver().start();
    reference = { ...driverReference(driver.fake.endpoint) };
    inputs = (changes = {}) => ({ driver: reference, logicalName: "photos", ...given, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /**
   * Replaces a resource as the engine does: check and diff against the state, a second check without it, then the old
   * one is deleted and the new one made. Under `--replace` there is no diff.
   */
  async function replace(
    resource: Lifecycle,
    olds: Properties,
    news: Properties,
    { asked = true } = {},
  ): Promise<Properties> {
    beginRun();
    const { inputs: checked } = await resource.check(olds, news);
    if (asked) {
      const { replaces, deleteBeforeReplace } = await resource.diff(olds, checked);
      assert.ok((replaces ?? []).length > 0);
      assert.equal(deleteBeforeReplace, true);
    }
    await resource.check({}, news);
    await resource.delete(olds);
    return (await resource.create(news)).outputs;
  }

  for (const [what, name] of [
    ["a computed name", undefined],
    ["a user's name", "fixed"],
  ] as const) {
    const named = name === undefined ? {} : { name };

    it(`ends with one bucket under ${what} when the parameters change ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const { outputs } = await bucket.create(inputs({ ...named, parameters: { tier: "1" } }));
      const after = await replace(bucket, outputs, inputs({ ...named, parameters: { tier: "2" } }));
      assert.deepEqual([...driver.buckets.keys()], [after["bucketId"]]);
      assert.deepEqual(driver.rpcs(), ["Create", "Delete", "Create"]);
    });

    it(`ends with one bucket under ${what} with --replace, which asks for no diff ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const { outputs } = await bucket.create(inputs({ ...named, parameters: { tier: "1" } }));
      for (const parameters of [{ tier: "1" }, { tier: "2" }]) {
        const after = await replace(bucket, outputs, inputs({ ...named, parameters }), { asked: false });
        assert.deepEqual([...driver.buckets.keys()], [after["bucketId"]]);
        beginRun();
        await bucket.delete(after);
        await bucket.create(inputs({ ...named, parameters: { tier: "1" } }));
      }
    });

    it(`leaves one account under ${what} when its parameters or its type change, or with --replace ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const made = await bucket.create(inputs());
      const ofIt = { bucketName: made.id, bucketId: made.outputs["bucketId"] };
      const news = (changes: Properties = {}) => ({
        driver: reference,
        logicalName: "photos-rw",
        ...ofIt,
        ...named,
        ...changes,
      });
      let { outputs } = await access.create(news());
      outputs = await replace(access, outputs, news({ parameters: { accessMode: "ro" } }));
      outputs = await replace(access, outputs, news({ authenticationType: "IAM" }));
      outputs = await replace(access, outputs, news({ authenticationType: "IAM" }), { asked: false });
      assert.deepEqual([...driver.accounts.keys()], [outputs["accountId"]]);
      const grants = driver.rpcs().slice(1);
      assert.deepEqual(grants, ["Grant", "Revoke", "Grant", "Revoke", "Grant", "Revoke", "Grant"]);
    });
  }

  it(`of a resource renamed without an alias sends no Delete, and drops the old entry with a warning ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const { outputs } = await bucket.create(inputs({ name: "shared" }));
    const ofIt = { bucketName: "shared", bucketId: "shared", driver: reference, name: "shared-rw" };
    const granted = await access.create({ ...ofIt, logicalName: "rw" });
    beginRun();
    await bucket.create(inputs({ name: "shared", logicalName: "pictures" }));
    await access.create({ ...ofIt, logicalName: "pictures-rw" });
    const lines = await printed(async () => {
      await access.delete(granted.outputs);
      await bucket.delete(outputs);
    });
    assert.deepEqual([...driver.buckets.keys()], ["shared"]);
    assert.deepEqual([...driver.accounts.keys()], ["shared-rw"]);
    assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Create", "Grant"]);
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /^warning: .* shared.*only this entry is dropped$/);
  });

  it(`sends no Delete for a bucket that a brownfield resource of the same run keeps by its id ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const { outputs } = await bucket.create(inputs({ name: "handed-on" }));
    beginRun();
    const brownfield = { driver: reference, logicalName: "taken", existingBucketId: "handed-on" };
    await bucket.create(brownfield);
    await printed(() => bucket.delete(outputs));
    assert.deepEqual([...driver.buckets.keys()], ["handed-on"]);
  });

  it("by the bucket's own id, as one that exists already, sends no Delete for it", async () => {
    const { outputs } = await bucket.create(inputs({ name: "mine" }));
    const brownfield = { driver: reference, logicalName: "photos", existingBucketId: "mine" };
    let taken: Properties = {};
    const lines = await printed(async () => (taken = await replace(bucket, outputs, brownfield)));
    assert.equal(taken["bucketId"], "mine");
    assert.deepEqual([...driver.buckets.keys()], ["mine"]);
    assert.match(lines.join(), say(/^warning: bucket mine: another resource of this run has it now/));
    beginRun();
    await bucket.delete(taken);
    assert.deepEqual(driver.rpcs(), ["Create"]);
  });

  it(`is refused where the engine asks for no diff, unless diff has let it pass ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const again = async (olds: Properties, news: Properties): Promise<string> => {
      beginRun();
      await bucket.check(olds, news);
      return (await bucket.check({}, news)).failures.join("\n");
    };
    const safe = inputs({ name: "precious", protectData: undefined });
    const { outputs: precious } = await bucket.create(safe);
    assert.match(
      await again(precious, safe),
      say(
        /^protectData: the bucket precious of driver .* would be replaced because of the option replacementTrigger/,
      ),
    );
    beginRun();
    const { outputs: given } = await bucket.create(inputs({ name: "given-up" }));
    assert.equal(await again(given, inputs({ name: "given-up" })), "");

    const retained = inputs({ name: "retained", deletionPolicy: "Retain" });
    beginRun();
    const { outputs: kept } = await bucket.create(retained);
    assert.match(await again(kept, retained), say(/^name: the bucket retained .* stays in the backend/));
    assert.equal(await again(kept, { ...retained, name: "another" }), "");

    const other = inputs({ name: "precious", protectData: undefined, parameters: { tier: "2" } });
    beginRun();
    const { inputs: checked } = await bucket.check({ ...precious, protectData: false }, other);
    await bucket.diff({ ...precious, protectData: false }, checked);
    assert.deepEqual((await bucket.check({}, other)).failures, []);
  });

  it(`is refused while it would delete data, with bucket and property, and sends nothing ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const safe = { deletionPolicy: "Delete", protectData: undefined };
    const { outputs } = await bucket.create(inputs({ ...safe, name: "precious" }));
    beginRun();
    const calls = driver.fake.calls.length;
    for (const [changes, property] of [
      [{ name: "precious", parameters: { tier: "2" } }, "parameters"],
      [{ name: "other" }, "name"],
      [{ name: "precious", driver: { ...reference, driverName: "b.example.com", seed: "b" } }, "driver"],
    ] as const) {
      const { inputs: news } = await bucket.check(outputs, inputs({ ...safe, ...changes }));
      await assert.rejects(
        bucket.diff(outputs, news),
        new RegExp(say(`bucket precious .*because of ${property}.*protectData to false`), "s"),
      );
    }
    assert.equal(driver.fake.calls.length, calls);
  });

  it(`is none for a new socket path: an update without a create, grant, revoke or delete ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
    const made = await bucket.create(inputs());
    const ofIt = { logicalName: "rw", bucketName: made.id, bucketId: made.id };
    const granted = await access.create({ driver: reference, ...ofIt });
    beginRun();
    const calls = driver.rpcs().length;
    const moved = { ...reference, endpoint: "unix:///run/elsewhere.sock" };
    for (const [resource, olds, news] of [
      [bucket, made.outputs, inputs({ driver: moved })],
      [access, granted.outputs, { driver: moved, ...ofIt }],
    ] as const) {
      const { inputs: checked } = await resource.check(olds, news);
      assert.deepEqual(await resource.diff(olds, checked), { changes: true, replaces: [] });
      const updated = await resource.update(olds, news);
      assert.equal((updated["driver"] as Properties)["endpoint"], "unix:///run/elsewhere.sock");
    }
    assert.equal(driver.rpcs().length, calls);
  });
});
