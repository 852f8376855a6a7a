import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { DRIVER_NAME, type RunningDriver, Setting } from "./setting";

describe("what is taken over, at the S3 driver and a real store", function () {
  this.timeout(180_000);
  const buckets = new Lifecycle(bucketProvider);
  const accesses = new Lifecycle(accessProvider);
  let setting: Setting;
  let running: RunningDriver;

  before(async () => {
    setting = await Setting.start();
    running = await setting.startDriver();
  });
  beforeEach(beginRun);
  after(async () => {
    await closeConnections();
    await setting.stop();
  });

  /** Everything that the store tells of its buckets and users. */
  async function dump(bucket: string): Promise<unknown> {
    const { admin } = setting;
    const users = await admin.users();
    return {
      bucket: [await admin.bucketsNamed(bucket), await admin.settingsOf(bucket)],
      contents: [await admin.countContents(bucket), await admin.get(bucket, "photo")],
      users: await Promise.all(
        users.map(async (user) => [user, await admin.keysOf(user), await admin.tagsOfUser(user)]),
      ),
    };
  }

  it("is afterwards as it was before, through create, update, refresh and delete", async () => {
    const { admin } = setting;
    const name = admin.name();
    await admin.makeBucket(name, { team: "shop" });
    await admin.put(name, "photo", "of a cat");
    // Another tool has made the account.
    const { accountId, credentials } = await running.client.grant(name, `${name.slice(0, 50)}-old`);
    const keys = credentials.get("s3")?.secrets ?? assert.fail("the driver gives keys of S3");
    const before = await dump(name);

    const driver = driverReference(`unix://${running.socket}`, { driverName: DRIVER_NAME });
    const ofBucket = { driver, logicalName: "photos", existingBucketId: name };
    const bucket = (await buckets.create(ofBucket)).outputs;
    const ofAccess = (accessSecretKey: string | undefined): Properties => ({
      driver,
      logicalName: "photos-rw",
      bucketName: bucket["name"],
      bucketId: bucket["bucketId"],
      region: setting.store.region,
      endpoint: setting.store.endpoint,
      existingAccount: { accountId, accessKeyId: keys.get("accessKeyID"), accessSecretKey },
    });
    const access = (await accesses.create(ofAccess(keys.get("accessSecretKey")))).outputs;
    assert.deepEqual(await dump(name), before);

    beginRun();
    const updated = await accesses.update(access, ofAccess("renewed elsewhere"));
    await accesses.read(updated);
    await buckets.read(bucket);
    await buckets.update(bucket, ofBucket);
    assert.deepEqual(await dump(name), before);

    beginRun();
    await printed(async () => {
      await accesses.delete(updated);
      await buckets.delete(bucket);
    });
    assert.deepEqual(await dump(name), before);
    await running.client.revoke(name, accountId);
    await admin.remove(name, "photo");
    await admin.removeBucket(name);
  });
});
