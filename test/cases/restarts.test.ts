import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as net from "node:net";
import { DriverCreateBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { sleep } from "../../provider/driver/call/retry";
import { closeConnections } from "../../provider/driver/connections";
import { answers, obligingDriver, paths } from "../support/cosi-v1alpha1";
import { Lifecycle, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference } from "../support/settings";
import { StrictDriver } from "../support/strict-driver";

const bucket = new Lifecycle(bucketProvider);
const access = new Lifecycle(accessProvider);

describe("drivers and runs that end in between", () => {
  beforeEach(() => {
    beginRun();
  });
  afterEach(() => closeConnections());

  it("a create whose run was killed before it was saved is sent again with the same name, and there is one bucket [GRPC-028] [CASE-C03] [CASE-P32]", async () => {
    const driver = await new StrictDriver().start();
    try {
      const news = { driver: driverReference(driver.fake.endpoint), logicalName: "photos" };
      const lost = await bucket.create({ ...news, deletionPolicy: "Delete" });
      await newProcess();
      const { id, outputs } = await bucket.create({ ...news, deletionPolicy: "Delete" });
      assert.equal(id, lost.id);
      assert.equal(new Set(driver.fake.bodies("DriverCreateBucket")).size, 1);
      assert.equal(driver.buckets.size, 1);
      await newProcess();
      await bucket.delete(outputs);
      assert.equal(driver.buckets.size, 0);
    } finally {
      await closeConnections();
      driver.fake.stop();
    }
  });

  it("a stale socket, a driver that comes late, and one that is restarted in the midst of a call are waited for [CASE-C28]", async () => {
    const driver = obligingDriver();
    try {
      await leaveStaleSocket(driver.socket);
      driver.on(paths.create, async (body, earlier) => {
        if (earlier > 0) return answers.created(DriverCreateBucketRequest.decode(body).name);
        driver.kill();
        await leaveStaleSocket(driver.socket);
        await restartLate();
        return new Promise<never>(() => undefined);
      });
      const restartLate = async (): Promise<void> => {
        await sleep(700);
        // As drivers do that find a socket on which nobody listens.
        fs.rmSync(driver.socket, { force: true });
        await driver.start();
      };
      const creating = bucket.create({ driver: driverReference(driver.endpoint), logicalName: "photos" });
      await restartLate();
      const { id, outputs } = await creating;
      assert.equal(outputs["bucketId"], id);
      assert.equal(driver.bodies("DriverCreateBucket").length, 2);
      assert.equal(new Set(driver.bodies("DriverCreateBucket")).size, 1);
    } finally {
      await closeConnections();
      driver.stop();
    }
  });

  it("a restart between create and access, of the driver or of us, changes neither user nor keys [CASE-P26]", async () => {
    const driver = await new StrictDriver().start();
    try {
      const reference = driverReference(driver.fake.endpoint);
      const ofBucket = { driver: reference, logicalName: "photos" };
      const made = await bucket.create(ofBucket);
      const ofAccess = (outputs: Properties): Properties => ({
        driver: reference,
        logicalName: "photos-rw",
        bucketName: outputs["name"],
        bucketId: outputs["bucketId"],
        bucketInfo: outputs["bucketInfo"],
      });
      const nameWithout = (await access.check({}, ofAccess(made.outputs))).inputs["name"];

      const restart = async (): Promise<void> => {
        driver.fake.kill();
        await newProcess();
        await driver.start();
      };
      await restart();
      const again = await bucket.check(made.outputs, ofBucket);
      assert.deepEqual(await bucket.diff(made.outputs, again.inputs), { changes: false, replaces: [] });
      const granted = await access.create(ofAccess(made.outputs));
      assert.equal(granted.id, nameWithout);

      await restart();
      const calls = driver.fake.calls.length;
      const read = await access.read(granted.outputs);
      const { inputs } = await access.check(read.inputs, ofAccess(made.outputs));
      assert.deepEqual(await access.diff(read.outputs, inputs), { changes: false, replaces: [] });
      assert.deepEqual(read.outputs, granted.outputs);
      assert.equal(read.outputs["accessKeyId"], "AK-1");
      assert.equal(driver.fake.calls.length, calls);
      assert.deepEqual([...driver.accounts.keys()], [granted.id]);
    } finally {
      await closeConnections();
      driver.fake.stop();
    }
  });
});

/** What a run knows that its process did not hand on. */
async function newProcess(): Promise<void> {
  await closeConnections();
  beginRun();
}

/** Leaves the file of a socket on which nobody listens, as a killed driver does. */
async function leaveStaleSocket(path: string): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.alive`, resolve));
  fs.renameSync(`${path}.alive`, path);
  await new Promise((resolve) => server.close(resolve));
  assert.ok(fs.existsSync(path));
}
