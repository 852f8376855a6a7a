import assert from "node:assert/strict";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { makeFolders, startDriver, type Folders } from "../../drivers/s3/support/driver-process";
import { callByUpstream, recorderReleases } from "../../support/recorder";

describe("cosi-driver-s3 for a client that shares no code with ours", () => {
  let store: Store;
  let folders: Folders;
  let running: Awaited<ReturnType<typeof startDriver>>;
  let endpoint: string;

  before(async function () {
    this.timeout(120_000);
    store = await startStore();
    folders = makeFolders();
    running = await startDriver(folders.socket, {
      workFolder: folders.workFolder,
      env: {
        AWS_REGION: store.region,
        AWS_ACCESS_KEY_ID: store.accessKeyId,
        AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
        S3_DRIVER_S3_ENDPOINT: store.endpoint,
      },
    });
    endpoint = `unix://${folders.socket}`;
  });

  after(async () => {
    running.client.close();
    await running.driver.stop();
    folders.remove();
    await store.stop();
  });

  for (const release of recorderReleases) {
    it(`serves the whole life through one socket to the client of ${release} [GRPC-001] [GRPC-003] [GRPC-049]`, async () => {
      const call = (rpc: string, request: object) => callByUpstream(release, endpoint, rpc, request);
      assert.deepEqual(await call("DriverGetInfo", {}), { name: "s3.pulumi-cosi.dev" });
      const name = `independent-${release.replaceAll(".", "-")}`;
      const bucket = await call("DriverCreateBucket", { name });
      assert.deepEqual(bucket, {
        bucketId: name,
        bucketInfo: { s3: { region: store.region, signatureVersion: "S3V4" } },
      });
      const access = await call("DriverGrantBucketAccess", {
        bucketId: name,
        name: `ba-${name}`,
        authenticationType: "Key",
      });
      assert.deepEqual(Object.keys(access).sort(), ["accountId", "credentials"]);
      const { accountId } = access;
      assert.deepEqual(await call("DriverRevokeBucketAccess", { bucketId: name, accountId }), {});
      assert.deepEqual(await call("DriverDeleteBucket", { bucketId: name }), {});
      await assert.rejects(call("DriverGrantBucketAccess", { bucketId: name, name: "x" }), /InvalidArgument/);
    });
  }
});
