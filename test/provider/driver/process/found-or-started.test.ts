import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { provider as accessProvider } from "../../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../../provider/bucket/provider";
import { closeConnections } from "../../../../provider/driver/connections";
import { provider as driverProvider } from "../../../../provider/driver-resource/provider";
import { Lifecycle, type Properties } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";
import { quickSettings } from "../../../support/settings";
import { StubDriver } from "../../../support/stub-driver";

describe("one program with a driver that somebody else runs, and with one that it starts", function () {
  this.timeout(60_000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "found-"));
  const fixed = { STUB_BUCKET: "of-the-store" };
  let found: ChildProcess;
  let foundStub: StubDriver;
  let startedStub: StubDriver;

  before(() => {
    foundStub = new StubDriver();
    startedStub = new StubDriver();
    const [program = "", ...args] = foundStub.command;
    const environment = { ...process.env, ...foundStub.environment(fixed) };
    const COSI_ENDPOINT = `unix://${path.join(folder, "found.sock")}`;
    found = spawn(program, args, { env: { ...environment, COSI_ENDPOINT }, stdio: "ignore" });
  });

  after(async () => {
    await closeConnections();
    const ended = once(found, "exit");
    found.kill();
    await ended;
    for (const stub of [foundStub, startedStub]) stub.dispose();
    fs.rmSync(folder, { recursive: true });
  });

  /** The life of a bucket and an access, up to destroy. */
  const program = async (how: Properties): Promise<void> => {
    beginRun();
    const waits: Properties = { ...quickSettings("unused"), connectTimeoutSeconds: 25 };
    Reflect.deleteProperty(waits, "endpoint");
    const settings = { ...waits, ...how };
    const store = await new Lifecycle(driverProvider).create({ ...settings, logicalName: "store" });
    const { driverName, seed } = store.outputs;
    const driver = { ...settings, driverName, seed };
    const parameters = { tier: "gold" };
    const bucket = new Lifecycle(bucketProvider);
    const photos = { driver, logicalName: "photos", name: "photos", parameters, deletionPolicy: "Delete" };
    const made = (await bucket.create(photos)).outputs;
    const { bucketId } = made;
    const access = new Lifecycle(accessProvider);
    const reader = { driver, logicalName: "rw", name: "rw", bucketName: "photos", bucketId, parameters };
    const granted = (await access.create({ ...reader, endpoint: "http://127.0.0.1:9", region: "eu-1" }))
      .outputs;
    assert.equal(granted["accountId"], "account");
    beginRun();
    await access.delete(granted);
    await bucket.delete(made);
    await new Lifecycle(driverProvider).delete(store.outputs);
  };

  it("makes the same calls with the same bodies [GRPC-089]", async () => {
    await program({ endpoint: `unix://${path.join(folder, "found.sock")}` });
    await program({ command: startedStub.command, environment: startedStub.environment(fixed) });
    assert.deepEqual(startedStub.calls(), foundStub.calls());
    assert.deepEqual(
      foundStub.calls().map((call) => call.slice(call.lastIndexOf("/") + 1).split(" ")[0]),
      [
        "DriverGetInfo",
        "DriverCreateBucket",
        "DriverGrantBucketAccess",
        "DriverRevokeBucketAccess",
        "DriverDeleteBucket",
      ],
    );
  });
});
