import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { refusal } from "../../drivers/common/calls";
import type { DriverClient } from "../../drivers/postgres/support/driver-client";
import { type PostgresAdmin, loginOf } from "../../drivers/postgres/support/postgres-admin";
import { DRIVER_NAME, type RunningDriver, Setting } from "./setting";

const IDLE_MS = 60_000;

describe("deployments of the PostgreSQL driver at a real server", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: PostgresAdmin;
  let running: RunningDriver;
  let client: DriverClient;
  let idle: RunningDriver;
  let idleSince = 0;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    running = await setting.startDriver();
    client = running.client;
    idle = await setting.startDriver();
    await idle.client.create(admin.name());
    idleSince = Date.now();
  });

  after(() => setting.stop());

  beforeEach(() => {
    setting.proxy.fateOf = () => "pass";
  });

  it("makes a database of the name that was sent and tells that as its id [DEP-001]", async () => {
    const name = admin.name();
    assert.deepEqual(await client.create(name), { deploymentId: name, deploymentInfo: undefined });
    assert.equal(await admin.databases(name), 1);
  });

  it("answers ten equal creates and one after a SIGKILL alike, with one database [DEP-021]", async () => {
    const name = admin.name();
    const first = await setting.startDriver();
    const replies = [];
    for (let count = 0; count < 10; count++) {
      // The order of a map says nothing.
      const params =
        count % 2 === 0
          ? { onDelete: "drop", connectionLimit: "5" }
          : { connectionLimit: "5", onDelete: "drop" };
      replies.push(await first.client.create(name, params));
    }
    await first.driver.stop("SIGKILL");
    replies.push(await client.create(name, { onDelete: "drop", connectionLimit: "5" }));
    assert.deepEqual(new Set(replies.map((reply) => JSON.stringify(reply))).size, 1);
    assert.equal(await admin.databases(name), 1);
    const [row] = await admin.query(`SELECT datconnlimit FROM pg_database WHERE datname = '${name}'`);
    assert.equal(row?.["datconnlimit"], 5);
  });

  it("refuses a known name with other parameters and changes nothing [DEP-022]", async () => {
    const name = admin.name();
    await client.create(name, { connectionLimit: "5" });
    const before = await admin.look(name);
    for (const params of [{}, { connectionLimit: "6" }, { connectionLimit: "5", onDelete: "drop" }]) {
      const { details } = await refusal(client.create(name, params), status.ALREADY_EXISTS);
      assert.match(details, new RegExp(`"${name}".*other parameters: (connectionLimit|onDelete)`));
    }
    assert.deepEqual(await admin.look(name), before);
  });

  it("neither adopts nor deletes a database of somebody else, nor gives access to it [DEP-023]", async () => {
    const name = admin.name();
    await admin.query(`CREATE DATABASE "${name}"`);
    await admin.query("CREATE TABLE kept (a int)", name);
    const before = await admin.look(name);
    const { details } = await refusal(client.create(name), status.ALREADY_EXISTS);
    assert.match(details, new RegExp(`"${name}".*did not make`));
    await refusal(client.delete(name), status.FAILED_PRECONDITION);
    await refusal(client.grant(name, admin.name()), status.FAILED_PRECONDITION);
    await refusal(client.status(name), status.NOT_FOUND);
    assert.deepEqual(await admin.look(name), before);
  });

  it("leaves a database alone that somebody makes while a create is under way, and no role behind [DEP-023]", async () => {
    const name = admin.name();
    let made = false;
    setting.proxy.fateOf = (statement) => {
      if (made || !statement.startsWith("CREATE DATABASE")) return "pass";
      made = true;
      return admin.query(`CREATE DATABASE "${name}"`).then(() => undefined);
    };
    await refusal(client.create(name), status.ALREADY_EXISTS);
    assert.ok(made);
    const [row] = await admin.query(
      `SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = '${name}'`,
    );
    assert.equal(row?.["owner"], setting.server.user);
    assert.deepEqual(await admin.roles(name), []);
  });

  it("refuses a name under which another driver made a deployment [DEP-023]", async () => {
    const name = admin.name();
    const other = await setting.startDriver({ POSTGRES_DRIVER_NAME: "other.integration.test" });
    await other.client.create(name);
    await refusal(client.create(name), status.ALREADY_EXISTS);
    await refusal(client.delete(name), status.FAILED_PRECONDITION);
    assert.equal(await admin.databases(name), 1);
  });

  it("refuses a name to a second owner, whom the repeat would give the database of the first", async () => {
    const name = admin.name();
    const [first, second] = [setting.clientFor("aa", running), setting.clientFor("bb", running)];
    await first.create(name);
    await first.create(name);
    await client.create(name);
    await refusal(second.create(name), status.ALREADY_EXISTS);
    const account = admin.name();
    await first.grant(name, account);
    await refusal(second.grant(name, account), status.ALREADY_EXISTS);
  });

  it("keeps a name for its owner where somebody has dropped the database, or a delete was cut short after that [DEP-023]", async () => {
    const name = admin.name();
    const [first, second] = [setting.clientFor("aa", running), setting.clientFor("bb", running)];
    await first.create(name, { onDelete: "drop" });
    await admin.query(`DROP DATABASE "${name}"`);
    const before = await admin.look(name);
    for (const params of [{}, { onDelete: "drop" }]) {
      const { details } = await refusal(second.create(name, params), status.ALREADY_EXISTS);
      assert.match(details, /another owner/);
    }
    assert.deepEqual(await admin.look(name), before);
    await first.create(name);
    assert.equal(await admin.databases(name), 1);
    await first.delete(name);
    await second.create(name);
  });

  it("deletes the database with its roles, and again, and what is gone behind its back [DEP-024]", async () => {
    const [first, second] = [admin.name(), admin.name()];
    await client.create(first);
    await client.delete(first);
    await client.delete(first);
    await client.create(second);
    await admin.query(`DROP DATABASE "${second}"`);
    await client.delete(second);
    await client.delete(admin.name());
    await client.delete("x".repeat(128));
    for (const name of [first, second]) {
      assert.equal(await admin.databases(name), 0);
      assert.deepEqual(await admin.roles(name), []);
    }
  });

  it("makes a new database, with other parameters too, where somebody has dropped the old one", async () => {
    const name = admin.name();
    await client.create(name);
    await admin.query(`DROP DATABASE "${name}"`);
    assert.deepEqual((await client.status(name)).deploymentStatus?.type, { $case: "error", value: true });
    await client.create(name, { connectionLimit: "7" });
    assert.equal(await admin.databases(name), 1);
    await client.delete(name);
  });

  it("deletes with the parameters of the create as context, and without any [DEP-032] [DEP-046]", async () => {
    const [first, second] = [admin.name(), admin.name()];
    const params = {
      onDelete: "refuse-tables",
      connectionLimit: "5",
      extensions: "citext",
      encoding: "UTF8",
    };
    await client.create(first, params);
    await client.delete(first, params);
    await client.create(second);
    const { accountId } = await client.grant(second, admin.name());
    await client.revoke(second, accountId);
    await client.delete(second);
    assert.equal((await admin.databases(first)) + (await admin.databases(second)), 0);
  });

  for (const [what, make, undo] of [
    ["table", "CREATE TABLE app.t (a int)", "DROP TABLE app.t"],
    ["view", "CREATE VIEW app.v AS SELECT 1 AS a", "DROP VIEW app.v"],
    ["sequence", "CREATE SEQUENCE app.s", "DROP SEQUENCE app.s"],
    ["large object", "SELECT lo_create(4711)", "SELECT lo_unlink(4711)"],
  ] as const) {
    it(`refuses to delete a database with a ${what} and removes nothing, whatever the context says`, async () => {
      const name = admin.name();
      await client.create(name);
      await admin.query(`CREATE SCHEMA app; ${make}`, name);
      for (const context of [{}, { onDelete: "drop" }]) {
        const { details } = await refusal(client.delete(name, context), status.FAILED_PRECONDITION);
        assert.match(details, new RegExp(`"${name}".*such as (app\\.[tvs]|large object 4711);`));
      }
      await client.create(name);
      await admin.query(undo, name);
      await client.delete(name);
      assert.equal(await admin.databases(name), 0);
    });
  }

  it("drops what a database holds if it was made so, and ends the sessions of others in it", async () => {
    const name = admin.name();
    await client.create(name, { onDelete: "drop" });
    await admin.query("CREATE TABLE t (a int)", name);
    const { user, password } = setting.server;
    const open = await admin.connect({ database: name, user, password });
    await client.delete(name, { onDelete: "refuse-tables" });
    assert.equal(await admin.databases(name), 0);
    await assert.rejects(open.query("SELECT 1"));
  });

  it("does not delete under accounts, and names them", async () => {
    const [name, account] = [admin.name(), admin.name()];
    await client.create(name, { onDelete: "drop" });
    await client.grant(name, account);
    const { details } = await refusal(client.delete(name), status.FAILED_PRECONDITION);
    assert.match(details, new RegExp(`"${name}".*"${account}"`));
    await client.revoke(name, account);
    await client.delete(name);
  });

  it("tells that a deployment is pending while it is made, ready after, and unknown when it is gone [DEP-014]", async () => {
    const name = admin.name();
    await refusal(client.status(name), status.NOT_FOUND);
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const waits = new Promise<void>((resolve) => {
      setting.proxy.fateOf = (statement) => {
        if (!statement.startsWith("CREATE DATABASE")) return "pass";
        resolve();
        return mayGoOn;
      };
    });
    const created = client.create(name);
    await waits;
    const pending = await client.status(name);
    assert.equal(pending.deploymentId, name);
    assert.deepEqual(pending.deploymentStatus, { type: { $case: "pending", value: true } });
    goOn();
    await created;
    const ready = await client.status(name);
    assert.equal(ready.deploymentId, name);
    assert.deepEqual(ready.deploymentStatus, { type: { $case: "ready", value: true } });
    await client.delete(name);
    await refusal(client.status(name), status.NOT_FOUND);
  });

  it("goes on with a create whose caller has left after ten milliseconds [DEP-051]", async () => {
    const name = admin.name();
    setting.proxy.fateOf = (statement) => (statement.startsWith("CREATE DATABASE") ? sleep(300) : "pass");
    await refusal(client.create(name, {}, 10), status.DEADLINE_EXCEEDED);
    assert.deepEqual((await client.create(name)).deploymentId, name);
    assert.equal(await admin.databases(name), 1);
    assert.deepEqual((await client.status(name)).deploymentStatus?.type, { $case: "ready", value: true });
  });

  it("answers twenty equal creates at once with one database, also from two processes [DEP-037]", async () => {
    const name = admin.name();
    const { client: second } = await setting.startDriver();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? client : second).create(name)),
    );
    assert.ok(replies.every(({ deploymentId }) => deploymentId === name));
    assert.equal(await admin.databases(name), 1);
  });

  for (const name of ['a"b;drop', "a'b", "ä%2F b", "Upper", "a\\b", "-x", "$1", "a  b", "host=x"]) {
    it(`serves the whole life of a deployment and an account called ${name}`, async () => {
      const start = admin.name();
      const deployment = `${start}${name}`;
      await client.create(deployment);
      await client.create(deployment);
      const reply = await client.grant(deployment, deployment);
      assert.equal(reply.accountId, deployment);
      const [row] = await admin.queryAs(
        loginOf(reply),
        "SELECT current_database() AS database, session_user AS user",
      );
      assert.deepEqual(row, { database: deployment, user: deployment });
      await client.revoke(deployment, deployment);
      await client.delete(deployment);
      await refusal(client.status(deployment), status.NOT_FOUND);
      assert.deepEqual(await admin.roles(start), []);
    });
  }

  it("installs the extensions that are asked for, and no table of theirs keeps it from deleting", async () => {
    const name = admin.name();
    await client.create(name, { extensions: "pgcrypto,citext,pgcrypto" });
    const rows = await admin.query("SELECT extname FROM pg_extension ORDER BY 1", name);
    assert.deepEqual(
      rows.map(({ extname }) => extname),
      ["citext", "pgcrypto", "plpgsql"],
    );
    await client.delete(name);
  });

  it("refuses what the server cannot serve and leaves nothing behind [DEP-056]", async () => {
    const name = admin.name();
    for (const [params, code, reason] of [
      [{ connectionLimit: "10001" }, status.OUT_OF_RANGE, /"connectionLimit": 10001/],
      [{ connectionLimit: "0" }, status.OUT_OF_RANGE, /"connectionLimit": 0/],
      [{ connectionLimit: "many" }, status.INVALID_ARGUMENT, /"connectionLimit": "many"/],
      [{ extensions: "nope" }, status.OUT_OF_RANGE, /"nope": the server does not have/],
      [{ extensions: "citext,file_fdw" }, status.OUT_OF_RANGE, /"file_fdw": .*superuser/],
      [{ encoding: "KLINGON" }, status.INVALID_ARGUMENT, /parameters: the server answered .*KLINGON/],
      [{ locale: "xx_XX.none" }, status.INVALID_ARGUMENT, /parameters: the server answered .*xx_XX/],
    ] as const) {
      const { details } = await refusal(client.create(name, params), code);
      assert.match(details, reason);
      assert.match(details, new RegExp(`"${name}"`));
      assert.equal(await admin.databases(name), 0);
      assert.deepEqual(await admin.roles(name), []);
    }
    await client.create(name, { encoding: "LATIN1", locale: "C" });
  });

  it("keeps its replies within the limits for the longest names [DEP-041]", async () => {
    const longest = `${admin.name()}-`.padEnd(63, "x");
    const created = await client.create(longest);
    const reply = await client.grant(longest, longest);
    const secrets = [...(reply.credentials.get("postgres")?.secrets ?? [])].flat();
    assert.ok(Buffer.byteLength(created.deploymentId) <= 128 && Buffer.byteLength(reply.accountId) <= 128);
    assert.ok(secrets.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= 4096);
    assert.equal(await admin.obstacle(loginOf(reply)), undefined);
    await client.revoke(longest, reply.accountId);
    await client.delete(longest);
  });

  it("serves as the same process a minute after its last call [DEP-079]", async () => {
    await sleep(Math.max(0, idleSince + IDLE_MS - Date.now()));
    assert.deepEqual(await idle.client.getInfo(), { name: DRIVER_NAME });
    assert.equal(readlinkSync(`/proc/${idle.driver.pid}/exe`), process.execPath);
  });
});
