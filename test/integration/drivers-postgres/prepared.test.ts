import assert from "node:assert/strict";
import type { Driver } from "../../../drivers/postgres/core/driver";
import { type LocalPostgres, startLocalPostgres } from "../../../tools/local/postgres";
import { lockNumber } from "../../drivers/postgres/support/lock-number";
import { type Login, PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import { outcome } from "./core-setting";
import { coreAt } from "./setting";

const NO_LOGIN = ["28P01", "28000"];

describe("transactions that accounts of the PostgreSQL driver have prepared", function () {
  this.timeout(180_000);
  let server: LocalPostgres;
  let admin: PostgresAdmin;
  let driver: Driver;

  before(async () => {
    server = await startLocalPostgres({ settings: { max_prepared_transactions: "5" } });
    admin = new PostgresAdmin(server);
    driver = coreAt(server.environment);
  });

  after(() => server.stop());

  async function create(params: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = admin.name();
    await driver.deployments.create(name, new Map(Object.entries(params)));
    return name;
  }

  async function grant(database: string, mode: string): Promise<Login> {
    const params = new Map([["mode", mode]]);
    const { accountId, password } = await driver.accounts.grant(database, admin.name(), params);
    return { database, user: accountId, password };
  }

  const revoke = ({ database, user }: Login) => outcome(driver.accounts.revoke(database, user));
  const remove = (database: string) => outcome(driver.deployments.delete(database));

  async function assertOut(login: Login): Promise<void> {
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
  }

  it("do not hold off their end by a transaction that outlives their sessions [DEP-027]", async () => {
    const login = await grant(await create(), "readwrite");
    await admin.queryAs(
      login,
      `BEGIN; CREATE TABLE t (a int); ALTER ROLE "${login.user}" PASSWORD 'x'; PREPARE TRANSACTION 'left'`,
    );
    assert.equal(await revoke(login), "OK");
    assert.equal(await remove(login.database), "OK");
  });

  it("do not do so under the name of the common role of the administrators [DEP-027]", async () => {
    const login = await grant(await create(), "admin");
    await admin.queryAs(
      login,
      `BEGIN; SET ROLE NONE; ALTER ROLE "${login.user}" PASSWORD 'x'; RESET ROLE; PREPARE TRANSACTION 'common'`,
    );
    assert.equal(await revoke(login), "OK");
    await assertOut(login);
  });

  it("do not do so, nor hold off the calls of others, by a lock that the driver uses [DEP-027]", async () => {
    const login = await grant(await create(), "readonly");
    const other = await create();
    const locks = [`account ${login.user}`, `deployment ${other}`].map(
      (key) => `SELECT pg_advisory_xact_lock(${lockNumber(key)})`,
    );
    await admin.queryAs(
      { ...login, database: "postgres" },
      `BEGIN; ${locks.join("; ")}; PREPARE TRANSACTION 'locks'`,
    );
    assert.equal(await remove(other), "OK");
    assert.equal(await revoke(login), "OK");
    await assertOut(login);
  });

  it("do not keep a password from a repeated grant [DEP-025]", async () => {
    const login = await grant(await create(), "readonly");
    await admin.queryAs(
      login,
      `BEGIN; ALTER ROLE "${login.user}" PASSWORD 'mine'; PREPARE TRANSACTION 'password'`,
    );
    const again = driver.accounts.grant(login.database, login.user, new Map([["mode", "readonly"]]));
    assert.equal(await outcome(again), "OK");
    assert.deepEqual(await admin.query("SELECT FROM pg_prepared_xacts"), []);
  });

  it("count as contents of a database, which a delete drops only where it drops those [DEP-024]", async () => {
    for (const [onDelete, answer] of [
      ["refuse-tables", /^failed-precondition: its database holds 1 prepared transactions, such as "kept"/],
      ["drop", /^OK$/],
    ] as const) {
      const login = await grant(await create({ onDelete }), "admin");
      await admin.queryAs(login, "BEGIN; CREATE TABLE t AS SELECT 7 AS seven; PREPARE TRANSACTION 'kept'");
      assert.equal(await revoke(login), "OK");
      assert.match(await remove(login.database), answer);
      if (onDelete === "drop") {
        assert.equal(await admin.databases(login.database), 0);
        continue;
      }
      await admin.query("COMMIT PREPARED 'kept'", login.database);
      assert.deepEqual(await admin.query("SELECT seven FROM t", login.database), [{ seven: 7 }]);
      assert.match(await remove(login.database), /^failed-precondition: .*public\.t/);
    }
  });

  it("are named, and keep what they have made, where they hold off no more than the end of a role [DEP-027]", async () => {
    const login = await grant(await create(), "admin");
    await admin.queryAs(
      login,
      "BEGIN; SET ROLE NONE; CREATE TABLE t AS SELECT 7 AS seven; RESET ROLE; PREPARE TRANSACTION 'work'",
    );
    assert.match(await revoke(login), /^aborted: .*1 prepared transactions, such as "work"/);
    await assertOut(login);
    await admin.query("COMMIT PREPARED 'work'", login.database);
    assert.equal(await revoke(login), "OK");
    assert.deepEqual(await admin.query("SELECT seven FROM t", login.database), [{ seven: 7 }]);
  });

  it("are left alone where they are in nobody's way", async () => {
    const database = await create();
    const [keeper, leaver] = [await grant(database, "admin"), await grant(database, "readwrite")];
    await admin.queryAs(keeper, "BEGIN; CREATE TABLE t AS SELECT 7 AS seven; PREPARE TRANSACTION 'other'");
    const holder = await admin.connect(leaver);
    await holder.query(`BEGIN; ALTER ROLE "${leaver.user}" PASSWORD 'x'`);
    assert.equal(await revoke(leaver), "OK");
    await holder.end();
    await admin.query("COMMIT PREPARED 'other'", database);
    assert.deepEqual(await admin.query("SELECT seven FROM t", database), [{ seven: 7 }]);
  });
});
