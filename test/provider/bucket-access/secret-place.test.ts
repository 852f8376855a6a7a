import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "../../../index";
import { provider } from "../../../provider/bucket-access/provider";
import type { AccessOutputs } from "../../../provider/bucket-access/state";
import { secretOutput } from "../../../provider/dynamic/values";
import { closeConnections } from "../../../provider/driver/connections";
import { answers, obligingDriver, paths } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { run } from "../../components/objectstorage/mocks";

const place = "https://s3.internal:9000";

describe("a place of the store that the program marked as secret", () => {
  const access = new Lifecycle(provider);
  let driver: FakeDriver;

  beforeEach(async () => {
    beginRun();
    const keys = { accessKeyID: "AKEXAMPLE", accessSecretKey: "s3cr3t" };
    driver = await obligingDriver()
      .on(paths.grant, () => answers.granted("account", keys))
      .start();
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const inputs = (changes: Properties = {}): Properties => ({
    driver: driverReference(driver.endpoint),
    logicalName: "photos-rw",
    bucketName: "b1",
    bucketId: "b1",
    defaultEndpoint: place,
    defaultRegion: "eu-9",
    ...changes,
  });

  for (const [mark, output, open] of [
    ["secretEndpoint", "endpoint", "region"],
    ["secretRegion", "region", "endpoint"],
  ] as const) {
    it(`is a secret output too, and the other is as it was: ${output}`, async () => {
      const { id, raw, outputs } = await access.create(inputs({ [mark]: true }));
      assert.deepEqual(raw[output], secretOutput(outputs[output]));
      assert.ok(typeof raw[open] === "string");
      const kept: object = outputs;
      const { props } = await provider.read(id, kept as AccessOutputs);
      assert.deepEqual(props?.[output], secretOutput(outputs[output]));
    });
  }

  it("that was none before is an update of the access, and no replacement", async () => {
    const { outputs } = await access.create(inputs());
    const { inputs: news } = await access.check(inputs(), inputs({ secretEndpoint: true }));
    const { changes, replaces } = await access.diff(outputs, news);
    assert.deepEqual([changes, replaces], [true, []]);
  });

  it("is told to the provider by the class", async () => {
    const registered = await run(() => {
      const store = new cosi.Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const bucket = new cosi.Bucket("photos", { driver: store });
      new cosi.BucketAccess("open", { bucket, endpoint: place, region: "eu-9" });
      new cosi.BucketAccess("hidden", { bucket, endpoint: pulumi.secret(place), region: "eu-9" });
    });
    const marks = ["open", "hidden"].map((name) => {
      const { inputs: given } = registered.find((one) => one.name === name) ?? assert.fail(`no ${name}`);
      return [given["secretEndpoint"], given["secretRegion"]];
    });
    assert.deepEqual(marks, [
      [undefined, undefined],
      [true, undefined],
    ]);
  });
});
