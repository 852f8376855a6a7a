import assert from "node:assert/strict";
import { addressOutput } from "../../../provider/credentials/address-output";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import type { AccessOutputs } from "../../../provider/bucket-access/state";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { secretMask } from "../../../provider/driver/secrets/secret-mask";
import { holdsSecret, isSecretOutput, secretOutput } from "../../../provider/dynamic/values";
import { accessRequestOutputs } from "../../../provider/models/cosi-2020-07/access-request-state";
import { controllerReference, obligingController, paths as julyPaths } from "../../support/cosi-2020-07";
import { answers, obligingDriver, paths, s3Secrets } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { message } from "../../support/protobuf";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const password = "hunter2hunter2";
const open = "https://store.example.com:9000";
const signed = `https://store.example.com/c?sv=2024&sig=${password}`;
const addresses: readonly string[] = [
  signed,
  `https://app:${password}@store.example.com`,
  `app:${password}@store.example.com:9000`,
];

/** What everybody can read of a state. */
function plainIn(state: Properties): string {
  return JSON.stringify(state, (_key, part: unknown) => (isSecretOutput(part) ? "[secret]" : part));
}

describe("an address as an output", () => {
  const access = new Lifecycle(accessProvider);
  const bucket = new Lifecycle(bucketProvider);
  let driver: FakeDriver | undefined;

  beforeEach(() => {
    beginRun();
  });

  afterEach(async () => {
    await closeConnections();
    driver?.stop();
    driver = undefined;
  });

  it("is secret where something in it opens the door, at any depth, and plain else [GRPC-084]", () => {
    for (const address of addresses) {
      for (const value of [address, { a: open, b: { c: address } }, [address]]) {
        assert.deepEqual(addressOutput(value), secretOutput(value));
      }
    }
    for (const value of [null, open, { a: open, b: null }, [open]]) {
      assert.equal(addressOutput(value), value);
    }
  });

  for (const [what, endpoint, isSecret] of [
    ["without a password in plain sight", open, false],
    ["with a signature secret", signed, true],
  ] as const) {
    it(`of an access is kept ${what}, also after a refresh [GRPC-084]`, async () => {
      driver = await obligingDriver()
        .on(paths.grant, () => answers.granted("account", { ...s3Secrets(), endpoint }))
        .start();
      const inputs = { driver: driverReference(driver.endpoint), bucketName: "b1", bucketId: "b1" };
      const { raw, outputs, id } = await access.create({ ...inputs, logicalName: "rw" });
      const kept: object = outputs;
      const read = await accessProvider.read(id, kept as AccessOutputs);
      for (const state of [raw, { ...read.props }]) {
        assert.deepEqual(state["endpoint"], isSecret ? secretOutput(endpoint) : endpoint);
        assert.ok(!plainIn(state).includes(password));
      }
    });

    it(`that the program fills in is kept ${what} [GRPC-084]`, async () => {
      const keys = { accessKeyID: "AKEXAMPLE", accessSecretKey: "s3cr3t" };
      driver = await obligingDriver()
        .on(paths.grant, () => answers.granted("account", keys))
        .start();
      const inputs = { driver: driverReference(driver.endpoint), bucketName: "b1", bucketId: "b1" };
      const { raw } = await access.create({ ...inputs, logicalName: "rw", defaultEndpoint: endpoint });
      assert.deepEqual(raw["endpoint"], isSecret ? secretOutput(endpoint) : endpoint);
    });

    it(`in what a driver tells of a bucket is kept ${what}, by the bucket and its accesses [GRPC-084] [K07-121]`, async () => {
      const context = message([4, message([1, { endpoint }])]);
      driver = await obligingController()
        .on(julyPaths.create, () =>
          message([
            1,
            message([1, "photos"], [2, context], [3, controllerReference("unix:///x.sock").driverName]),
          ]),
        )
        .start();
      const reference = controllerReference(driver.endpoint);
      const { raw, outputs } = await bucket.create({
        driver: reference,
        logicalName: "photos",
        name: "photos",
      });
      const { bucketInfo, bucketId } = outputs;
      assert.ok(JSON.stringify(bucketInfo).includes(endpoint), "the bucket keeps it");
      const { raw: granted } = await access.create({
        driver: reference,
        logicalName: "rw",
        bucketName: "photos",
        bucketId,
        bucketInfo,
      });
      for (const state of [raw, granted]) {
        assert.deepEqual(state["bucketInfo"], isSecret ? secretOutput(bucketInfo) : bucketInfo);
        assert.ok(!plainIn(state).includes(password));
      }
      const masked = isSecret ? "https://store.example.com/c?sv=2024&sig=[secret]" : open;
      assert.equal(secretMask.apply(endpoint), masked);
    });

    it(`in a Bucket of the cluster is kept ${what} [K07-121]`, () => {
      const { protocolFields, bucketInfo } = accessRequestOutputs({
        owner: "o",
        resource: "r",
        model: "m",
        request: { namespace: "shop", name: "web", uid: "u" },
        bucketInstance: "b",
        bucketResource: "b",
        bucketId: "b",
        bucketInfo: {
          protocol: "S3",
          region: "",
          signatureVersion: null,
          providerContext: { kind: "generic", bucketData: { endpoint } },
        },
        protocolFields: { endpoint },
        accessUid: "u",
      });
      assert.deepEqual([protocolFields, bucketInfo].map(holdsSecret), [isSecret, isSecret]);
    });
  }
});
