import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { refusal } from "../common/calls";
import { DriverProcess, type StartOptions, underUmask } from "../common/driver-process";
import { type Folders, makeFolders } from "../common/folders";
import { openOf } from "../common/listeners";
import { startDriver } from "./support/driver-process";
import { type FakeServer, startFakeServer } from "./support/fake-server";
import { SECRET, fakeServerEnv } from "./support/fake-server-config";

/** The shortest time in which a driver that is configured wrongly must have ended, in milliseconds. */
const CONFIG_BOUND_MS = 2_000;

describe("the PostgreSQL driver as a process", function () {
  this.timeout(60_000);
  let server: FakeServer;
  let folders: Folders;
  let env: Record<string, string>;
  const running: DriverProcess[] = [];

  beforeEach(async () => {
    server = await startFakeServer();
    server.answer = { code: "42501", message: "no" };
    folders = makeFolders();
    env = { ...fakeServerEnv(server.port) };
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((driver) => driver.stop("SIGKILL")));
    folders.remove();
    await server.stop();
  });

  async function start(options: Partial<StartOptions> = {}) {
    const started = await startDriver(folders.socket, { env, workFolder: folders.workFolder, ...options });
    running.push(started.driver);
    return started;
  }

  /** A driver that must end by itself with the status of a wrong configuration. */
  async function refusedStart(wrong: Record<string, string>): Promise<string> {
    const all = { ...env, Deployment_ENDPOINT: `unix://${folders.socket}`, ...wrong };
    const driver = new DriverProcess("postgres", { env: all, workFolder: folders.workFolder });
    running.push(driver);
    assert.deepEqual(await driver.ended, { code: 78, signal: null });
    return driver.stderr;
  }

  it("serves on the socket of Deployment_ENDPOINT, under a well-formed name of two labels, with documented variables only [DEP-075] [DEP-007]", async () => {
    const { client } = await start();
    const { name } = await client.getInfo();
    assert.match(name, /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$/);
    assert.ok(name.length <= 63);
    assert.ok(statSync(folders.socket).isSocket());
    client.close();
  });

  it("listens nowhere but on its socket [DEP-071]", async () => {
    const { driver, client } = await start();
    await refusal(client.create("orders"), status.PERMISSION_DENIED);
    const { sockets, listeners } = openOf(driver.pid);
    assert.ok(sockets > 0);
    assert.deepEqual(listeners, []);
    client.close();
  });

  for (const [umask, mode, set] of [
    ["000", 0o600, undefined],
    ["077", 0o660, "0660"],
  ] as const) {
    it(`makes its socket ${mode.toString(8)} under umask ${umask} when told ${set ?? "nothing"} [DEP-075]`, async () => {
      if (set !== undefined) env["POSTGRES_DRIVER_SOCKET_MODE"] = set;
      const { client } = await start({ through: underUmask(umask) });
      assert.equal(statSync(folders.socket).mode & 0o777, mode);
      client.close();
    });
  }

  it("serves under the name that it is given", async () => {
    env["POSTGRES_DRIVER_NAME"] = "postgres.one.test";
    const { client } = await start();
    assert.deepEqual(await client.getInfo(), { name: "postgres.one.test" });
    client.close();
  });

  for (const [variable, value] of [
    ["Deployment_ENDPOINT", "tcp://127.0.0.1:1"],
    ["Deployment_ENDPOINT", "unix:///nonexistent-folder/driver.sock"],
    ["PGPASSWORD", ""],
    ["PGPORT", "many"],
  ] as const) {
    it(`ends with status 78 and one line when ${variable} is "${value}" [DEP-076]`, async () => {
      const begin = performance.now();
      const stderr = await refusedStart({ [variable]: value });
      assert.ok(performance.now() - begin < 5 * CONFIG_BOUND_MS);
      assert.match(stderr, new RegExp(`^deployment-driver-postgres: ${variable}: [^\\n]+\\n$`));
      assert.deepEqual(readdirSync(folders.socketFolder), []);
    });
  }

  it("replaces the socket that a killed driver left [DEP-076]", async () => {
    const first = await start();
    await first.driver.stop("SIGKILL");
    first.client.close();
    assert.ok(statSync(folders.socket).isSocket());
    const second = await start();
    await second.client.getInfo();
    second.client.close();
  });

  it("leaves a socket alone on which a process listens, and a file that is no socket [DEP-076]", async () => {
    const { client } = await start();
    assert.match(await refusedStart({}), /Deployment_ENDPOINT: another process listens/);
    await client.getInfo();
    client.close();

    const other = createServer().listen(join(folders.socketFolder, "other.sock"));
    await once(other, "listening");
    await refusedStart({ Deployment_ENDPOINT: `unix://${folders.socketFolder}/other.sock` });
    assert.ok(other.listening);
    other.close();

    const notes = join(folders.socketFolder, "notes.sock");
    writeFileSync(notes, "someone's notes");
    assert.match(await refusedStart({ Deployment_ENDPOINT: `unix://${notes}` }), /: .*not a socket/);
    assert.equal(readFileSync(notes, "utf8"), "someone's notes");
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`finishes a call in flight on ${signal}, then removes its socket and exits 0 [DEP-079]`, async () => {
      const { driver, client } = await start();
      server.wait = sleep(500);
      const call = refusal(client.create("orders"), status.PERMISSION_DENIED);
      while (server.connections === 0) await sleep(10);
      driver.signal(signal);
      await call;
      assert.deepEqual(await driver.ended, { code: 0, signal: null });
      assert.deepEqual(readdirSync(folders.socketFolder), []);
      client.close();
    });
  }

  it("finishes the work of a caller that hung up before it exits [DEP-051]", async () => {
    const { driver, client } = await start();
    server.wait = sleep(500);
    await refusal(client.create("orders", {}, 100), status.DEADLINE_EXCEEDED);
    client.close();
    assert.deepEqual(await driver.stop(), { code: 0, signal: null });
    assert.match(driver.stderr, /"rpc":"DriverCreateDeployment","deployment":.*"code":"PERMISSION_DENIED"/);
  });

  it("writes no file, not even in its home, and logs to stderr [DEP-077] [DEP-081]", async () => {
    const home = join(folders.workFolder, "home");
    const temporary = join(folders.workFolder, "tmp");
    mkdirSync(home);
    mkdirSync(temporary);
    Object.assign(env, { HOME: home, TMPDIR: temporary });
    const { driver, client } = await start();
    await refusal(client.create("orders"), status.PERMISSION_DENIED);
    await refusal(client.grant("orders", "reader"), status.PERMISSION_DENIED);
    assert.deepEqual(readdirSync(folders.socketFolder), ["driver.sock"]);
    assert.deepEqual(readdirSync(folders.workFolder, { recursive: true }).sort(), ["home", "tmp"]);
    assert.deepEqual(openOf(driver.pid).files, []);
    client.close();
    await driver.stop();
    assert.equal(driver.stdout, "");
    const lines = driver.stderr.trim().split("\n");
    assert.ok(lines.length >= 4);
    assert.ok(lines.every((line) => typeof JSON.parse(line) === "object"));
    assert.ok(!driver.stderr.includes(SECRET));
  });
});
