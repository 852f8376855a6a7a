import { Client, credentials, status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { refusal } from "./support/driver-client";
import { type DriverProcess, type Folders, makeFolders, startDriver } from "./support/driver-process";
import { type FakeStore, iamOk, startFakeStore, storeError } from "./support/fake-store";
import { SECRET } from "./support/fake-store-config";

/** Replies of `grpc.health.v1.Health`: field 1, an enum. */
const SERVING = "0801";
const NOT_SERVING = "0802";

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

/** A client of the health service that knows only bytes, as a prober of another make would send them. */
class HealthClient extends Client {
  constructor(socket: string) {
    super(`unix://${socket}`, credentials.createInsecure());
  }

  /** The reply in hexadecimal. */
  check(service: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const path = "/grpc.health.v1.Health/Check";
      this.makeUnaryRequest(path, encode, decode, service, (error, reply) => {
        if (error) {
          reject(error);
        } else {
          resolve(reply);
        }
      });
    });
  }

  /** Resolves at the end of the stream, whatever its status. */
  watch(service: string, onReply: (reply: string) => void): Promise<void> {
    const path = "/grpc.health.v1.Health/Watch";
    const stream = this.makeServerStreamRequest(path, encode, decode, service);
    stream.on("data", onReply);
    stream.on("error", () => undefined);
    return new Promise((resolve) =>
      stream.once("status", () => {
        resolve();
      }),
    );
  }
}

/** HealthCheckRequest: field 1, a string. */
function encode(service: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, Buffer.byteLength(service)]), Buffer.from(service)]);
}

function decode(reply: Buffer): string {
  return reply.toString("hex");
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
