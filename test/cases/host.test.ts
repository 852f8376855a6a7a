import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { answers, obligingDriver, paths, secretKey } from "../support/cosi-v1alpha1";
import type { FakeDriver } from "../support/fake-driver";
import type { Properties } from "../support/lifecycle";
import { FakeEngine, ProviderHost } from "../support/provider-host";
import { quickSettings } from "../support/settings";

const providerText = (file: string): string =>
  `exports.handler = () => require("pulumi-cosi/provider/${file}").provider;`;

/** What may be read of a resource, by its type. */
const declared = {
  Driver: declaredOutputs("driver-resource/driver.ts"),
  Bucket: declaredOutputs("bucket/bucket.ts"),
  BucketAccess: declaredOutputs("bucket-access/bucket-access.ts"),
};
const types = ["Driver", "Bucket", "BucketAccess"] as const;

describe("resources in Pulumi's own host", function () {
  this.timeout(60_000);
  let engine: FakeEngine;
  let host: ProviderHost;
  let driver: FakeDriver;

  before(async () => {
    engine = await new FakeEngine().start();
    host = await ProviderHost.start(engine);
    await host.configure({});
  });

  after(async () => {
    await host.kill();
    engine.kill();
  });

  beforeEach(async () => {
    driver = await obligingDriver().start();
  });
  afterEach(() => {
    driver.stop();
  });

  /** Driver, bucket and access as the engine creates them. */
  async function createAll(suffix: string) {
    const settings = {
      ...quickSettings(driver.endpoint),
      logicalName: `store-${suffix}`,
      __provider: providerText("driver-resource/provider"),
    };
    const store = await host.create((await host.check({}, settings)).inputs);
    const { driverName, seed } = store.outputs;
    const reference = { ...quickSettings(driver.endpoint), driverName, seed };
    const ofBucket: Properties = {
      driver: reference,
      logicalName: `photos-${suffix}`,
      deletionPolicy: "Delete",
      __provider: providerText("bucket/provider"),
    };
    const bucket = await host.create((await host.check({}, ofBucket)).inputs);
    const { bucketId, bucketInfo } = bucket.outputs;
    const ofAccess: Properties = {
      driver: reference,
      logicalName: `photos-rw-${suffix}`,
      bucketName: bucket.id,
      bucketId,
      bucketInfo,
      __provider: providerText("bucket-access/provider"),
    };
    const access = await host.create((await host.check({}, ofAccess)).inputs);
    return {
      Driver: { ...store, news: settings as Properties },
      Bucket: { ...bucket, news: ofBucket },
      BucketAccess: { ...access, news: ofAccess },
    };
  }

  it("a driver that leaves out whatever may be left out has its bucket and access created, and nothing is orphaned [CASE-U04]", async () => {
    const bare = { accessKeyID: "AKEXAMPLE", accessSecretKey: secretKey };
    driver
      .on(paths.create, () => Buffer.from("0a026231", "hex"))
      .on(paths.grant, () => answers.granted("u1", bare))
      .on(paths.revoke, () => Buffer.alloc(0))
      .on(paths.delete, () => Buffer.alloc(0));
    const all = await createAll("bare");
    assert.equal(all.Bucket.outputs["bucketInfo"], null);
    assert.deepEqual(
      [all.BucketAccess.outputs["endpoint"], all.BucketAccess.outputs["region"]],
      [null, null],
    );
    // What this process has made it keeps: the engine starts a host per run.
    await host.kill();
    host = await ProviderHost.start(engine);
    await host.configure({});
    for (const type of types.toReversed()) {
      await host.delete(all[type].id, all[type].outputs);
    }
    assert.deepEqual(driver.paths().slice(-2), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
  });

  it("every output that a class declares comes with a create, since a missing one would stay unknown for ever [CASE-U31]", async () => {
    const all = await createAll("whole");
    for (const type of types) {
      const missing = declared[type].filter((name) => all[type].outputs[name] === undefined);
      assert.deepEqual(missing, [], type);
    }
  });

  it("every output comes with an update too, since what is missing there is wiped [CASE-U31]", async () => {
    const all = await createAll("updated");
    const changes: Record<keyof typeof all, Properties> = {
      Driver: { callTimeoutSeconds: 7 },
      Bucket: { deletionPolicy: "Retain" },
      BucketAccess: { defaultRegion: "eu-2" },
    };
    for (const type of types) {
      const { id, outputs, news } = all[type];
      const { inputs } = await host.check(outputs, { ...news, ...changes[type] });
      assert.deepEqual(await host.diff(id, outputs, inputs), { changes: true, replaces: [] }, type);
      const updated = await host.update(id, outputs, inputs);
      for (const name of Object.keys(outputs)) assert.ok(name in updated, `${type} loses ${name}`);
      for (const name of declared[type]) assert.notEqual(updated[name], undefined, `${type} ${name}`);
    }
  });
});

/** What a resource's class declares as its outputs. */
function declaredOutputs(file: string): string[] {
  const source = fs.readFileSync(path.join(__dirname, "..", "..", "provider", file), "utf8");
  const names = [...source.matchAll(/^ {2}declare readonly (\w+): pulumi\.Output</gm)].map(
    ([, name]) => name ?? "",
  );
  assert.ok(names.length > 0, file);
  return names;
}
