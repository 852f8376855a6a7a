import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import { lockNumber } from "../../drivers/postgres/support/lock-number";
import { CoreSetting, outcome } from "./core-setting";

const DENIED = "42501";
const WRONG_PASSWORD = "28P01";
const NO_LOGIN = [WRONG_PASSWORD, "28000"];

/** The first version in which an administrator of a database cannot become another account. */
const SEPARATE_ACCOUNTS = 160_000;

describe("accounts that get in the way of the PostgreSQL driver", function () {
  this.timeout(180_000);
  let core: CoreSetting;
  let admin: PostgresAdmin;

  before(async () => {
    core = await CoreSetting.start();
    admin = core.setting.admin;
  });

  after(() => core.setting.stop());

  beforeEach(() => {
    core.setting.proxy.fateOf = () => "pass";
  });

  async function version(): Promise<number> {
    const [row] = await admin.query("SELECT current_setting('server_version_num')::int AS version");
    return Number(row?.["version"]);
  }

  it("do not hold off their end, nor the calls of others, by a lock that the driver uses [DEP-027]", async () => {
    const database = await core.deployment();
    const login = await core.grant(database, { mode: "readonly" });
    const other = await core.deployment();
    const holder = await admin.connect({ ...login, database: "postgres" });
    for (const key of [`account ${login.user}`, `deployment ${other}`]) {
      await holder.query(`SELECT pg_advisory_lock(${lockNumber(key)})`);
    }
    await core.grant(other);
    assert.equal(await core.revoke(login), "OK");
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
    await holder.end();
  });

  it("do not hold off their end by a transaction that changes their own role [DEP-027]", async () => {
    const login = await core.grant(await core.deployment(), { mode: "readonly" });
    const holder = await admin.connect(login);
    await holder.query(`BEGIN; ALTER ROLE "${login.user}" PASSWORD 'x'`);
    assert.equal(await core.revoke(login), "OK");
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
    await holder.end();
  });

  it("as administrators do not hold off the end of another one whom they may become, in version 15 [DEP-027]", async function () {
    if ((await version()) >= SEPARATE_ACCOUNTS) this.skip();
    const database = await core.deployment();
    const [keeper, writer] = [await core.grant(database, { mode: "admin" }), await core.grant(database)];
    const holder = await admin.connect(keeper);
    await holder.query(`BEGIN; SET ROLE "${writer.user}"; ALTER ROLE "${writer.user}" PASSWORD 'x'`);
    assert.equal(await core.revoke(writer), "OK");
    assert.ok(NO_LOGIN.includes((await admin.obstacle(writer)) ?? ""));
    assert.equal(await admin.obstacle(keeper), undefined);
    await holder.end();
  });

  for (const [what, change] of [
    ["the password", "PASSWORD 'mine'"],
    ["a setting", "IN DATABASE % SET work_mem = '1MB'"],
  ] as const) {
    it(`do not keep their password from a repeated grant by a transaction that changes ${what} [DEP-025]`, async () => {
      const login = await core.grant(await core.deployment(), { mode: "admin" });
      const [holder, other] = [await admin.connect(login), await admin.connect(login)];
      await holder.query("BEGIN; SET ROLE NONE");
      await holder.query(`ALTER ROLE "${login.user}" ${change.replace("%", `"${login.database}"`)}`);
      const again = core.driver.accounts.grant(login.database, login.user, new Map([["mode", "admin"]]));
      assert.equal(await outcome(again), "OK");
      assert.equal(await admin.obstacle(login), WRONG_PASSWORD);
      assert.equal(await admin.obstacle({ ...login, password: (await again).password }), undefined);
      // A session that is not in the way stays.
      await other.query("SELECT 1");
      await Promise.all([holder.end(), other.end()]);
    });
  }

  it("do not hold off the delete of another deployment, nor keep its roles [DEP-024]", async () => {
    const login = await core.grant(await core.deployment());
    await admin.queryAs(login, "CREATE TABLE mine (a int)");
    const other = await core.deployment();
    const { reader } = core.driver.deployments.rolesOf(other);
    for (const statement of [
      `ALTER ROLE "${login.user}" IN DATABASE "${other}" SET work_mem = '1MB'`,
      `GRANT SELECT ON mine TO "${reader}"`,
    ]) {
      await core.driver.deployments.create(other, new Map());
      const holder = await admin.connect(login);
      await holder.query(`BEGIN; ${statement}`);
      assert.equal(await core.delete(other), "OK");
      assert.deepEqual(await admin.roles(other), []);
      await holder.end();
    }
  });

  it("as administrators of a database, become no other account and change no password, from version 16 on [DEP-026]", async function () {
    if ((await version()) < SEPARATE_ACCOUNTS) this.skip();
    const database = await core.deployment();
    const [keeper, writer] = [await core.grant(database, { mode: "admin" }), await core.grant(database)];
    await admin.queryAs(writer, "CREATE TABLE mine (a int)");
    assert.equal(
      await admin.obstacle(keeper, "ALTER TABLE mine ADD COLUMN b int; DROP TABLE mine"),
      undefined,
    );
    for (const statement of [
      `SET ROLE "${writer.user}"`,
      `ALTER ROLE "${writer.user}" PASSWORD 'stolen'`,
      `ALTER ROLE "${writer.user}" RENAME TO stolen`,
    ]) {
      assert.equal(await admin.obstacle(keeper, statement), DENIED, statement);
    }
    assert.equal(await admin.obstacle(writer), undefined);
  });

  it("do not get into a new deployment before its rights are set", async () => {
    const login = await core.grant(await core.deployment());
    const name = admin.name();
    const { user, password } = core.setting.server;
    const tried: (string | undefined)[] = [];
    core.setting.proxy.fateOf = (statement) => {
      if (!statement.startsWith("REVOKE ALL ON DATABASE")) return "pass";
      return (async () => {
        tried.push(await admin.obstacle({ ...login, database: name }));
        tried.push(await admin.obstacle({ user, password, database: name }));
      })();
    };
    await core.driver.deployments.create(name, new Map());
    assert.deepEqual(tried, ["55000", "55000"]);
    assert.equal(await admin.obstacle({ ...login, database: name }), DENIED);
  });

  it("with the mode readonly write nothing, not even a large object", async () => {
    const database = await core.deployment();
    const [reader, writer] = [await core.grant(database, { mode: "readonly" }), await core.grant(database)];
    for (const call of ["lo_from_bytea(0, 'x')", "lo_create(0)", "lo_creat(0)"]) {
      assert.equal(await admin.obstacle(reader, `SELECT ${call}`), DENIED, call);
      assert.equal(await admin.obstacle(writer, `SELECT ${call}`), undefined, call);
    }
  });

  it("under a role that somebody has renamed are found and ended [DEP-027]", async () => {
    const login = await core.grant(await core.deployment());
    const renamed = { ...login, user: `${login.user}-x` };
    await admin.query(`ALTER ROLE "${login.user}" RENAME TO "${renamed.user}"`);
    const again = core.driver.accounts.grant(login.database, login.user, new Map());
    assert.match(await outcome(again), /^already-exists: .*renamed/);
    assert.equal(await admin.obstacle(renamed), undefined);
    assert.equal(await core.revoke(login), "OK");
    assert.ok(NO_LOGIN.includes((await admin.obstacle(renamed)) ?? ""));
  });

  it("who own something at a refused revoke are let in again, also after one that was cut short", async () => {
    const login = await core.grant(await core.deployment(), { onRevoke: "refuse" });
    const open = await admin.connect(login);
    await open.query("BEGIN; CREATE TABLE mine (a int)"); // Nobody else sees it yet.
    let cut = false;
    core.setting.proxy.fateOf = (statement) => {
      if (cut || !statement.startsWith("ALTER ROLE")) return "pass";
      cut = true;
      return "lost after";
    };
    // With the session ends what it was about to make; a superuser then gives the account something.
    assert.match(await core.revoke(login), /^unavailable/);
    await open.end();
    core.setting.proxy.restore();
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
    await admin.query(`CREATE TABLE mine (a int); ALTER TABLE mine OWNER TO "${login.user}"`, login.database);
    assert.match(await core.revoke(login), /^failed-precondition/);
    assert.equal(await admin.obstacle(login), undefined);
    // One that an administrator of the server has locked out stays so.
    await admin.query(`ALTER ROLE "${login.user}" NOLOGIN`);
    assert.match(await core.revoke(login), /^failed-precondition/);
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
  });

  it("do not make a third one wait for long by reading what a revoke hands over", async () => {
    const database = await core.deployment();
    const [leaver, reader] = [await core.grant(database), await core.grant(database, { mode: "readonly" })];
    await admin.queryAs(leaver, "CREATE TABLE t (a int)");
    const idle = await admin.connect(reader);
    await idle.query("BEGIN; SELECT * FROM t");
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'";
    const revoked = core.revoke(leaver);
    while ((await admin.query(waiting)).length === 0) await sleep(20);
    // The attempt that is under way, and every later one, gives way long before twenty seconds.
    await admin.queryAs(reader, "SET lock_timeout = '10s'; SELECT * FROM t");
    await idle.query("COMMIT");
    assert.equal(await revoked, "OK");
    await idle.end();
  });

  it("are known to a driver whose name differs in case alone [DEP-027]", async () => {
    const login = await core.grant(await core.deployment());
    const other = core.setting.core({ POSTGRES_DRIVER_NAME: core.driver.name.toUpperCase() });
    assert.equal(await outcome(other.accounts.revoke(login.database, login.user)), "OK");
    assert.equal(await outcome(other.deployments.delete(login.database)), "OK");
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
  });

  it("cannot have a name that their database cannot tell", async () => {
    const database = await core.deployment({ encoding: "LATIN1", locale: "C" });
    const account = `${admin.name()}-é`;
    const granted = core.driver.accounts.grant(database, account, new Map());
    assert.match(await outcome(granted), /^invalid-argument: name has non-ASCII characters/);
    const latin = new Map([
      ["encoding", "LATIN1"],
      ["locale", "C"],
    ]);
    const created = core.driver.deployments.create(account, latin);
    assert.match(await outcome(created), /^invalid-argument: name has non-ASCII characters/);
    assert.deepEqual(await admin.roles(account.slice(0, -2)), []);
    assert.equal(await admin.databases(account), 0);
  });

  it("that are there are not said to be none where their database, made anew, cannot tell their name", async () => {
    const database = await core.deployment();
    const account = `${admin.name()}-é`;
    const grant = () => outcome(core.driver.accounts.grant(database, account, new Map()));
    assert.equal(await grant(), "OK");
    await admin.query(`DROP DATABASE "${database}"`);
    const latin = new Map([
      ["encoding", "LATIN1"],
      ["locale", "C"],
    ]);
    await core.driver.deployments.create(database, latin);
    assert.match(await grant(), /^failed-precondition: the account is there, and the driver cannot .*ASCII/);
  });
});
