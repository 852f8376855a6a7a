import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { HealthClient, NOT_SERVING, SERVING } from "../common/health-client";
import { refusal } from "./support/driver-client";
import { type DriverProcess, type Folders, makeFolders, startDriver } from "./support/driver-process";
import { type FakeStore, iamOk, startFakeStore, storeError } from "./support/fake-store";
import { SECRET } from "./support/fake-store-config";

describe("the health of the S3 driver", function () {
  this.timeout(60_000);
  let folders: Folders;
  let store: FakeStore;
  let driver: DriverProcess;
  let health: HealthClient;
  let deleteBucket: () => Promise<unknown>;

  beforeEach(async () => {
    folders = makeFolders();
    store = await startFakeStore();
    const started = await startDriver(folders.socket, {
      workFolder: folders.workFolder,
      env: {
        AWS_REGION: "eu-test-1",
        AWS_ACCESS_KEY_ID: "admin",
        AWS_SECRET_ACCESS_KEY: SECRET,
        S3_DRIVER_S3_ENDPOINT: store.endpoint,
      },
    });
    driver = started.driver;
    deleteBucket = () => started.client.delete("photos");
    health = new HealthClient(folders.socket);
  });

  afterEach(async () => {
    health.close();
    await driver.stop("SIGKILL");
    await store.stop();
    folders.remove();
  });

  it("is told at the same socket, for the whole and for each service of its contracts, without the store", async () => {
    for (const service of [
      "",
      "cosi.v1alpha1.Identity",
      "cosi.v1alpha1.Provisioner",
      "cosi.v1.CosiController",
      "cosi.v1.DynamicBucketHandler",
      "cosi.v1.StaticBucketHandler",
    ]) {
      assert.equal(await health.check(service), SERVING, service);
    }
    assert.deepEqual(store.requests, []);
    await refusal(health.check("cosi.v1alpha1.Other"), status.NOT_FOUND);
  });

  it("is NOT_SERVING for those who watch while the last call ends, and no watch holds the end up", async () => {
    const seen: string[] = [];
    const watching = health.watch("cosi.v1alpha1.Provisioner", (reply) => seen.push(reply));
    await until(() => seen.length === 1);
    const asked = new Promise<void>((resolve) => {
      store.answer = async ({ action }) => {
        resolve();
        await until(() => seen.length === 2);
        return action === undefined ? storeError(404, "NoSuchBucket") : iamOk(action);
      };
    });
    const call = deleteBucket();
    await asked;
    driver.signal("SIGTERM");
    assert.deepEqual(await call, {});
    assert.deepEqual(seen, [SERVING, NOT_SERVING]);
    assert.deepEqual(await driver.ended, { code: 0, signal: null });
    await watching;
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
