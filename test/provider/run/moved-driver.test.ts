import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { answers, s3Secrets } from "../../support/cosi-v1alpha1";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { quickSettings } from "../../support/settings";
import { StoringDriver } from "../../support/workflows/storing-driver";

describe("a driver that has moved", () => {
  const drivers = new Lifecycle(driverProvider);
  const buckets = new Lifecycle(bucketProvider);
  const accesses = new Lifecycle(accessProvider);
  let before: StoringDriver;
  let now: StoringDriver;
  /** The Driver resource, in the state and in the program. */
  let resource: { state: Properties; news: Properties };

  beforeEach(async () => {
    beginRun();
    before = await new StoringDriver().start();
    now = await new StoringDriver().start();
    // Another key than the first one of the driver before it.
    const credentials = { ...s3Secrets(), accessKeyID: "AKMOVED" };
    now.on("done", ({ rpc, request }) =>
      Promise.resolve(rpc === "grant" ? answers.granted(request.name, credentials) : undefined),
    );
    const news = settings(before);
    resource = { state: (await drivers.create(news)).outputs, news };
  });

  afterEach(async () => {
    await closeConnections();
    before.fake.stop();
    now.fake.stop();
  });

  const settings = ({ fake }: StoringDriver): Properties => ({
    ...quickSettings(fake.endpoint),
    connectTimeoutSeconds: 1,
    retryBudgetSeconds: 0.5,
    logicalName: "store",
  });
  const reference = (): Properties => {
    const { driverName, seed } = resource.state;
    return { ...resource.news, driverName, seed };
  };
  const ofAccess = (changes: Properties = {}): Properties => ({
    driver: reference(),
    logicalName: "photos-rw",
    bucketName: "b1",
    bucketId: "b1",
    ...changes,
  });
  const ofBucket = (changes: Properties = {}): Properties => ({
    driver: reference(),
    logicalName: "photos",
    deletionPolicy: "Delete",
    protectData: false,
    ...changes,
  });

  /** The same driver answers at another socket from now on. */
  const move = (): void => {
    for (const [id, account] of before.accounts) now.accounts.set(id, account);
    for (const [id, bucket] of before.buckets) now.buckets.set(id, bucket);
    before.fake.kill();
    resource.news = settings(now);
  };
  /** What the engine does with the Driver resource in every `up`, before all that depends on it. */
  const upDriver = async (): Promise<void> => {
    const { changes } = await drivers.diff(
      resource.state,
      (await drivers.check(resource.state, resource.news)).inputs,
    );
    if (changes === true) resource.state = await drivers.update(resource.state, resource.news);
  };

  it("is where the account is revoked that gives way in the run of the move", async () => {
    const old = (await accesses.create(ofAccess({ rotation: { trigger: 1 } }))).outputs;
    move();
    beginRun();
    await upDriver();
    const news = ofAccess({ rotation: { trigger: 2 } });
    const diff = await accesses.diff(old, (await accesses.check(old, news)).inputs);
    assert.deepEqual(diff.replaces, ["rotation"]);
    const made = (await accesses.create(news)).outputs;
    await accesses.delete(old);
    assert.deepEqual([...now.accounts.keys()], [made["accountId"]]);
  });

  it("is where the old bucket of a replacement is deleted, and an account whose access left the program", async () => {
    const access = (await accesses.create(ofAccess())).outputs;
    const old = (await buckets.create(ofBucket())).outputs;
    move();
    beginRun();
    await upDriver();
    const news = ofBucket({ parameters: { tier: "cold" } });
    const diff = await buckets.diff(old, (await buckets.check(old, news)).inputs);
    assert.deepEqual(diff.replaces, ["parameters"]);
    await buckets.delete(old);
    const made = await buckets.create(news);
    await accesses.delete(access);
    assert.deepEqual([...now.buckets.keys()], [made.id]);
    assert.deepEqual([...now.accounts.keys()], []);
  });

  it("is where an entry that waits for its deletion goes in a later run, which finds the Driver as it is", async () => {
    const old = (await accesses.create(ofAccess())).outputs;
    move();
    beginRun();
    await upDriver();
    beginRun();
    await upDriver();
    await accesses.delete(old);
    assert.deepEqual(now.rpcs(), ["revoke"]);
  });

  it("is where a resource of the program has it, in a run of that one alone", async () => {
    const old = (await accesses.create(ofAccess({ rotation: { trigger: 1 } }))).outputs;
    const bucket = (await buckets.create(ofBucket())).outputs;
    move();
    await upDriver();
    // With --target: the engine asks nothing of the Driver.
    beginRun();
    await accesses.check(old, ofAccess({ rotation: { trigger: 2 } }));
    await accesses.delete(old);
    beginRun();
    await buckets.check(bucket, ofBucket({ parameters: { tier: "cold" } }));
    await buckets.delete(bucket);
    assert.deepEqual(now.rpcs(), ["revoke", "delete"]);
  });

  it("is asked for its name there, as the move recorded it", async () => {
    const old = (await accesses.create(ofAccess())).outputs;
    move();
    now.name = "renamed.example.com";
    resource.news = { ...resource.news, driverName: now.name };
    beginRun();
    await upDriver();
    await accesses.delete(old);
    assert.deepEqual(now.rpcs(), ["revoke"]);
  });

  it("is where the state has it as long as nothing answers at the new place", async () => {
    const old = (await accesses.create(ofAccess())).outputs;
    resource.news = settings(now);
    now.fake.kill();
    beginRun();
    await assert.rejects(upDriver());
    await accesses.delete(old);
    assert.deepEqual(before.rpcs(), ["grant", "revoke"]);
  });

  for (const [where, place] of [
    ["of before", () => before],
    ["of now", () => now],
  ] as const) {
    it(`loses nothing to an old entry that another Driver has at the place ${where}`, async () => {
      const old = (await buckets.create(ofBucket({ name: "shared" }))).outputs;
      resource.news = settings(now);
      beginRun();
      await upDriver();
      const driver = { ...reference(), ...settings(place()), seed: "ab".repeat(16) };
      await buckets.create(ofBucket({ name: "shared", logicalName: "pictures", driver }));
      const lines = await printed(() => buckets.delete(old));
      assert.match(lines.join(), /another resource of this run has it now/);
      assert.deepEqual([...before.rpcs(), ...now.rpcs()], ["create", "create"]);
    });
  }
});
