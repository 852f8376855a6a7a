import assert from "node:assert/strict";
import type { Login, PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import { CoreSetting } from "./core-setting";

const DENIED = "42501";

/** A function that does, with the rights of its owner, whatever it is told. */
const definer = (name: string) =>
  `CREATE FUNCTION public.${name}(t text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN EXECUTE t; END'`;

describe("what a revoked account of the PostgreSQL driver leaves behind", function () {
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

  /** A transaction of a superuser, in which a role makes a table, and its end at the first statement that begins so. */
  async function madeAt(beginning: string, role: string, database: string): Promise<void> {
    const { user, password } = core.setting.server;
    const open = await admin.connect({ database, user, password });
    await open.query(`BEGIN; SET ROLE "${role}"; CREATE TABLE public.late AS SELECT 7 AS seven`);
    let ended: Promise<void> | undefined;
    core.setting.proxy.fateOf = (statement) => {
      if (ended !== undefined || !statement.startsWith(beginning)) return "pass";
      return (ended = open.query("COMMIT").then(() => open.end()));
    };
  }

  const OWNER_OF_LATE = "SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'late'";

  async function isSuperuser({ user }: Login): Promise<unknown> {
    const [row] = await admin.query(`SELECT rolsuper FROM pg_roles WHERE rolname = '${user}'`);
    return row?.["rolsuper"];
  }

  /** The role that a thing belongs to, as a query tells it. */
  async function ownerOf(query: string, database: string): Promise<string> {
    const [row] = await admin.query(query, database);
    return String(row?.["owner"]);
  }

  it("works with no right of the administrators, nor with any that it had to write [DEP-027]", async () => {
    const database = await core.deployment();
    const [leaver, keeper, reader] = [
      await core.grant(database),
      await core.grant(database, { mode: "admin" }),
      await core.grant(database, { mode: "readonly" }),
    ];
    await admin.queryAs(keeper, "CREATE TABLE precious (a int)");
    await admin.queryAs(leaver, definer("run"));
    assert.equal(await core.revoke(leaver), "OK");
    for (const statement of ["DROP TABLE public.precious", "INSERT INTO public.precious VALUES (1)"]) {
      assert.equal(await admin.obstacle(reader, `SELECT public.run('${statement}')`), DENIED, statement);
    }
  });

  // The one ends between two attempts, the other one within an attempt.
  for (const beginning of ["ROLLBACK", "DROP OWNED"]) {
    it(`keeps the data of what a superuser made in its name while it was revoked, up to ${beginning} [DEP-027]`, async () => {
      const leaver = await core.grant(await core.deployment());
      await madeAt(beginning, leaver.user, leaver.database);
      assert.equal(await core.revoke(leaver), "OK");
      assert.match(await ownerOf(OWNER_OF_LATE, leaver.database), /^deployment-heir-/);
      assert.deepEqual(await admin.query("SELECT seven FROM late", leaver.database), [{ seven: 7 }]);
    });

    it(`refuses its end, if granted so, by what a superuser made in its name meanwhile, up to ${beginning} [DEP-027]`, async () => {
      const leaver = await core.grant(await core.deployment(), { onRevoke: "refuse" });
      await madeAt(beginning, leaver.user, leaver.database);
      assert.match(await core.revoke(leaver), /^failed-precondition: it owns 1 /);
      assert.equal(await ownerOf(OWNER_OF_LATE, leaver.database), leaver.user);
      assert.equal(await admin.obstacle(leaver), undefined);
    });
  }

  it("keeps its data in other databases too, as does what a role of the deployment leaves [DEP-024] [DEP-027]", async () => {
    const leaver = await core.grant(await core.deployment());
    const { admin: admins } = core.driver.deployments.rolesOf(leaver.database);
    for (const [role, end] of [
      [leaver.user, () => core.revoke(leaver)],
      [admins, () => core.delete(leaver.database)],
    ] as const) {
      await admin.query(`GRANT CREATE ON SCHEMA public TO "${role}"`);
      await madeAt("DROP OWNED", role, "postgres");
      try {
        assert.equal(await end(), "OK");
        assert.match(await ownerOf(OWNER_OF_LATE, "postgres"), /^deployment-rest-/);
      } finally {
        await admin.query("DROP TABLE IF EXISTS late");
      }
    }
  });

  it("gets at nothing that another revoked account has left, not by its views either", async () => {
    const database = await core.deployment();
    const [one, two, reader] = [
      await core.grant(database),
      await core.grant(database),
      await core.grant(database, { mode: "readonly" }),
    ];
    const { reader: readers, writer: writers } = core.driver.deployments.rolesOf(database);
    await admin.queryAs(
      two,
      `CREATE TABLE hidden AS SELECT 42 AS a; REVOKE ALL ON hidden FROM "${readers}", "${writers}"`,
    );
    await admin.queryAs(one, `CREATE VIEW peek AS SELECT * FROM hidden; ${definer("run")}`);
    assert.equal(await admin.obstacle(reader, "SELECT * FROM peek"), DENIED);
    assert.equal(await core.revoke(one), "OK");
    assert.equal(await core.revoke(two), "OK");
    assert.equal(await admin.obstacle(reader, "SELECT * FROM peek"), DENIED);
    assert.equal(await admin.obstacle(reader, "SELECT run('DROP TABLE public.hidden')"), DENIED);
  });

  it("shows no more what was taken from everybody [DEP-027]", async () => {
    const database = await core.deployment();
    const [leaver, keeper, reader] = [
      await core.grant(database),
      await core.grant(database, { mode: "admin" }),
      await core.grant(database, { mode: "readonly" }),
    ];
    const { reader: readers, writer: writers } = core.driver.deployments.rolesOf(database);
    await admin.queryAs(
      keeper,
      `CREATE TABLE salaries AS SELECT 42 AS a; REVOKE ALL ON salaries FROM "${readers}", "${writers}"`,
    );
    await admin.queryAs(leaver, "CREATE VIEW v AS SELECT * FROM salaries");
    assert.equal(await core.revoke(leaver), "OK");
    assert.equal(await admin.obstacle(reader, "SELECT * FROM v"), DENIED);
  });

  it("goes on to serve the other accounts, and is the administrators' to alter, to take and to drop", async () => {
    const database = await core.deployment();
    const [leaver, keeper, writer, reader] = [
      await core.grant(database),
      await core.grant(database, { mode: "admin" }),
      await core.grant(database),
      await core.grant(database, { mode: "readonly" }),
    ];
    const { admin: admins, reader: readers } = core.driver.deployments.rolesOf(database);
    await admin.queryAs(keeper, "CREATE TABLE base (id int PRIMARY KEY)");
    await admin.queryAs(
      leaver,
      `CREATE TABLE t (id serial PRIMARY KEY, base int REFERENCES base); CREATE VIEW v AS SELECT * FROM t;
       CREATE TABLE rows_ AS SELECT 1 AS a UNION SELECT 2; REVOKE ALL ON rows_ FROM "${readers}";
       CREATE VIEW one AS SELECT * FROM rows_ WHERE a = 1; CREATE VIEW all_base AS SELECT * FROM base;
       CREATE MATERIALIZED VIEW m AS SELECT * FROM base; CREATE TYPE mood AS ENUM ('good'); ${definer("run")}`,
    );
    await admin.queryAs(leaver, "SELECT lo_create(4711)");
    assert.equal(await core.revoke(leaver), "OK");
    await admin.queryAs(writer, "INSERT INTO base VALUES (1); INSERT INTO t (base) VALUES (1)");
    await admin.queryAs(writer, "DELETE FROM t; DELETE FROM base");
    assert.deepEqual(await admin.queryAs(reader, "SELECT * FROM one"), [{ a: 1 }]);
    assert.equal(await admin.obstacle(reader, "SELECT * FROM v, all_base, m"), undefined);
    await admin.queryAs(
      keeper,
      `ALTER TABLE t ADD COLUMN more int; ALTER FUNCTION run OWNER TO "${admins}"; REFRESH MATERIALIZED VIEW m;
       DROP TABLE t, rows_ CASCADE; DROP VIEW all_base; DROP MATERIALIZED VIEW m; DROP TYPE mood; DROP TABLE base;
       SELECT lo_unlink(4711)`,
    );
    // The role that owned it goes with the next one that leaves.
    assert.equal(await core.revoke(writer), "OK");
    assert.equal(
      (await admin.roles(database)).filter((role) => role.startsWith("deployment-heir")).length,
      0,
    );
    assert.equal(await core.revoke(keeper), "OK");
    assert.equal(await core.revoke(reader), "OK");
    assert.equal(await core.delete(database), "OK");
    assert.deepEqual(await admin.roles(database), []);
  });

  for (const [what, change] of [
    ["has been given to somebody else", "OWNER TO CURRENT_USER"],
    ["has been renamed", 'RENAME TO "%-old"'],
  ] as const) {
    it(`never becomes the server administrator's where the database ${what} [DEP-026]`, async () => {
      const database = await core.deployment();
      const [leaver, reader] = [await core.grant(database), await core.grant(database, { mode: "readonly" })];
      await admin.queryAs(leaver, definer("run"));
      await admin.query(`ALTER DATABASE "${database}" ${change.replace("%", database)}`);
      assert.equal(await core.revoke(leaver), "OK");
      const there = change.startsWith("RENAME") ? `${database}-old` : database;
      const lift = `SELECT public.run('ALTER ROLE "${reader.user}" SUPERUSER')`;
      assert.equal(await admin.obstacle({ ...reader, database: there }, lift), DENIED);
      assert.equal(await isSuperuser(reader), false);
      assert.match(await core.delete(database), /^failed-precondition/);
      assert.equal(await admin.databases(there), 1);
    });
  }

  it("never becomes the server administrator's in a database of the server that is open to all [DEP-026]", async () => {
    const database = await core.deployment();
    const [leaver, keeper, reader] = [
      await core.grant(database, { mode: "readonly" }),
      await core.grant(database, { mode: "admin" }),
      await core.grant(await core.deployment(), { mode: "readonly" }),
    ];
    const at = { database: "postgres" };
    await admin.query("GRANT CREATE ON SCHEMA public TO PUBLIC");
    try {
      await admin.queryAs({ ...leaver, ...at }, definer("run1"));
      const { admin: admins } = core.driver.deployments.rolesOf(database);
      await admin.queryAs({ ...keeper, ...at }, `SET ROLE "${admins}"; ${definer("run2")}`);
      assert.equal(await core.revoke(leaver), "OK");
      assert.equal(await core.revoke(keeper), "OK");
      assert.equal(await core.delete(database), "OK");
      for (const name of ["run1", "run2"]) {
        const lift = `SELECT public.${name}('ALTER ROLE "${reader.user}" SUPERUSER')`;
        assert.equal(await admin.obstacle({ ...reader, ...at }, lift), DENIED);
        const query = `SELECT pg_get_userbyid(proowner) AS owner FROM pg_proc WHERE proname = '${name}'`;
        assert.match(await ownerOf(query, "postgres"), /^deployment-rest-/);
      }
      assert.equal(await isSuperuser(reader), false);
    } finally {
      await admin.query("REVOKE CREATE ON SCHEMA public FROM PUBLIC; DROP FUNCTION IF EXISTS run1, run2");
    }
  });

  it("gives a database that it owned to nobody of the deployment", async () => {
    const database = await core.deployment();
    const [leaver, keeper, careful] = [
      await core.grant(database),
      await core.grant(database, { mode: "admin" }),
      await core.grant(database, { onRevoke: "refuse" }),
    ];
    const [one, two] = [admin.name(), admin.name()];
    await admin.query(`CREATE DATABASE "${one}" OWNER "${leaver.user}"`);
    await admin.query(`CREATE DATABASE "${two}" OWNER "${careful.user}"`);
    assert.equal(await core.revoke(leaver), "OK");
    assert.equal(await admin.obstacle(keeper, `DROP DATABASE "${one}"`), DENIED);
    assert.match(await core.revoke(careful), /^failed-precondition: it owns 1 databases/);
    assert.equal(await admin.obstacle(careful), undefined);
  });

  it("does not keep a role from going that was given rights elsewhere, the database there or not [DEP-024] [DEP-027]", async () => {
    const [here, gone] = [await core.deployment(), await core.deployment()];
    const [first, second] = [await core.grant(here), await core.grant(gone)];
    const { reader } = core.driver.deployments.rolesOf(here);
    await admin.query(
      `GRANT CONNECT ON DATABASE postgres TO "${first.user}", "${second.user}", "${reader}";
       GRANT SET ON PARAMETER log_min_messages TO "${first.user}", "${second.user}", "${reader}"`,
    );
    await admin.query(`DROP DATABASE "${gone}"`);
    assert.equal(await core.revoke(first), "OK");
    assert.equal(await core.revoke(second), "OK");
    assert.equal(await core.delete(here), "OK");
    assert.equal(await core.delete(gone), "OK");
    assert.deepEqual([...(await admin.roles(here)), ...(await admin.roles(gone))], []);
  });

  it("goes with a database whose drop was cut short [DEP-024] [DEP-027]", async () => {
    const database = await core.deployment();
    const leaver = await core.grant(database, { onRevoke: "refuse" });
    await admin.queryAs(leaver, "CREATE TABLE t (a int)");
    await admin.query(`UPDATE pg_database SET datconnlimit = -2 WHERE datname = '${database}'`);
    assert.equal(await core.revoke(leaver), "OK");
    assert.equal(await core.delete(database), "OK");
    assert.deepEqual(await admin.roles(database), []);
  });

  it("counts as contents also where an administrator has put it into an extension", async () => {
    const database = await core.deployment({ extensions: "citext" });
    const keeper = await core.grant(database, { mode: "admin" });
    await admin.queryAs(keeper, "CREATE TABLE precious (a int); ALTER EXTENSION citext ADD TABLE precious");
    assert.equal(await core.revoke(keeper), "OK");
    assert.match(await core.delete(database), /^failed-precondition: .*public\.precious/);
  });
});
