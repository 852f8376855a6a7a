import assert from "node:assert/strict";
import { DriverGrantBucketAccessResponse } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { obligingDriver, paths, s3Secrets, secretKey } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const token = "sv=2024&sig=t0ken";
const azure = { accessToken: token, expiryTs: "2027-01-02T03:04:05Z" };

describe("the credentials of a grant", () => {
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const ofIt = { driver: driverReference(driver.endpoint), bucketName: "b1", bucketId: "b1" };
    inputs = (changes = {}) => ({ ...ofIt, logicalName: "rw", ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  function grants(entries: Record<string, Record<string, string>>): void {
    const credentials = new Map(
      Object.entries(entries).map(([name, secrets]) => [name, { secrets: new Map(Object.entries(secrets)) }]),
    );
    driver.on(paths.grant, () =>
      DriverGrantBucketAccessResponse.encode({ accountId: "u", credentials }).finish(),
    );
  }

  async function refusal(changes: Properties): Promise<string> {
    try {
      await access.create(inputs(changes));
    } catch (error) {
      const text = String(error);
      for (const value of [secretKey, token, "AKEXAMPLE"]) assert.ok(!text.includes(value), text);
      return text;
    }
    throw new Error("nothing was refused");
  }

  it("are those of the wanted protocol among several entries [GRPC-126]", async () => {
    grants({ s3: s3Secrets(), azure, foo: { bar: secretKey } });
    const s3 = (await access.create(inputs({ protocol: "S3" }))).outputs;
    assert.deepEqual([s3["accessKeyId"], s3["accessToken"]], ["AKEXAMPLE", null]);
    const blob = (await access.create(inputs({ protocol: "Azure" }))).outputs;
    assert.deepEqual([blob["accessKeyId"], blob["accessToken"]], [null, token]);
    assert.equal(blob["expiry"], azure.expiryTs);
  });

  it("are refused with the entries found where none fits, and no value; the account is revoked [GRPC-126]", async () => {
    for (const [entries, changes, text] of [
      [{ s3: s3Secrets(), azure }, { protocol: "GCS" }, /no credentials for GCS; its entries: "s3", "azure"/],
      [{ foo: { "a b": secretKey } }, {}, /the driver gave: "foo"/],
      [{ azure }, { protocol: "S3" }, /no credentials for S3; its entries: "azure"/],
      [{ s3: s3Secrets(), azure }, {}, /exactly one of the entries .* the driver gave: "s3", "azure"/],
    ] as const) {
      grants(entries);
      const before = driver.bodies("DriverRevokeBucketAccess").length;
      assert.match(await refusal(changes), text);
      assert.equal(driver.bodies("DriverRevokeBucketAccess").length, before + 1);
    }
  });

  it("of Azure have no expiry where the driver tells none that can be read [GRPC-126]", async () => {
    for (const expiryTs of [undefined, "", "next week"]) {
      grants({ azure: { accessToken: token, ...(expiryTs === undefined ? {} : { expiryTs }) } });
      await printed(async () => {
        const { outputs } = await access.create(inputs());
        assert.deepEqual([outputs["accessToken"], outputs["expiry"]], [token, null]);
      });
    }
  });

  it("may have any key, which is refused only as the key of a Secret [GRPC-126]", async () => {
    const odd = { ...s3Secrets(), "a b": secretKey };
    grants({ s3: odd });
    const { outputs } = await access.create(inputs());
    assert.deepEqual((outputs["granted"] as { secrets: Properties }).secrets, odd);

    const secret = new Lifecycle(secretProvider);
    const owner = { apiVersion: "v1", kind: "BucketAccess", name: "rw", uid: "1" };
    const { failures } = await secret.check({}, { namespace: "shop", name: "creds", owner, data: odd });
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? "", /^data has the key "a b"/);
    assert.ok(!failures.join().includes(secretKey));
    const passed = await secret.check({}, { namespace: "shop", name: "creds", owner, data: s3Secrets() });
    assert.deepEqual(passed.failures, []);
  });

  it("are asked for by a type in any spelling, with a warning in the run that grants", async () => {
    grants({ s3: s3Secrets() });
    const news = inputs({ logicalName: "spelled", authenticationType: "KEY" });
    let outputs: Properties = {};
    const lines = await printed(async () => ({ outputs } = await access.create(news)));
    assert.deepEqual(lines, ['warning: access spelled: authenticationType "KEY" is taken as "Key"']);
    assert.equal(outputs["authenticationType"], "Key");
    assert.deepEqual(await printed(() => access.check(outputs, news)), []);
  });
});
