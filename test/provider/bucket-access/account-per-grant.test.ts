import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StoringDriver } from "../../support/workflows/storing-driver";

describe("a driver that gives every grant an account of its own", () => {
  const access = new Lifecycle(accessProvider);
  let driver: StoringDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await new StoringDriver().start();
    let grants = 0;
    driver.accountIdOf = (name) => `${name}.${(grants += 1)}`;
    const reference = driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001 });
    await new Lifecycle(bucketProvider).create({ driver: reference, logicalName: "b1", name: "b1" });
    inputs = (changes = {}) => ({
      driver: reference,
      logicalName: "photos-rw",
      bucketName: "b1",
      bucketId: "b1",
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  const live = (): string[] => [...driver.accounts.keys()];
  const rotating = (): Properties => inputs({ rotation: { trigger: 1 } });
  /** What the engine asks of an access that it will replace because the user says so. */
  const forced = async (state: Properties, news: Properties, asksDiff: boolean): Promise<void> => {
    beginRun();
    const { inputs: known } = await access.check(state, news);
    if (asksDiff) assert.deepEqual((await access.diff(state, known)).replaces, []);
  };

  for (const [how, asksDiff] of [
    ["--replace, which asks for no diff", false],
    ["replaceOnChanges, whose diff says that it stays", true],
  ] as const) {
    it(`leaves the last one with ${how}, made before the old one goes`, async () => {
      const old = (await access.create(rotating())).outputs;
      await forced(old, rotating(), asksDiff);
      const made = (await access.create(rotating())).outputs;
      assert.equal(made["name"], old["name"]);
      await access.delete(old);
      assert.deepEqual(live(), [made["accountId"]]);
    });

    it(`leaves the last one with ${how}, made when the old one has gone`, async () => {
      const old = (await access.create(inputs())).outputs;
      await forced(old, inputs(), asksDiff);
      await access.check({}, inputs());
      await access.delete(old);
      const made = (await access.create(inputs())).outputs;
      assert.deepEqual(live(), [made["accountId"]]);
    });
  }

  it("leaves the last one also when the run has ended between the grant and the revoke", async () => {
    const old = (await access.create(rotating())).outputs;
    await forced(old, rotating(), false);
    const made = (await access.create(rotating())).outputs;
    beginRun();
    await access.diff(made, (await access.check(made, rotating())).inputs);
    await access.delete(old);
    assert.deepEqual(live(), [made["accountId"]]);
  });

  it("leaves the one of a resource that was renamed without an alias, under a user's name", async () => {
    const old = (await access.create(inputs({ name: "reader" }))).outputs;
    beginRun();
    const made = (await access.create(inputs({ name: "reader", logicalName: "new" }))).outputs;
    await access.delete(old);
    assert.deepEqual(live(), [made["accountId"]]);
  });

  it("is asked once more for none, where the old entry knows no account and the name has one", async () => {
    const off = driver.on("done", () => Promise.resolve({ code: status.UNAVAILABLE, message: "lost" }));
    const failed = await failedResource(access.create(inputs({ name: "reader" })));
    off();
    beginRun();
    await access.create(inputs({ name: "reader", logicalName: "new" }));
    const lines = await printed(() => access.delete(wire(failed.properties)));
    assert.deepEqual(driver.rpcs(), ["create", "grant", "grant"]);
    assert.match(lines.join(), /only this entry is dropped/);
  });

  it("or one to all of a name: what old and new have in common stays, however it is replaced", async () => {
    driver.accountIdOf = (name) => `id of ${name}`;
    for (const asksDiff of [false, true]) {
      const old = (await access.create(rotating())).outputs;
      await forced(old, rotating(), asksDiff);
      const made = (await access.create(rotating())).outputs;
      await printed(() => access.delete(old));
      assert.deepEqual(live(), [made["accountId"]]);
    }
    assert.ok(!driver.rpcs().includes("revoke"));
  });
});
