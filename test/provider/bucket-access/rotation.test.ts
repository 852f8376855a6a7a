import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { planRotation, rotatedName } from "../../../provider/bucket-access/rotation";
import { closeConnections } from "../../../provider/driver/connections";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { answers } from "../../support/cosi-v1alpha1";
import { sameValue } from "../../../provider/dynamic/values";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StoringDriver } from "../../support/workflows/storing-driver";

const unknown = pulumi.runtime.unknownValue;

describe("the rotation of an access", () => {
  const access = new Lifecycle(accessProvider);
  let driver: StoringDriver;
  let inputs: (rotation?: unknown, changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await new StoringDriver().start();
    const reference = driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.5 });
    inputs = (rotation, changes = {}) => ({
      driver: reference,
      logicalName: "photos-rw",
      bucketName: "photos-1",
      bucketId: "b1",
      ...(rotation === undefined ? {} : { rotation }),
      ...changes,
    });
    await new Lifecycle(bucketProvider).create({
      driver: reference,
      logicalName: "b1",
      name: "b1",
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** The beginning of the next run of a program; what it creates then asks `check` a second time, without the state. */
  const nextRun = async (state: Properties, news: Properties) => {
    beginRun();
    return access.diff(state, (await access.check(state, news)).inputs);
  };

  it("is a replacement whose old account goes last, with the trigger as its reason", async () => {
    const old = (await access.create(inputs({ trigger: "1" }))).outputs;
    const diff = await nextRun(old, inputs({ trigger: "2" }));
    assert.deepEqual(diff, { changes: true, replaces: ["rotation"], deleteBeforeReplace: false });

    const made = (await access.create(inputs({ trigger: "2" }))).outputs;
    assert.notEqual(made["name"], old["name"]);
    assert.notEqual(made["accountId"], old["accountId"]);
    assert.notEqual(made["checksum"], old["checksum"]);
    assert.equal(driver.liveKeys().length, 2, "both work until the end of the run");
    assert.ok(Date.parse(String(made["grantedAt"])) >= Date.parse(String(old["grantedAt"])));

    await access.delete(old);
    assert.deepEqual([...driver.accounts.keys()], [made["accountId"]]);
    const again = await nextRun(made, inputs({ trigger: "2" }));
    assert.deepEqual(again, { changes: false, replaces: [] });
  });

  it("asks for the same account again after a run that was killed, whatever the trigger is by then", async () => {
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    await nextRun(old, inputs({ trigger: 2 }));
    await access.create(inputs({ trigger: 2 }));
    await nextRun(old, inputs({ trigger: 3 }));
    const made = (await access.create(inputs({ trigger: 3 }))).outputs;
    assert.equal(driver.accounts.size, 2);
    await access.delete(old);
    assert.deepEqual([...driver.accounts.keys()], [made["accountId"]]);
  });

  it("takes over the account of a killed run whose trigger was taken back, once there is another trigger", async () => {
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    await nextRun(old, inputs({ trigger: 2 }));
    const { outputs: unknownToState } = await access.create(inputs({ trigger: 2 }));
    assert.deepEqual(await nextRun(old, inputs({ trigger: 1 })), { changes: false, replaces: [] });
    await nextRun(old, inputs({ trigger: 3 }));
    const made = (await access.create(inputs({ trigger: 3 }))).outputs;
    await access.delete(old);
    assert.equal(made["name"], unknownToState["name"]);
    assert.match(String(made["name"]), new RegExp(`^${String(old["name"])}-r1-[0-9a-f]{6}$`));
    assert.deepEqual([...driver.accounts.keys()], [made["accountId"]]);
  });

  it("begins with the first trigger that an access is given, and ends with none", async () => {
    const old = (await access.create(inputs())).outputs;
    const diff = await nextRun(old, inputs({ trigger: true }));
    assert.deepEqual(diff.replaces, ["rotation"]);
    const made = (await access.create(inputs({ trigger: true }))).outputs;

    const without = await nextRun(made, inputs());
    assert.deepEqual(without, { changes: false, replaces: [] }, "the account stays");
    const back = await nextRun(made, inputs({ trigger: true }));
    assert.deepEqual(back.replaces, []);
  });

  it("makes a name of its own for every account, under a computed name and a user's, of at most 63 characters", async () => {
    for (const name of [undefined, "reader", "r".repeat(63)]) {
      const changes = name === undefined ? {} : { name };
      const names = new Set<unknown>();
      let { outputs } = await access.create(inputs({ trigger: 0 }, changes));
      names.add(outputs["name"]);
      for (const trigger of [1, 2, 3]) {
        await nextRun(outputs, inputs({ trigger }, changes));
        outputs = (await access.create(inputs({ trigger }, changes))).outputs;
        names.add(outputs["name"]);
        assert.match(String(outputs["name"]), /^[A-Za-z0-9][A-Za-z0-9.-]{0,61}[A-Za-z0-9]$/);
      }
      assert.equal(names.size, 4);
    }
  });

  it("revokes first where the bucket changes too, as then the old access is of no use", async () => {
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    const diff = await nextRun(old, inputs({ trigger: 2 }, { bucketName: "photos-2", bucketId: "b2" }));
    assert.deepEqual(diff, { changes: true, replaces: ["bucketName"], deleteBeforeReplace: true });
  });

  it("keeps both in the state while the new grant has no known outcome, and finishes it later", async () => {
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    const back = driver.on("received", () => Promise.resolve({ code: status.UNAVAILABLE, message: "down" }));
    await nextRun(old, inputs({ trigger: 2 }));
    const failed = await failedResource(access.create(inputs({ trigger: 2 })));
    assert.equal(failed.properties["accountId"], null);
    back();
    beginRun();
    const made = await access.update(wire(failed.properties), inputs({ trigger: 2 }));
    await access.delete(old);
    assert.deepEqual([...driver.accounts.keys()], [made["accountId"]]);
  });

  it("is told, and revokes nothing, where the driver gives every access the same account", async () => {
    driver.accountIdOf = () => "the-only-one";
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    await nextRun(old, inputs({ trigger: 2 }));
    const warnings = await printed(async () => {
      await access.create(inputs({ trigger: 2 }));
      await access.delete(old);
    });
    assert.match(warnings.join(), /gives every access the account the-only-one: nothing was rotated/);
    assert.ok(!driver.rpcs().includes("revoke"));
  });

  it("revokes no account that the driver gives to old and new, when what it gives with it cannot be used", async () => {
    driver.accountIdOf = () => "the-only-one";
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    await nextRun(old, inputs({ trigger: 2 }));
    const half = answers.granted("the-only-one", { accessKeyID: "AK" });
    const off = driver.on("done", ({ rpc }) => Promise.resolve(rpc === "grant" ? half : undefined));
    await assert.rejects(access.create(inputs({ trigger: 2 })), /also belongs to another access/);
    off();
    assert.ok(driver.accounts.has("the-only-one"));
  });

  it("shows no key of the account in use in what the driver says of the new one", async () => {
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    secretMask.clear();
    await nextRun(old, inputs({ trigger: 2 }));
    const said = `login as ${String(old["accessKeyId"])}:${String(old["accessSecretKey"])}`;
    driver.refuse("grant", { code: status.PERMISSION_DENIED, message: said });
    await assert.rejects(access.create(inputs({ trigger: 2 })), (error: unknown) => {
      assert.match(String(error), /login as \[secret\]/);
      assert.ok(!String(error).includes(String(old["accessSecretKey"])));
      return true;
    });
  });

  it("has no trigger where the program gives null, and is none then", async () => {
    const old = (await access.create(inputs({ trigger: null }))).outputs;
    assert.deepEqual(await nextRun(old, inputs({})), { changes: false, replaces: [] });
    const made = (await access.create(inputs({ trigger: 1 }, { logicalName: "other" }))).outputs;
    const back = await nextRun(made, inputs({ trigger: null }, { logicalName: "other" }));
    assert.deepEqual(back.replaces, []);
  });

  it("fails no preview while trigger or schedule are not known", async () => {
    const old = (await access.create(inputs({ trigger: 1 }))).outputs;
    for (const rotation of [unknown, { trigger: unknown }, { trigger: 1, everyDays: unknown }]) {
      const diff = await nextRun(old, inputs(rotation));
      assert.deepEqual(diff, { changes: true, replaces: [] });
      assert.deepEqual((await access.check({}, inputs(rotation))).failures, []);
    }
  });

  it("is refused in the preview with a trigger or an age that is none", async () => {
    const failuresOf = async (rotation: unknown) =>
      (await access.check({}, inputs(rotation))).failures.join();
    assert.match(
      await failuresOf({ trigger: {} }),
      /rotation has a trigger that is an object: give a string/,
    );
    assert.match(await failuresOf({ everyDays: "30" }), /rotation.everyDays is a text, and must be a number/);
    for (const everyDays of [0, -1, Number.NaN]) {
      assert.match(
        await failuresOf({ everyDays }),
        /rotation has everyDays .*: give a number of days above 0/,
      );
    }
  });

  describe("by age", () => {
    const start = new Date("2026-01-01T00:00:00Z");
    const after = (days: number) => new Date(start.getTime() + days * 86_400_000);
    const known = (rotation: ReturnType<typeof planRotation>) => {
      assert.ok(rotation !== undefined);
      return { rotation: { ...rotation, firstName: "a" } };
    };

    it("comes when the days are over, once, and counts anew from then", () => {
      const schedule = { everyDays: 30 };
      const first = planRotation(undefined, schedule, start);
      assert.deepEqual(first, { everyDays: 30, generation: 0, since: start.toISOString() });
      assert.ok(sameValue(planRotation(known(first), schedule, after(29.9)), first));
      const second = planRotation(known(first), schedule, after(31));
      assert.deepEqual(second, { everyDays: 30, generation: 1, since: after(31).toISOString() });
      assert.equal(planRotation(known(second), schedule, after(60))?.generation, 1);
      assert.equal(planRotation(known(second), schedule, after(61))?.generation, 2);
    });

    it("begins to count when it is first given", () => {
      const given = planRotation({}, { everyDays: 1 }, start);
      assert.deepEqual(given, { everyDays: 1, generation: 0, since: start.toISOString() });
    });

    it("takes a shorter one into account at once, and none no longer", () => {
      const first = known(planRotation(undefined, { everyDays: 90 }, start));
      assert.equal(planRotation(first, { everyDays: 30 }, after(40))?.generation, 1);
      assert.deepEqual(planRotation(first, undefined, after(400)), {
        generation: 0,
        since: start.toISOString(),
        firstName: "a",
      });
    });
  });

  it("never makes one name of two", () => {
    const names = ["a", "a-r1", "a.", "b".repeat(63), `${"b".repeat(62)}c`].flatMap((name) =>
      [0, 1, 2, 10, 100].map((generation) => rotatedName(name, generation)),
    );
    assert.equal(new Set(names).size, names.length);
  });
});
