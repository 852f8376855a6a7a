import assert from "node:assert/strict";
import type { Driver } from "../../../drivers/postgres/core/driver";
import type { Login, PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import { Setting } from "./setting";

const DENIED = "42501";

/** What an account tries, and the modes in which it may. */
const STATEMENTS: readonly (readonly [statement: string, ...modes: string[]])[] = [
  ["SELECT * FROM %", "readonly", "readwrite", "admin"],
  ["SELECT last_value FROM %_id_seq", "readonly", "readwrite", "admin"],
  ["INSERT INTO % (text) VALUES ('new')", "readwrite", "admin"],
  ["UPDATE % SET text = 'newer'", "readwrite", "admin"],
  ["DELETE FROM %", "readwrite", "admin"],
  ["TRUNCATE %", "readwrite", "admin"],
  ["ALTER TABLE % ADD COLUMN more int", "admin"],
  ["DROP TABLE %", "admin"],
];

describe("rights of the accounts of the PostgreSQL driver", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: PostgresAdmin;
  let driver: Driver;
  let database: string;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    driver = setting.core();
  });

  after(() => setting.stop());

  beforeEach(async () => {
    database = admin.name();
    await driver.deployments.create(database, new Map());
  });

  async function grant(mode: string): Promise<Login> {
    const { accountId, password } = await driver.accounts.grant(
      database,
      `${admin.name()}-${mode}`,
      new Map([["mode", mode]]),
    );
    return { database, user: accountId, password };
  }

  async function mayOnly(login: Login, mode: string, table: string): Promise<void> {
    for (const [statement, ...modes] of STATEMENTS) {
      const text = `BEGIN; ${statement.replaceAll("%", table)}; ROLLBACK`;
      const obstacle = await admin.obstacle(login, text);
      assert.equal(obstacle, modes.includes(mode) ? undefined : DENIED, `${mode}: ${text}`);
    }
  }

  for (const mode of ["readonly", "readwrite", "admin"]) {
    for (const maker of ["readwrite", "admin", "revoked readwrite"]) {
      it(`${mode}: has its rights, and no others, to tables that a ${maker} account makes before and after it`, async () => {
        const other = await grant(maker.replace("revoked ", ""));
        const make = (table: string) => admin.queryAs(other, `CREATE TABLE ${table} (id serial, text text)`);
        await make("early");
        const login = await grant(mode);
        await make("late");
        if (maker.startsWith("revoked")) await driver.accounts.revoke(database, other.user);
        await mayOnly(login, mode, "early");
        await mayOnly(login, mode, "late");
      });
    }

    it(`${mode}: may do nothing to the database itself, nor to roles, nor in another one of the driver`, async () => {
      const login = await grant(mode);
      const other = admin.name();
      await driver.deployments.create(other, new Map());
      const elsewhere = { ...login, database: other };
      assert.equal(await admin.obstacle(elsewhere), DENIED);
      const statements = [
        `ALTER DATABASE "${database}" RENAME TO taken`,
        `ALTER DATABASE "${database}" CONNECTION LIMIT 1`,
        `ALTER DATABASE "${database}" SET search_path = x`,
        `GRANT CONNECT ON DATABASE "${database}" TO PUBLIC`,
        `DROP DATABASE "${other}"`,
        `CREATE DATABASE "${admin.name()}"`,
        `CREATE ROLE "${admin.name()}"`,
        `COMMENT ON ROLE "${login.user}" IS 'forged'`,
        `SET ROLE "${driver.deployments.rolesOf(database).owner}"`,
        `SET ROLE "${setting.server.user}"`,
        "CREATE EXTENSION file_fdw",
        "COPY (SELECT 1) TO PROGRAM 'true'",
      ];
      for (const statement of statements) {
        const obstacle = await admin.obstacle(login, statement);
        // A grant of what one does not have is a warning, and no error.
        assert.ok(obstacle === DENIED || statement.startsWith("GRANT"), `${String(obstacle)}: ${statement}`);
      }
      const dropped = await admin.obstacle({ ...login, database: "postgres" }, `DROP DATABASE "${database}"`);
      assert.equal(dropped, DENIED);
      assert.equal(await admin.obstacle({ ...login, database: other }), DENIED);
      const third = await grant("readonly");
      assert.equal(await admin.obstacle({ ...third, database: other }), DENIED);
    });
  }

  it("an account of another database, and a role of nobody's, cannot connect", async () => {
    const outsider = admin.name();
    await admin.query(`CREATE ROLE "${outsider}" LOGIN PASSWORD 'own'`);
    assert.equal(await admin.obstacle({ database, user: outsider, password: "own" }), DENIED);
    const [row] = await admin.query(
      `SELECT datacl::text AS acl FROM pg_database WHERE datname = '${database}'`,
    );
    // An entry without a name before the equals sign is one for PUBLIC.
    assert.doesNotMatch(String(row?.["acl"]), /[{,]=/);
  });

  it("a readonly account makes nothing, not even a temporary table", async () => {
    const login = await grant("readonly");
    assert.equal(await admin.obstacle(login, "CREATE TABLE t (a int)"), DENIED);
    assert.equal(await admin.obstacle(login, "CREATE TEMP TABLE t (a int)"), DENIED);
    assert.equal(await admin.obstacle(login, "CREATE SCHEMA s"), DENIED);
  });

  it("a readwrite account makes tables in public and refers to those of others; it makes no schema", async () => {
    const [one, two] = [await grant("readwrite"), await grant("readwrite")];
    await admin.queryAs(one, "CREATE TABLE parent (id int PRIMARY KEY); CREATE TEMP TABLE t (a int)");
    await admin.queryAs(two, "CREATE TABLE child (id int REFERENCES parent)");
    assert.equal(await admin.obstacle(two, "DROP TABLE parent"), DENIED);
    assert.equal(await admin.obstacle(two, "CREATE SCHEMA s"), DENIED);
  });

  it("what an admin account makes belongs to all of them, in schemas that others may use too", async () => {
    const [one, two, reader] = [await grant("admin"), await grant("admin"), await grant("readonly")];
    await admin.queryAs(one, "CREATE SCHEMA app; CREATE TABLE app.t (a int); CREATE EXTENSION citext");
    assert.equal(await admin.obstacle(reader, "SELECT * FROM app.t"), undefined);
    await admin.queryAs(two, "ALTER TABLE app.t ADD COLUMN b int; DROP EXTENSION citext");
    // Even one that has laid the common role down.
    await admin.queryAs(one, "RESET ROLE; SET ROLE NONE; CREATE TABLE app2 (a int)");
    assert.equal(await admin.obstacle(reader, "SELECT * FROM app2"), undefined);
    await driver.accounts.revoke(database, one.user);
    assert.equal(await admin.obstacle(two, "DROP SCHEMA app CASCADE; DROP TABLE app2"), undefined);
  });

  it("settings and functions that an account leaves in its database do not get in the driver's way", async () => {
    const login = await grant("admin");
    await admin.queryAs(
      login,
      `CREATE FUNCTION public.quote_ident(text) RETURNS text LANGUAGE plpgsql AS $$BEGIN RAISE 'trapped'; END$$;
       CREATE TABLE public.pg_class (a int); CREATE TABLE public.pg_roles (a int)`,
    );
    await admin.query(
      `ALTER DATABASE "${database}" SET search_path = public, pg_catalog;
       ALTER DATABASE "${database}" SET default_transaction_read_only = on;
       ALTER DATABASE "${database}" SET statement_timeout = 1;
       ALTER DATABASE "${database}" SET role = '${login.user}'`,
    );
    const { accountId } = await driver.accounts.grant(database, admin.name(), new Map());
    await driver.accounts.revoke(database, accountId);
    await driver.accounts.revoke(database, login.user);
    await assert.rejects(driver.deployments.delete(database), /public\.pg_class, public\.pg_roles/);
  });

  it("the databases of the server itself keep their rights", async () => {
    const look = () =>
      admin.query(
        `SELECT datname, datacl::text FROM pg_database
          WHERE datname IN ('postgres', 'template0', 'template1') ORDER BY 1`,
      );
    const before = await look();
    const login = await grant("readwrite");
    assert.equal(await admin.obstacle({ ...login, database: "postgres" }), undefined);
    assert.equal(await admin.obstacle({ ...login, database: "postgres" }, "CREATE TABLE t (a int)"), DENIED);
    assert.deepEqual(await look(), before);
  });
});
