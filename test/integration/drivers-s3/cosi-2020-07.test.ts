import { status } from "@grpc/grpc-js";
import { ListObjectsV2Command, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import type { GrantBucketAccessResponse } from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { ControllerClient } from "../../drivers/s3/support/controller-client";
import { refusal } from "../../drivers/s3/support/driver-client";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { controllerSettings } from "../../support/cosi-2020-07";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { DRIVER_NAME, Setting } from "./setting";

describe("cosi-2020-07 of the S3 driver at a real store", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: StoreAdmin;
  let socket: string;
  let client: ControllerClient;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    ({ socket } = await setting.startDriver());
    client = new ControllerClient(socket);
  });

  after(async () => {
    client.close();
    await closeConnections();
    await setting.stop();
  });

  /** The keys of a grant, as a client that uses them. */
  function clientOf({ creds }: GrantBucketAccessResponse): { keyId: string; s3: S3Client } {
    const [only] = creds;
    const found = only?.credentials;
    assert.ok(creds.length === 1 && found?.$case === "genericCredentials");
    const values = found.value.credentials;
    assert.deepEqual([...values.keys()].sort(), ["accessKeyID", "accessSecretKey", "endpoint", "region"]);
    const keyId = values.get("accessKeyID") ?? "";
    return { keyId, s3: admin.clientWith(keyId, values.get("accessSecretKey") ?? "") };
  }

  const list = (s3: S3Client, bucket: string) => s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  const put = (s3: S3Client, bucket: string) =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key: "k", Body: "v" }));
  const named = (access: string, more: Record<string, string> = {}) => ({
    permissions: { ...more, "cosi.io/bucket-access": access },
  });

  it("carries a whole life of Driver, Bucket and BucketAccess, and is asked for its name by its other contract", async () => {
    beginRun();
    const driverName = `tests/${DRIVER_NAME}`;
    const settings = {
      ...controllerSettings(`unix://${socket}`),
      callTimeoutSeconds: 60,
      retryBudgetSeconds: 60,
      identityMethod: "/cosi.v1alpha1.Identity/DriverGetInfo",
    };
    const made = await new Lifecycle(driverProvider).create({
      ...settings,
      driverName,
      logicalName: "store",
    });
    const driver = { ...settings, driverName, seed: made.outputs["seed"] };
    const bucket = new Lifecycle(bucketProvider);
    const access = new Lifecycle(accessProvider);
    const name = admin.name();
    const { outputs } = await bucket.create({ driver, logicalName: name, name, deletionPolicy: "Delete" });
    assert.equal(await admin.bucketsNamed(name), 1);
    const bucketOf: Properties = { bucketName: name, bucketId: name, bucketInfo: outputs["bucketInfo"] };
    const granted = await access.create({ driver, logicalName: "web", ...bucketOf });
    const { accessKeyId, accessSecretKey, region } = granted.outputs;
    assert.equal(region, setting.store.region);
    const s3 = admin.clientWith(String(accessKeyId), String(accessSecretKey));
    await put(s3, name);
    await admin.remove(name, "k");

    beginRun();
    await access.delete(granted.outputs);
    await assert.rejects(list(s3, name));
    await bucket.delete(outputs);
    assert.equal(await admin.bucketsNamed(name), 0);
    const { driverName: other, ...rest } = { ...driver, driverName: "tests/other.example.com" };
    const wrong = { ...rest, driverName: other };
    await assert.rejects(
      bucket.create({ driver: wrong, logicalName: "no", name: admin.name() }),
      /calls itself/,
    );
  });

  it("does the same for the same call, and tells accesses of one name to two buckets apart", async () => {
    const [one, two] = [admin.name(), admin.name()];
    for (const bucket of [one, two, one]) {
      await client.create(bucket, { driverParameters: { location: setting.store.region } });
    }
    const other = client.create(one, { driverParameters: { versioning: "true" } });
    assert.match((await refusal(other, status.ALREADY_EXISTS)).details, /^CREATE_ALREADY_EXISTS: /);
    const first = clientOf(await client.grant(one, named("bucketaccess-web-team-a")));
    const again = clientOf(await client.grant(one, named("bucketaccess-web-team-a")));
    const second = clientOf(await client.grant(two, named("bucketaccess-web-team-a")));
    await put(again.s3, one);
    await put(second.s3, two);
    await assert.rejects(put(first.s3, one));
    await assert.rejects(put(second.s3, one));

    await client.revoke(one, named("bucketaccess-web-team-a"));
    await client.revoke(one, named("bucketaccess-web-team-a"));
    await assert.rejects(put(again.s3, one));
    await put(second.s3, two);
    const full = await refusal(client.delete(two), status.FAILED_PRECONDITION);
    assert.match(full.details, /not empty/);
    await client.revoke(two, named("bucketaccess-web-team-a"));
    for (const bucket of [one, two]) {
      await admin.remove(bucket, "k");
      await client.delete(bucket);
      await client.delete(bucket);
    }
  });

  it("lets an account do what its policy actions say", async () => {
    const bucket = admin.name();
    await client.create(bucket);
    for (const [actions, reads, writes] of [
      [{ allow: "*" }, true, true],
      [{ allow: "read,write", deny: "write" }, true, false],
      [{ deny: "read" }, false, true],
    ] as const) {
      const access = `a-${Object.values(actions)
        .join("-")
        .replaceAll(/[^a-z]+/g, "-")}x`;
      const { s3 } = clientOf(await client.grant(bucket, named(access, actions)));
      const outcomes = await Promise.allSettled([list(s3, bucket), put(s3, bucket)]);
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status === "fulfilled"),
        [reads, writes],
        JSON.stringify(actions),
      );
      await client.revoke(bucket, named(access, actions));
    }
    await admin.remove(bucket, "k");
    await client.delete(bucket);
  });

  it("logs in with the keys that come with a call, and with its own without them", async () => {
    const { accessKeyId, secretAccessKey } = setting.store;
    const right = { AccessKeyId: accessKeyId, SecretKey: secretAccessKey, UserName: "admin" };
    const wrong = { AccessKeyId: "AKNOBODY", SecretKey: "nobody" };
    const bucket = admin.name();
    const refused = client.create(bucket, { secrets: wrong });
    await assert.rejects(refused, /CREATE_INVALID_CREDENTIALS: cannot create bucket/);
    assert.equal(await admin.bucketsNamed(bucket), 0);
    await client.create(bucket, { secrets: right });
    await assert.rejects(
      client.grant(bucket, { ...named("a"), secrets: wrong }),
      /GRANT_INVALID_CREDENTIALS/,
    );
    clientOf(await client.grant(bucket, { ...named("a"), secrets: right }));
    await client.revoke(bucket, named("a"));
    await assert.rejects(client.delete(bucket, { secrets: wrong }), /DELETE_INVALID_CREDENTIALS/);
    await client.delete(bucket, { secrets: right });
    assert.equal(await admin.bucketsNamed(bucket), 0);
    assert.ok(!setting.logs().includes(secretAccessKey));
  });
});
