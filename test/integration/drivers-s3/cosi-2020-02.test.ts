import { status } from "@grpc/grpc-js";
import { ListObjectsV2Command, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import {
  AccessMode,
  S3SignatureVersion,
  type GrantBucketAccessResponse_ProtocolS3 as Account,
} from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import type { CallTarget } from "../../../provider/contracts/contract";
import { Connection } from "../../../provider/driver/connection";
import { refusal } from "../../drivers/s3/support/driver-client";
import { HandlersClient } from "../../drivers/s3/support/handlers-client";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { handlerSettings } from "../../support/cosi-2020-02";
import { DRIVER_NAME, type RunningDriver, Setting } from "./setting";

describe("cosi-2020-02 of the S3 driver at a real store", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: StoreAdmin;
  let running: RunningDriver;
  let client: HandlersClient;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    running = await setting.startDriver();
    client = new HandlersClient(running.socket);
  });

  after(async () => {
    client.close();
    await setting.stop();
  });

  const withKey = ({ AccessKeyId, SecretKey }: Pick<Account, "AccessKeyId" | "SecretKey">): S3Client =>
    admin.clientWith(AccessKeyId, SecretKey);
  const list = (s3: S3Client, bucket: string) => s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  const put = (s3: S3Client, bucket: string) =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key: "k", Body: "v" }));

  /** Creates a bucket. @returns its account. */
  async function create(bucket: string, fields?: Parameters<HandlersClient["create"]>[1]): Promise<Account> {
    const { Authentication, ...told } = await client.create(bucket, fields);
    const { region, endpoint } = setting.store;
    assert.deepEqual(told, { BucketName: bucket, Region: region, Endpoint: endpoint });
    assert.ok(Authentication !== undefined);
    assert.equal(Authentication.SignatureVersion, S3SignatureVersion.V4);
    return Authentication;
  }

  const usersOf = async (bucket: string): Promise<string[]> =>
    (await admin.users()).filter((user) => user.includes(`${bucket}-`));

  it("makes a bucket with an account, in a repeat the same with one live key, and deletes both", async () => {
    const bucket = admin.name();
    const region = setting.store.region;
    const first = await create(bucket, { DriverParameters: { region } });
    await put(withKey(first), bucket);
    const again = await create(bucket, { DriverParameters: { region } });
    assert.equal(again.UserName, first.UserName);
    assert.deepEqual(await admin.keysOf(first.UserName), [again.AccessKeyId]);
    await put(withKey(again), bucket);
    await assert.rejects(put(withKey(first), bucket));
    for (const changes of [
      { DriverParameters: { versioning: "true" } },
      { DriverParameters: { region }, AccessMode: AccessMode.RO },
    ]) {
      await refusal(client.create(bucket, changes), status.ALREADY_EXISTS);
    }

    const named = { BucketName: bucket, UserName: first.UserName, AccessKeyId: again.AccessKeyId };
    const full = await refusal(client.delete(named), status.FAILED_PRECONDITION);
    assert.match(full.details, /not empty/);
    // What keeps its bucket keeps its account.
    await put(withKey(again), bucket);
    await admin.remove(bucket, "k");
    await client.delete(named, { DriverParameters: { region } });
    assert.equal(await admin.bucketsNamed(bucket), 0);
    assert.deepEqual(await usersOf(bucket), []);
    await client.delete(named);
  });

  it("ends the account of a bucket by the bucket's name alone, and with it what a bucket that is gone has left", async () => {
    const [one, two] = [admin.name(), admin.name()];
    await create(one);
    await client.delete({ BucketName: one });
    assert.deepEqual([await admin.bucketsNamed(one), await usersOf(one)], [0, []]);
    await create(two);
    await admin.removeBucket(two);
    assert.equal((await usersOf(two)).length, 1);
    await client.delete({ BucketName: two });
    assert.deepEqual(await usersOf(two), []);
  });

  it("makes no bucket whose account is there for other terms", async () => {
    const bucket = admin.name();
    await create(bucket);
    await admin.removeBucket(bucket);
    await refusal(client.create(bucket, { AccessMode: AccessMode.RO }), status.ALREADY_EXISTS);
    assert.equal(await admin.bucketsNamed(bucket), 0);
    await client.delete({ BucketName: bucket });
  });

  it("finishes a create that ended between bucket and account", async () => {
    const bucket = admin.name();
    await running.client.create(bucket);
    await put(withKey(await create(bucket)), bucket);
    await admin.remove(bucket, "k");
    await client.delete({ BucketName: bucket });
  });

  it("keeps a bucket whose account is revoked, and gives it the account again", async () => {
    const bucket = admin.name();
    const account = await create(bucket, { DriverParameters: { emptyOnDelete: "true" } });
    await put(withKey(account), bucket);
    const named = { BucketName: bucket, UserName: account.UserName };
    await client.revoke(named, { DriverParameters: { emptyOnDelete: "true" } });
    await client.revoke(named);
    await assert.rejects(put(withKey(account), bucket));
    assert.deepEqual([await admin.bucketsNamed(bucket), await usersOf(bucket)], [1, []]);
    await put(withKey(await create(bucket, { DriverParameters: { emptyOnDelete: "true" } })), bucket);
    await client.delete(named);
    assert.deepEqual([await admin.bucketsNamed(bucket), await usersOf(bucket)], [0, []]);
  });

  it("grants another account with each call, and one to the repeats that say that they are such", async () => {
    const bucket = admin.name();
    await admin.makeBucket(bucket);
    const [one, two] = [await client.grant(bucket), await client.grant(bucket)];
    assert.notEqual(one.UserName, two.UserName);
    const request = { "pulumi-cosi-request": "00ff" };
    const first = await client.grant(bucket, {}, request);
    const again = await client.grant(bucket, {}, request);
    const other = await client.grant(bucket, {}, { "pulumi-cosi-request": "00fe" });
    assert.equal(again.UserName, first.UserName);
    assert.notEqual(other.UserName, first.UserName);
    assert.deepEqual(await admin.keysOf(first.UserName), [again.AccessKeyId]);
    await assert.rejects(put(withKey(first), bucket));
    for (const account of [one, two, again, other]) await put(withKey(account), bucket);

    await client.revoke({ BucketName: bucket, UserName: one.UserName });
    await assert.rejects(put(withKey(one), bucket));
    for (const account of [two, again, other]) await put(withKey(account), bucket);
    for (const { UserName } of [one, two, again, other]) {
      await client.revoke({ BucketName: bucket, UserName });
    }
    assert.deepEqual(await usersOf(bucket), []);
    const foreign = await refusal(client.delete({ BucketName: bucket }), status.FAILED_PRECONDITION);
    assert.match(foreign.details, /left alone/);
    await refusal(client.grant(admin.name()), status.NOT_FOUND);
  });

  it("leaves bucket and account alone where the account named is not that bucket's", async () => {
    const [mine, other] = [admin.name(), admin.name()];
    const account = await create(mine);
    const foreign = await create(other);
    for (const UserName of [foreign.UserName]) {
      const named = { BucketName: mine, UserName };
      await refusal(client.delete(named), status.FAILED_PRECONDITION);
      await refusal(client.revoke(named), status.FAILED_PRECONDITION);
    }
    await list(withKey(account), mine);
    await list(withKey(foreign), other);
    for (const BucketName of [mine, other]) await client.delete({ BucketName });
  });

  it("lets accounts of a create and of a grant do what their mode says", async () => {
    for (const [mode, reads, writes] of [
      [AccessMode.RO, true, false],
      [AccessMode.WO, false, true],
      [AccessMode.RW, true, true],
      [AccessMode.MODE_UNSPECIFIED, true, true],
    ] as const) {
      const bucket = admin.name();
      const created = await create(bucket, { AccessMode: mode });
      const granted = await client.grant(bucket, { AccessMode: mode });
      for (const account of [created, granted]) {
        const s3 = withKey(account);
        const outcomes = await Promise.allSettled([list(s3, bucket), put(s3, bucket)]);
        assert.deepEqual(
          outcomes.map((outcome) => outcome.status === "fulfilled"),
          [reads, writes],
          AccessMode[mode],
        );
      }
      await client.revoke({ BucketName: bucket, UserName: granted.UserName });
      await admin.remove(bucket, "k");
      await client.delete({ BucketName: bucket });
    }
  });

  it("carries the whole life of a bucket through the package's own caller, and is asked for its name by another contract", async () => {
    const connection = new Connection({
      ...handlerSettings(`unix://${running.socket}`),
      callTimeoutSeconds: 60,
      identityMethod: "/cosi.v1alpha1.Identity/DriverGetInfo",
    });
    const name = admin.name();
    const target: CallTarget = { bucket: name, subject: `bucket ${name}`, driverName: DRIVER_NAME };
    const owned = (owner: string, request: string): CallTarget => ({ ...target, owner, request });
    try {
      const asked = { name, parameters: {}, protocol: "S3", accessMode: "wo" } as const;
      const { reply: made } = await connection.client.createBucket(asked, owned("0a", "01"));
      await assert.rejects(
        connection.client.createBucket(asked, owned("0b", "02")),
        /ALREADY_EXISTS: .*another owner/,
      );
      const { issued, bucketId } = made;
      assert.ok(issued !== undefined);
      const { accessKeyId = "", secretKey = "" } = issued.values;
      await put(admin.clientWith(accessKeyId, secretKey), name);
      const grant = { bucketId, name: "a", authenticationType: "Key", parameters: {} } as const;
      const accountOf = async (request: string) =>
        (await connection.client.grantAccess(grant, owned("0a", request))).reply;
      const [first, again, other] = [await accountOf("03"), await accountOf("03"), await accountOf("04")];
      assert.equal(first.accountId, again.accountId);
      assert.notEqual(other.accountId, first.accountId);
      for (const { accountId, issued: [credential] = [] } of [again, other]) {
        assert.ok(credential !== undefined);
        const revoke = { bucketId, accountId, context: {}, issued: credential };
        await connection.client.revokeAccess(revoke, target);
      }
      await admin.remove(name, "k");
      await connection.client.deleteBucket({ bucketId, context: {}, issued, accessMode: "wo" }, target);
      assert.deepEqual([await admin.bucketsNamed(name), await usersOf(name)], [0, []]);
      const wrong = { ...target, driverName: "other.example.com" };
      await assert.rejects(connection.client.createBucket(asked, wrong), /calls itself/);
      assert.ok(!setting.logs().includes(secretKey));
    } finally {
      await connection.close();
    }
  });
});
