import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import type { Driver } from "../../../drivers/postgres/core/driver";
import { kindOf } from "../../../drivers/postgres/core/server-error";
import { refusal } from "../../drivers/common/calls";
import type { PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import type { Fate } from "../../drivers/postgres/support/statement-proxy";
import { Setting } from "./setting";

const NONE = new Map<string, string>();

/** Far more than a call needs, and less than for ever. */
const ANSWERED_MS = 30_000;

describe("work of the PostgreSQL driver that is cut short", function () {
  this.timeout(300_000);
  let setting: Setting;
  let admin: PostgresAdmin;
  let driver: Driver;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    driver = setting.core();
  });

  after(() => setting.stop());

  afterEach(() => {
    setting.proxy.fateOf = () => "pass";
    setting.proxy.silentAtEnd = false;
    setting.proxy.restore();
  });

  /** One of the four calls, on objects of its own. */
  interface Work {
    readonly name: string;
    /** The requirements that it is to meet also when it was cut short. */
    readonly ids: string;
    /** Makes what the call needs. */
    readonly prepare: (name: string) => Promise<void>;
    readonly call: (name: string, by: Driver) => Promise<unknown>;
    /** Fails unless the call has been done, all of it and nothing else. */
    readonly verify: (name: string) => Promise<void>;
    /** Statements between the first and the last at least. */
    readonly statements: number;
  }

  const works: readonly Work[] = [
    {
      name: "create",
      ids: "[DEP-021] [DEP-051]",
      prepare: () => Promise.resolve(),
      call: (name, by) => by.deployments.create(name, NONE),
      verify: async (name) => {
        assert.deepEqual(await driver.deployments.status(name), { state: "ready" });
        const { accountId, password } = await driver.accounts.grant(name, `${name}-a`, NONE);
        const login = { database: name, user: accountId, password };
        assert.equal(await admin.obstacle(login, "CREATE TABLE t (a int)"), undefined);
        assert.equal((await admin.roles(name)).length, 5);
      },
      statements: 10,
    },
    {
      name: "grant",
      ids: "[DEP-025] [DEP-051]",
      prepare: (name) => driver.deployments.create(name, NONE),
      call: (name, by) => by.accounts.grant(name, `${name}-a`, NONE),
      verify: async (name) => {
        const { accountId, password } = await driver.accounts.grant(name, `${name}-a`, NONE);
        assert.equal(await admin.obstacle({ database: name, user: accountId, password }), undefined);
        assert.equal((await admin.roles(name)).length, 5);
        await driver.accounts.revoke(name, accountId);
        assert.equal((await admin.roles(name)).length, 4);
      },
      statements: 10,
    },
    {
      name: "revoke",
      ids: "[DEP-027] [DEP-051]",
      prepare: async (name) => {
        await driver.deployments.create(name, NONE);
        const { accountId, password } = await driver.accounts.grant(name, `${name}-a`, NONE);
        await admin.queryAs({ database: name, user: accountId, password }, "CREATE TABLE t (a int)");
      },
      call: (name, by) => by.accounts.revoke(name, `${name}-a`),
      verify: async (name) => {
        const roles = await admin.roles(name);
        assert.equal(roles.length, 5);
        const [row] = await admin.query("SELECT tableowner FROM pg_tables WHERE tablename = 't'", name);
        assert.match(String(row?.["tableowner"]), /^deployment-heir-/);
        assert.ok(roles.includes(String(row?.["tableowner"])));
      },
      statements: 10,
    },
    {
      name: "delete",
      ids: "[DEP-024] [DEP-051]",
      prepare: (name) => driver.deployments.create(name, NONE),
      call: (name, by) => by.deployments.delete(name),
      verify: async (name) => {
        assert.equal(await admin.databases(name), 0);
        assert.deepEqual(await admin.roles(name), []);
      },
      statements: 5,
    },
  ];

  for (const work of works) {
    for (const fate of ["lost before", "lost after"] as const) {
      it(`${work.name} is completed by a repeat, whichever statement was the last (connection ${fate} it) ${work.ids}`, async () => {
        for (let last = 1; ; last++) {
          const name = admin.name();
          await work.prepare(name);
          let count = 0;
          let lastStatement = "";
          setting.proxy.fateOf = (statement) => {
            if (++count !== last) return "pass";
            lastStatement = statement;
            return fate;
          };
          const kind = await work.call(name, driver).then(() => undefined, kindOf);
          setting.proxy.fateOf = () => "pass";
          setting.proxy.restore();
          if (count < last) {
            assert.ok(last > work.statements, `${last} statements`);
            assert.equal(kind, undefined);
            return;
          }
          const isDone = lastStatement.startsWith("SELECT pg_advisory_unlock");
          assert.equal(kind, isDone ? undefined : "unavailable", `statement ${last}`);
          await work.call(name, driver);
          await work.verify(name);
        }
      });
    }
  }

  for (const [index, opposite, undo, roles] of [
    [0, "delete", (name: string) => driver.deployments.delete(name), 0],
    [1, "revoke", (name: string) => driver.accounts.revoke(name, `${name}-a`), 4],
  ] as const) {
    const work = works[index];
    if (work === undefined) throw new Error(`there is no work ${index}`);

    for (const fate of ["lost before", "lost after"] as const) {
      it(`${work.name} is ended by a ${opposite}, whichever statement was the last (connection ${fate} it) [DEP-051]`, async () => {
        for (let last = 1; ; last++) {
          const name = admin.name();
          await work.prepare(name);
          let count = 0;
          setting.proxy.fateOf = () => (++count === last ? fate : "pass");
          await work.call(name, driver).catch(() => undefined);
          setting.proxy.fateOf = () => "pass";
          setting.proxy.restore();
          await undo(name);
          assert.equal((await admin.roles(name)).length, roles, `statement ${last}`);
          assert.equal(await admin.databases(name), roles === 0 ? 0 : 1, `statement ${last}`);
          if (count < last) return;
        }
      });
    }
  }

  it("create leaves nothing behind whose repeat is refused, as the server has an extension no more [DEP-056]", async () => {
    const name = admin.name();
    const extensions = (list: string) => new Map([["extensions", list]]);
    setting.proxy.fateOf = (statement) => (statement.startsWith("REVOKE ALL") ? "lost before" : "pass");
    await assert.rejects(driver.deployments.create(name, extensions("citext")));
    setting.proxy.fateOf = () => "pass";
    setting.proxy.restore();
    const { owner } = driver.deployments.rolesOf(name);
    const [row] = await admin.query(
      `SELECT shobj_description(oid, 'pg_authid') AS record FROM pg_roles WHERE rolname = '${owner}'`,
    );
    const record = String(row?.["record"]).replace("citext", "gone");
    await admin.query(`COMMENT ON ROLE "${owner}" IS '${record}'`);
    const kind = await driver.deployments.create(name, extensions("gone")).then(() => undefined, kindOf);
    assert.equal(kind, "out-of-range");
    assert.equal(await admin.databases(name), 0);
    assert.deepEqual(await admin.roles(name), []);
  });

  for (const [index, beginning] of [
    [0, "SELECT pg_advisory_lock"],
    [0, "CREATE ROLE"],
    [0, "COMMIT"],
    [0, "CREATE DATABASE"],
    [0, "REVOKE ALL"],
    [1, "CREATE ROLE"],
    [1, "COMMIT"],
    [2, "ALTER ROLE"],
    [2, "SELECT pid"],
    [2, "REASSIGN"],
    [2, "COMMIT"],
    [3, "DROP DATABASE"],
    [3, "DROP ROLE"],
  ] as const) {
    const work = works[index];
    if (work === undefined) throw new Error(`there is no work ${index}`);

    it(`${work.name} is completed after the driver was killed while the server was at ${beginning} ${work.ids}`, async () => {
      const name = admin.name();
      await work.prepare(name);
      const { driver: first, client } = await setting.startDriver();
      let killed: Promise<unknown> | undefined;
      setting.proxy.fateOf = (statement): Fate => {
        if (killed !== undefined || !statement.startsWith(beginning)) return "pass";
        // The server gets the statement all the same, and may go on with it while the next driver is asked.
        killed = first.stop("SIGKILL");
        return "lost during";
      };
      await refusal(callOf(client, work.name, name), status.UNAVAILABLE);
      assert.ok(killed !== undefined);
      await setting.proxy.loss();
      setting.proxy.restore();
      await work.call(name, setting.core());
      await work.verify(name);
    });
  }

  it("is answered, and holds nothing, where the network goes silent at its end; the driver ends when told to [DEP-051] [DEP-079]", async () => {
    const { driver: running, client } = await setting.startDriver();
    const name = admin.name();
    setting.proxy.silentAtEnd = true;
    await client.create(name, {}, ANSWERED_MS);
    await client.create(name, {}, ANSWERED_MS);
    setting.proxy.silentAtEnd = false;
    await client.create(name, {}, ANSWERED_MS);
    setting.proxy.silentAtEnd = true;
    await client.create(name, {}, ANSWERED_MS);
    assert.deepEqual(await running.stop("SIGTERM"), { code: 0, signal: null });
  });

  it("has only one process at work on a deployment at one time, and tells another one to come back", async () => {
    const name = admin.name();
    const { user, password } = setting.server;
    let letGo = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let atWork = 0;
    let most = 0;
    setting.proxy.fateOf = (statement) => {
      if (!statement.startsWith("SELECT shobj_description")) return "pass";
      atWork += 1;
      most = Math.max(most, atWork);
      return done.then(() => {
        atWork -= 1;
      });
    };
    const calls = [setting.core(), setting.core(), setting.core()].map((one) =>
      one.deployments.create(name, NONE),
    );
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    while ((await admin.queryAs({ database: "postgres", user, password }, waiting)).length < 2);
    letGo();
    await Promise.all(calls);
    assert.equal(most, 1);
    assert.equal(await admin.databases(name), 1);
  });
});

/** A call over the wire, to a driver that will be killed. */
function callOf(
  client: Awaited<ReturnType<Setting["startDriver"]>>["client"],
  work: string,
  name: string,
): Promise<unknown> {
  switch (work) {
    case "create":
      return client.create(name);
    case "grant":
      return client.grant(name, `${name}-a`);
    case "revoke":
      return client.revoke(name, `${name}-a`);
    default:
      return client.delete(name);
  }
}
