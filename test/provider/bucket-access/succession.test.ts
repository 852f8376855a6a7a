import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { answers, s3Secrets } from "../../support/cosi-v1alpha1";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StoringDriver } from "../../support/workflows/storing-driver";

const down = { code: status.UNAVAILABLE, message: "down" };

describe("the account that gives way in a rotation", () => {
  const access = new Lifecycle(accessProvider);
  let driver: StoringDriver;
  let old: Properties;

  const inputs = (trigger: number, changes: Properties = {}): Properties => ({
    driver: driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.2 }),
    logicalName: "photos-rw",
    bucketName: "photos-1",
    bucketId: "b1",
    rotation: { trigger },
    ...changes,
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StoringDriver().start();
    old = (await access.create(inputs(1))).outputs;
    driver.forget();
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** The next run of a program, up to the moment at which the engine decides. */
  const nextRun = async (state: Properties, news: Properties) => {
    beginRun();
    return access.diff(state, (await access.check(state, news)).inputs);
  };
  /** A rotation whose grant has no known outcome. */
  const failedRotation = async (): Promise<Properties> => {
    const back = driver.on("received", () => Promise.resolve(down));
    await nextRun(old, inputs(2));
    const failed = wire((await failedResource(access.create(inputs(2)))).properties);
    back();
    return failed;
  };
  const live = () => [...driver.accounts.keys()];

  describe("while its successor is not granted, as with --continue-on-error", () => {
    const stays = new RegExp(
      "was not revoked, and still works: .*-r1-.*, .*not granted in this run.*Next: run pulumi up",
    );

    it("is not revoked in the run of the rotation, and is by the up that grants", async () => {
      const failed = await failedRotation();
      await assert.rejects(access.delete(old), stays);
      assert.deepEqual(live(), [old["accountId"]]);

      await nextRun(failed, inputs(2));
      const made = await access.update(failed, inputs(2));
      await access.delete(old);
      assert.deepEqual(live(), [made["accountId"]]);
    });

    it("is not revoked by a later up that fails again, before the grant or in it", async () => {
      const failed = await failedRotation();
      await nextRun(failed, inputs(2));
      await assert.rejects(access.delete(old), stays);
      const back = driver.on("received", () => Promise.resolve(down));
      await failedResource(access.update(failed, inputs(2)));
      back();
      await assert.rejects(access.delete(old), stays);
      assert.deepEqual(live(), [old["accountId"]]);
    });

    it("is revoked by a destroy, also one that refreshes first", async () => {
      const failed = await failedRotation();
      beginRun();
      await access.diff((await access.read(failed)).outputs, failed);
      await access.delete(old);
      await access.delete(failed);
      assert.deepEqual(live(), []);
    });

    it("is revoked where its access has left the program, and where it ends first by another change", async () => {
      beginRun();
      await access.delete(old);
      assert.deepEqual(live(), []);
      beginRun();
      old = (await access.create(inputs(1))).outputs;
      const changed = inputs(1, { parameters: { accessMode: "ro" } });
      assert.deepEqual((await nextRun(old, changed)).replaces, ["parameters"]);
      await access.delete(old);
      assert.deepEqual(live(), []);
    });
  });

  describe("at a driver that gives all accounts the same credentials", () => {
    const credentials = { ...s3Secrets(), accessKeyID: "AKSHARED" };
    beforeEach(async () => {
      driver.on("done", ({ rpc, request }) =>
        Promise.resolve(rpc === "grant" ? answers.granted(request.name, credentials) : undefined),
      );
      beginRun();
      old = (await access.create(inputs(1, { logicalName: "shared" }))).outputs;
      driver.forget();
    });
    const shared = (trigger: number) => inputs(trigger, { logicalName: "shared" });

    it("is not revoked, as that could end what is in use, and a warning says so and what to do", async () => {
      await nextRun(old, shared(2));
      const made = (await access.create(shared(2))).outputs;
      const lines = await printed(() => access.delete(old));
      assert.deepEqual(driver.rpcs(), ["grant"]);
      assert.match(
        lines.join("\n"),
        /^warning: access shared-\w+: .* the same credentials, so nothing was rotated, .*Next: remove it there once nothing uses/m,
      );
      assert.ok(!lines.join("\n").includes("AKSHARED"));

      // Nor by the next run, where this one was killed before the state.
      await nextRun(made, shared(2));
      await printed(() => access.delete(old));
      assert.deepEqual(driver.rpcs(), ["grant"]);
    });

    it("is revoked by a destroy", async () => {
      beginRun();
      await access.delete(old);
      assert.deepEqual(driver.rpcs(), ["revoke"]);
    });
  });

  describe("whose revoke is answered with NOT_FOUND", () => {
    const gone = { code: status.NOT_FOUND, message: "no such user" };
    const rotated = async (): Promise<Properties> => {
      await nextRun(old, inputs(2));
      return (await access.create(inputs(2))).outputs;
    };

    it("is done once the program says revokeNotFound: ignore, which the entry does not, and not before", async () => {
      const made = await rotated();
      driver.refuse("revoke", gone);
      await assert.rejects(
        access.delete(old),
        /set revokeNotFound to "ignore", or PULUMI_COSI_REVOKE_NOT_FOUND=ignore for one command\.$/,
      );
      await nextRun(made, inputs(2, { revokeNotFound: "ignore" }));
      driver.refuse("revoke", gone);
      const lines = await printed(() => access.delete(old));
      assert.match(
        lines.join("\n"),
        /the driver says NOT_FOUND to the revoke, which counts as done as you asked/,
      );
    });

    it("is an error again once the program no longer says so, though the entry does", async () => {
      const made = await rotated();
      await nextRun(made, inputs(2));
      driver.refuse("revoke", gone);
      await assert.rejects(access.delete({ ...old, revokeNotFound: "ignore" }), /no such user/);
    });

    it("is told the variable alone where its access has left a program that has others", async () => {
      beginRun();
      await access.check({}, inputs(1, { logicalName: "another" }));
      driver.refuse("revoke", gone);
      await assert.rejects(
        access.delete(old),
        /is gone, set PULUMI_COSI_REVOKE_NOT_FOUND=ignore for one command\.$/,
      );
    });
  });
});
