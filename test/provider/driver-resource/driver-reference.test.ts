import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { closeConnections } from "../../../provider/driver/connections";
import { connectionSettingsOf, defaultWaits, type KeptSettings } from "../../../provider/driver/settings";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { forEachContract } from "../../support/contracts-under-test";
import { driverName } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const unknown = pulumi.runtime.unknownValue;
const other = { endpoint: "unix:///elsewhere.sock", seed: "fe".repeat(16) };

forEachContract("the reference to a driver", (contract) => {
  const { bucket, access, obligingDriver, driverReference, ids } = contract;
  const drivers = new Lifecycle(driverProvider);
  let driver: FakeDriver;
  let reference: Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    reference = { ...driverReference(driver.endpoint) };
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const resources = [
    ["a bucket", bucket, { logicalName: "photos" }],
    ["an access", access, { logicalName: "photos-rw", bucketName: "b1", bucketId: "b1" }],
  ] as const;
  /** What a plan says of a resource in the state whose driver has another reference now. */
  const planned = async (
    resource: Lifecycle,
    olds: Properties,
    given: object,
    changes: Properties,
  ): Promise<{ changes: unknown; replaces: unknown }> => {
    beginRun();
    return diffOf(resource, olds, given, changes);
  };
  const diffOf = async (
    resource: Lifecycle,
    olds: Properties,
    given: object,
    changes: Properties,
  ): Promise<{ changes: unknown; replaces: unknown }> => {
    const news = { ...given, driver: { ...reference, ...changes } };
    const { inputs, failures } = await resource.check(olds, news);
    assert.deepEqual(failures, []);
    const diff = await resource.diff(olds, inputs);
    return { changes: diff.changes, replaces: diff.replaces };
  };
  const replaced = { changes: true, replaces: ["driver"] };
  const updated = { changes: true, replaces: [] };
  const same = { changes: false, replaces: [] };
  const created = { driverName: unknown, seed: unknown, id: unknown };

  for (const [what, resource, given] of resources) {
    const make = async (): Promise<Properties> =>
      (await resource.create({ ...given, driver: { ...reference, id: "store" } })).outputs;

    it(`is in the state of ${what} without the id of the Driver, which tells nothing but what there is of it`, async () => {
      const olds = await make();
      assert.deepEqual(olds["driver"], reference);
      const { inputs } = await resource.check({}, { ...given, driver: { ...reference, ...created } });
      assert.equal("id" in (inputs["driver"] as Properties), false);
    });

    it(`shows in the preview that ${what} is replaced for a Driver that will be created elsewhere ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const olds = await make();
      const { endpoint } = other;
      const started = { endpoint: undefined, command: ["driver"], environment: { KEY: unknown } };
      for (const changes of [
        { ...created, endpoint },
        // The plugin tells no id.
        { ...created, id: undefined, endpoint },
        { ...created, endpoint, callTimeoutSeconds: unknown },
        { ...created, driverName: "other.example.com", endpoint: unknown },
        { ...created, ...started },
      ]) {
        assert.deepEqual(await planned(resource, olds, given, changes), replaced, JSON.stringify(changes));
      }
      // So it does where all is known.
      assert.deepEqual(await planned(resource, olds, given, other), replaced);
    });

    it(`shows no replacement of ${what} for a Driver that will be created at the same place, or nobody knows where`, async () => {
      const olds = await make();
      for (const changes of [
        created,
        { ...created, driverName },
        { ...created, endpoint: unknown },
        { ...created, endpoint: unknown, tls: unknown, command: unknown, environment: unknown },
      ]) {
        assert.deepEqual(await planned(resource, olds, given, changes), updated, JSON.stringify(changes));
      }
      // Nor where all is known.
      assert.deepEqual(await planned(resource, olds, given, { seed: other.seed }), updated);
    });

    it(`says nothing where the engine asks what goes with a Driver that it will replace, as ${what} does not`, async () => {
      const olds = await make();
      const { inputs } = await resource.check(olds, { ...given, driver: { ...reference, id: "store" } });
      const { changes, replaces } = await resource.diff(olds, { ...inputs, driver: unknown });
      assert.deepEqual({ changes, replaces }, updated);
    });

    it(`stays, in the preview, that of a Driver that is moved: an update of ${what} ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const olds = await make();
      const moved = { driverName: unknown, seed: unknown, id: "store", endpoint: other.endpoint };
      assert.deepEqual(await planned(resource, olds, given, moved), updated);
      assert.deepEqual(await planned(resource, olds, given, { ...moved, endpoint: unknown }), updated);
      assert.deepEqual(await planned(resource, olds, given, { ...moved, endpoint: driver.endpoint }), same);
    });

    it(`shows in the preview that ${what} is replaced for another Driver, which is updated in the same run ${ids("[GRPC-016]", "[DEP-018]")}`, async () => {
      const olds = await make();
      const state = (seed: unknown): Properties => ({
        ...reference,
        ...{ endpoint: other.endpoint, logicalName: "other", demandedDriverName: null },
        ...{ seed, schemaVersion: 1 },
      });
      const news = { ...reference, endpoint: "unix:///moved.sock", logicalName: "other" };
      const there = { driverName: unknown, seed: unknown, id: "other", endpoint: news.endpoint };

      beginRun();
      await drivers.diff(state(other.seed), news);
      assert.deepEqual(await diffOf(resource, olds, given, there), replaced);
      // Below several parents, several have one name.
      await drivers.diff(state("dc".repeat(16)), news);
      assert.deepEqual(await diffOf(resource, olds, given, there), replaced);
      await drivers.diff(state(reference["seed"]), news);
      assert.deepEqual(await diffOf(resource, olds, given, there), updated);
    });

    it(`means no change of ${what} by a wait that is the default, told or not, in the state or in the program`, async () => {
      const { contract: spoken, endpoint, seed } = reference;
      const short = { contract: spoken, endpoint, seed, driverName };
      const long = { ...short, ...defaultWaits };
      for (const [before, after] of [
        [long, short],
        [short, long],
        [short, { ...short, callTimeoutSeconds: 60 }],
      ]) {
        beginRun();
        const olds = (await resource.create({ ...given, driver: before })).outputs;
        beginRun();
        const { inputs } = await resource.check(olds, { ...given, driver: after });
        assert.deepEqual(await resource.diff(olds, inputs), same);
        beginRun();
        const slow = { ...given, driver: { ...short, callTimeoutSeconds: 61 } };
        assert.deepEqual(await resource.diff(olds, (await resource.check(olds, slow)).inputs), updated);
      }
    });

    it(`has the default wait for ${what} where the program says null, and nothing of it in the state`, async () => {
      const { contract: spoken, endpoint, seed } = reference;
      const short = { contract: spoken, endpoint, seed, driverName };
      const nulls = Object.fromEntries(
        [...Object.keys(defaultWaits), "tls", "command", "environment", "maxConcurrentCalls"].map((key) => [
          key,
          null,
        ]),
      );
      const { outputs } = await resource.create({ ...given, driver: { ...short, ...nulls } });
      assert.deepEqual(outputs["driver"], short);
    });
  }

  it("that an earlier release has kept with a wait of null has the default one", () => {
    const kept: Properties = { ...reference, callTimeoutSeconds: null, endpoint: null };
    const settings = connectionSettingsOf(kept as unknown as KeptSettings);
    assert.equal(settings.callTimeoutSeconds, defaultWaits.callTimeoutSeconds);
    assert.equal(settings.endpoint, undefined);
  });
});
