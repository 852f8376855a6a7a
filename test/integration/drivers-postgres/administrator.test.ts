import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalPostgres, type LocalPostgres } from "../../../tools/local/postgres";
import { refusal } from "../../drivers/common/calls";
import { lockNumber } from "../../drivers/postgres/support/lock-number";
import { type PostgresAdmin, loginOf } from "../../drivers/postgres/support/postgres-admin";
import { CertificateAuthority } from "../../support/certificate-authority";
import { Setting } from "./setting";

describe("the administrator of the PostgreSQL driver", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: PostgresAdmin;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
  });

  after(() => setting.stop());

  /** A role with a password, by which a driver is to work. */
  async function makeRole(attributes: string): Promise<Record<string, string>> {
    const name = admin.name();
    await admin.query(`CREATE ROLE "${name}" LOGIN PASSWORD 'own' ${attributes}`);
    return { PGUSER: name, PGPASSWORD: "own" };
  }

  for (const inherit of ["INHERIT", "NOINHERIT"]) {
    it(`needs no more than CREATEDB and CREATEROLE for the whole life of a deployment, from version 16 on also with ${inherit}`, async () => {
      const [row] = await admin.query("SELECT current_setting('server_version_num')::int AS version");
      const attributes = Number(row?.["version"]) >= 160_000 ? inherit : "INHERIT";
      const { client } = await setting.startDriver(await makeRole(`CREATEDB CREATEROLE ${attributes}`));
      const deployment = admin.name();
      await client.create(deployment, { extensions: "citext" });
      await client.create(deployment, { extensions: "citext" });
      const logins = [];
      for (const mode of ["readonly", "readwrite", "admin"]) {
        logins.push(loginOf(await client.grant(deployment, `${admin.name()}-${mode}`, { mode })));
      }
      const [reader, writer, keeper] = logins;
      assert.ok(reader !== undefined && writer !== undefined && keeper !== undefined);
      await admin.queryAs(
        writer,
        `CREATE TABLE t (a serial PRIMARY KEY); CREATE VIEW v AS SELECT * FROM t; CREATE TYPE mood AS ENUM ('good');
         CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`,
      );
      await admin.queryAs(
        keeper,
        "SET ROLE NONE; CREATE SCHEMA own; CREATE FUNCTION own.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      );
      await admin.queryAs(
        keeper,
        "ALTER TABLE t ADD COLUMN b int; CREATE SCHEMA app; CREATE TABLE app.t (a int)",
      );
      await admin.queryAs(reader, "SELECT * FROM t, app.t");
      const again = loginOf(await client.grant(deployment, writer.user, { mode: "readwrite" }));
      assert.equal(await admin.obstacle(writer), "28P01");
      const open = await admin.connect(again);
      await client.revoke(deployment, writer.user);
      await assert.rejects(open.query("SELECT 1"));
      assert.equal(await admin.obstacle(reader, "SELECT * FROM t"), undefined);
      assert.equal(await admin.obstacle(keeper, "DROP TABLE t CASCADE; DROP SCHEMA app CASCADE"), undefined);
      await client.revoke(deployment, reader.user);
      await client.revoke(deployment, keeper.user);
      await client.delete(deployment);
      assert.equal(await admin.databases(deployment), 0);
      assert.deepEqual(await admin.roles(deployment), []);
    });
  }

  it("works where nobody may connect to the maintenance database but those to whom README says to grant it", async () => {
    const role = await makeRole("CREATEDB CREATEROLE");
    await admin.query(
      `GRANT CONNECT ON DATABASE postgres TO "${role["PGUSER"] ?? ""}"; REVOKE CONNECT ON DATABASE postgres FROM PUBLIC`,
    );
    try {
      const driver = setting.core(role);
      const name = admin.name();
      await driver.deployments.create(name, new Map());
      const { accountId, password } = await driver.accounts.grant(name, admin.name(), new Map());
      const login = { database: "postgres", user: accountId, password };
      assert.equal(await admin.obstacle(login), "42501");
      await driver.accounts.revoke(name, accountId);
      await driver.deployments.delete(name);
    } finally {
      await admin.query("GRANT CONNECT ON DATABASE postgres TO PUBLIC");
    }
  });

  it("ends the session of a stranger that holds off a call, if it may as README says", async () => {
    const role = await makeRole("CREATEDB CREATEROLE");
    const stranger = await makeRole("");
    await admin.query(`GRANT pg_signal_backend TO "${role["PGUSER"] ?? ""}"`);
    const name = admin.name();
    const holder = await admin.connect({
      database: "postgres",
      user: stranger["PGUSER"] ?? "",
      password: stranger["PGPASSWORD"] ?? "",
    });
    await holder.query(`SELECT pg_advisory_lock(${lockNumber(`deployment ${name}`)})`);
    await setting.core(role).deployments.create(name, new Map());
    await holder.end();
  });

  it("that may not make databases or roles gets PERMISSION_DENIED, and leaves nothing behind [DEP-060]", async () => {
    for (const attributes of ["", "CREATEROLE", "CREATEDB"]) {
      const { client } = await setting.startDriver(await makeRole(attributes));
      const name = admin.name();
      const { details } = await refusal(client.create(name), status.PERMISSION_DENIED);
      assert.match(details, new RegExp(`"${name}".*42501`));
      assert.equal(await admin.databases(name), 0);
      assert.deepEqual(await admin.roles(name), []);
    }
  });

  it("whose password is wrong gets UNAUTHENTICATED, and neither the message nor the log holds it [DEP-060] [DEP-081]", async () => {
    const { client, driver } = await setting.startDriver({ PGPASSWORD: "wrong-password" });
    const name = admin.name();
    for (const call of [
      () => client.create(name),
      () => client.delete(name),
      () => client.grant(name, "a"),
      () => client.revoke(name, "a"),
      () => client.status(name),
    ]) {
      const { details } = await refusal(call(), status.UNAUTHENTICATED);
      assert.match(details, new RegExp(`"${name}".*28P01`));
      assert.ok(!details.includes("wrong-password"));
    }
    assert.ok(!driver.stderr.includes("wrong-password"));
  });

  for (const [variable, value] of [
    ["PGSSLNEGOTIATION", "direct"],
    ["PGREPLICATION", "database"],
  ] as const) {
    it(`is not asked for anything by ${variable}, which the driver does not read`, async () => {
      const { client } = await setting.startDriver({ [variable]: value });
      await client.create(admin.name());
    });
  }

  describe("at a server with TLS", () => {
    const authority = new CertificateAuthority();
    const folder = mkdtempSync(join(tmpdir(), "cosi-tls-"));
    const caFile = join(folder, "ca.pem");
    let secure: LocalPostgres;
    let env: Record<string, string>;

    before(async () => {
      writeFileSync(caFile, authority.cert);
      secure = await startLocalPostgres({ tls: authority.issue(["127.0.0.1"]) });
      // The default goes for what is not said.
      env = { ...secure.environment, PGSSLMODE: "", POSTGRES_DRIVER_CLIENT_PORT: "" };
    });

    after(async () => {
      await secure.stop();
      rmSync(folder, { recursive: true });
    });

    it("refuses a certificate of unknown origin unless its authority is given [DEP-071]", async () => {
      const first = await setting.startDriver(env);
      const { details } = await refusal(first.client.create("photos"), status.UNAVAILABLE);
      assert.match(details, /"photos".*certificate/);
      const second = await setting.startDriver({ ...env, PGSSLROOTCERT: caFile });
      await second.client.create("photos");
      const { credentials } = await second.client.grant("photos", "tls-reader");
      assert.equal(credentials.get("postgres")?.secrets.get("PGSSLMODE"), "verify-full");
    });

    it("looks at the certificate also where Node is told not to [DEP-071]", async () => {
      for (const PGSSLMODE of ["verify-full", "verify-ca"]) {
        const { client } = await setting.startDriver({
          ...env,
          PGSSLMODE,
          NODE_TLS_REJECT_UNAUTHORIZED: "0",
        });
        const { details } = await refusal(client.create("unverified"), status.UNAVAILABLE);
        assert.match(details, /"unverified".*certificate/);
      }
    });

    it("wants the certificate to be of the host, and to be a certificate at all [DEP-071]", async () => {
      const other = await startLocalPostgres({ tls: authority.issue(["localhost", "127.0.0.2"]) });
      try {
        const strict = await setting.startDriver({
          ...env,
          PGPORT: `${other.port}`,
          PGPASSWORD: other.password,
          PGSSLROOTCERT: caFile,
        });
        const { details } = await refusal(strict.client.create("photos"), status.UNAVAILABLE);
        assert.match(details, /127\.0\.0\.1/);
        const lax = await setting.startDriver({
          ...env,
          PGPORT: `${other.port}`,
          PGPASSWORD: other.password,
          PGSSLROOTCERT: caFile,
          PGSSLMODE: "verify-ca",
        });
        await lax.client.create("photos");
      } finally {
        await other.stop();
      }
      const plain = await setting.startDriver({ PGSSLMODE: "", PGPORT: `${setting.server.port}` });
      const { details } = await refusal(plain.client.create("photos"), status.UNAVAILABLE);
      assert.match(details, /SSL/);
    });

    it("encrypts without looking at the certificate where that is asked for", async () => {
      const { client } = await setting.startDriver({ ...env, PGSSLMODE: "require" });
      await client.create("encrypted");
    });
  });
});
