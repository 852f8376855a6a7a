import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { openOf } from "../common/listeners";
import { DriverClient, refusal } from "./support/driver-client";
import {
  DriverProcess,
  type Folders,
  type StartOptions,
  makeFolders,
  startDriver,
  underUmask,
} from "./support/driver-process";
import { type FakeStore, iamOk, startFakeStore, storeError } from "./support/fake-store";
import { LOOPBACK_CERTIFICATE } from "./support/loopback-certificate";

const SECRET = "secret-of-the-administrator";

describe("the S3 driver as a process", function () {
  this.timeout(60_000);
  let store: FakeStore;
  let folders: Folders;
  let env: Record<string, string>;
  const running: DriverProcess[] = [];

  before(async () => {
    store = await startFakeStore();
  });

  after(() => store.stop());

  beforeEach(() => {
    folders = makeFolders();
    store.answer = () => storeError(403, "AccessDenied");
    env = {
      AWS_REGION: "eu-test-1",
      AWS_ACCESS_KEY_ID: "admin",
      AWS_SECRET_ACCESS_KEY: SECRET,
      S3_DRIVER_S3_ENDPOINT: store.endpoint,
    };
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((driver) => driver.stop("SIGKILL")));
    folders.remove();
  });

  async function start(options: Partial<StartOptions> = {}) {
    const started = await startDriver(folders.socket, { env, workFolder: folders.workFolder, ...options });
    running.push(started.driver);
    return started;
  }

  /** A driver that must end by itself with the status of a wrong configuration. */
  async function refusedStart(wrong: Record<string, string>): Promise<string> {
    const all = { ...env, COSI_ENDPOINT: `unix://${folders.socket}`, ...wrong };
    const driver = new DriverProcess({ env: all, workFolder: folders.workFolder });
    running.push(driver);
    assert.deepEqual(await driver.ended, { code: 78, signal: null });
    return driver.stderr;
  }

  it("serves on the socket of COSI_ENDPOINT, under a well-formed name of two labels, with documented variables only [GRPC-098] [GRPC-007]", async () => {
    const { client } = await start();
    const { name } = await client.getInfo();
    assert.match(name, /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$/);
    assert.ok(name.length <= 63);
    assert.ok(statSync(folders.socket).isSocket());
    client.close();
  });

  it("listens nowhere but on its socket [GRPC-086]", async () => {
    const { driver, client } = await start();
    await refusal(client.create("photos"), status.PERMISSION_DENIED);
    const { sockets, listeners } = openOf(driver.pid);
    assert.ok(sockets > 0);
    assert.deepEqual(listeners, []);
    client.close();
  });

  it("makes its socket 0600 under any umask [GRPC-093]", async () => {
    const { client } = await start({ through: underUmask("000") });
    assert.equal(statSync(folders.socket).mode & 0o777, 0o600);
    client.close();
  });

  it("widens its socket when asked to, under any umask", async () => {
    env["S3_DRIVER_SOCKET_MODE"] = "0660";
    const { client } = await start({ through: underUmask("077") });
    assert.equal(statSync(folders.socket).mode & 0o777, 0o660);
    client.close();
  });

  it("serves as its own settings say from the first call on [GRPC-118]", async () => {
    for (const [name, region] of [
      ["s3.one.test", "eu-test-1"],
      ["s3.two.test", "eu-test-2"],
    ] as const) {
      store.answer = ({ method, action }) =>
        action !== undefined
          ? iamOk(action)
          : method === "GET"
            ? storeError(404, "NoSuchBucket")
            : { status: 200, body: "" };
      env = { ...env, S3_DRIVER_NAME: name, AWS_REGION: region };
      const { driver, client } = await start();
      assert.deepEqual(await client.getInfo(), { name });
      const { bucketInfo } = await client.create("photos", { region });
      assert.equal(bucketInfo?.type?.$case === "s3" && bucketInfo.type.value.region, region);
      await refusal(client.create("photos", { region: "eu-test-3" }), status.OUT_OF_RANGE);
      client.close();
      await driver.stop();
    }
  });

  for (const [variable, value] of [
    ["COSI_ENDPOINT", "tcp://127.0.0.1:1"],
    ["COSI_ENDPOINT", "unix:///nonexistent-folder/driver.sock"],
    ["AWS_REGION", ""],
    ["S3_DRIVER_S3_ENDPOINT", "not a URL"],
  ] as const) {
    it(`ends with status 78 and one line when ${variable} is "${value}" [GRPC-099]`, async () => {
      const stderr = await refusedStart({ [variable]: value });
      assert.match(stderr, new RegExp(`^cosi-driver-s3: ${variable}: [^\\n]+\\n$`));
      assert.deepEqual(readdirSync(folders.socketFolder), []);
    });
  }

  it("replaces the socket that a killed driver left [GRPC-100]", async () => {
    const first = await start();
    await first.driver.stop("SIGKILL");
    first.client.close();
    assert.ok(statSync(folders.socket).isSocket());
    const second = await start();
    await second.client.getInfo();
    second.client.close();
  });

  it("leaves a socket alone on which a process listens [GRPC-100]", async () => {
    const { client } = await start();
    assert.match(await refusedStart({}), /COSI_ENDPOINT: another process listens/);
    await client.getInfo();
    client.close();

    const other = createServer().listen(join(folders.socketFolder, "other.sock"));
    await once(other, "listening");
    await refusedStart({ COSI_ENDPOINT: `unix://${folders.socketFolder}/other.sock` });
    assert.ok(other.listening);
    assert.ok(statSync(join(folders.socketFolder, "other.sock")).isSocket());
    other.close();
  });

  it("leaves the socket alone that another driver has made at its path, when it ends [GRPC-100] [GRPC-108]", async () => {
    const first = await start();
    first.client.close();
    unlinkSync(folders.socket);
    const second = await start();
    assert.deepEqual(await first.driver.stop(), { code: 0, signal: null });
    assert.deepEqual(readdirSync(folders.socketFolder), ["driver.sock"]);
    const client = new DriverClient(folders.socket);
    await client.getInfo();
    client.close();
    second.client.close();
  });

  it("leaves a file alone that is no socket [GRPC-100]", async () => {
    writeFileSync(folders.socket, "someone's notes");
    assert.match(await refusedStart({}), /COSI_ENDPOINT: .*not a socket/);
    assert.equal(readFileSync(folders.socket, "utf8"), "someone's notes");
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`finishes a call in flight on ${signal}, then removes its socket and exits 0 [GRPC-108]`, async () => {
      const { driver, client } = await start();
      const asked = new Promise<void>((resolve) => {
        store.answer = async () => {
          resolve();
          await new Promise((done) => setTimeout(done, 500));
          return storeError(404, "NoSuchBucket");
        };
      });
      const call = client.delete("photos");
      await asked;
      store.answer = ({ action }) => iamOk(action ?? "");
      driver.signal(signal);
      assert.deepEqual(await call, {});
      assert.deepEqual(await driver.ended, { code: 0, signal: null });
      assert.deepEqual(readdirSync(folders.socketFolder), []);
      client.close();
    });
  }

  it("finishes the work of a caller that hung up before it exits [GRPC-057]", async () => {
    const { driver, client } = await start();
    const asked = new Promise<void>((resolve) => {
      store.answer = async ({ method, action }) => {
        resolve();
        await new Promise((done) => setTimeout(done, 100));
        return action === undefined && method === "GET"
          ? storeError(404, "NoSuchBucket")
          : iamOk(action ?? "");
      };
    });
    const before = store.requests.length;
    await refusal(client.create("photos", {}, 10), status.DEADLINE_EXCEEDED);
    await asked;
    client.close();
    assert.deepEqual(await driver.stop(), { code: 0, signal: null });
    assert.deepEqual(
      store.requests.slice(before).map(({ method, url, action }) => action ?? `${method} ${url}`),
      [
        "GET /photos/?tagging=",
        "CreateUser",
        "TagUser",
        "PUT /photos/",
        "PUT /photos/?tagging=",
        "DeleteUser",
      ],
    );
  });

  it("writes no file, needs neither a home nor a working directory of its own, and logs to stderr [GRPC-103] [GRPC-113]", async () => {
    const { driver, client } = await start();
    await refusal(client.create("photos"), status.PERMISSION_DENIED);
    await refusal(client.grant("photos", "reader"), status.PERMISSION_DENIED);
    assert.deepEqual(readdirSync(folders.socketFolder), ["driver.sock"]);
    assert.deepEqual(readdirSync(folders.workFolder), []);
    assert.deepEqual(openOf(driver.pid).files, []);
    client.close();
    await driver.stop();
    assert.equal(driver.stdout, "");
    const lines = driver.stderr.trim().split("\n");
    assert.ok(lines.length >= 4);
    assert.ok(lines.every((line) => typeof JSON.parse(line) === "object"));
    assert.ok(!driver.stderr.includes(SECRET));
  });

  it("lets nothing out to a store with a certificate of unknown origin, and works once its authority is given [GRPC-094]", async () => {
    const secure = await startFakeStore(LOOPBACK_CERTIFICATE);
    secure.answer = () => storeError(403, "AccessDenied");
    env["S3_DRIVER_S3_ENDPOINT"] = secure.endpoint;
    const first = await start();
    const { details } = await refusal(first.client.create("photos"), status.UNAVAILABLE);
    assert.match(details, /"photos".*certificate/);
    assert.deepEqual(secure.requests, []);
    first.client.close();
    await first.driver.stop();

    const authorities = join(folders.workFolder, "ca.pem");
    writeFileSync(authorities, LOOPBACK_CERTIFICATE.cert);
    env["S3_DRIVER_CA_FILE"] = authorities;
    const second = await start();
    await refusal(second.client.create("photos"), status.PERMISSION_DENIED);
    assert.ok(secure.requests.length > 0);
    second.client.close();
    await secure.stop();
  });
});
