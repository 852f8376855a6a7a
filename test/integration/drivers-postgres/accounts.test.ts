import { status } from "@grpc/grpc-js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { AuthenticationType } from "../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { startLocalPostgres } from "../../../tools/local/postgres";
import { refusal } from "../../drivers/common/calls";
import type { DriverClient } from "../../drivers/postgres/support/driver-client";
import { type Login, type PostgresAdmin, loginOf } from "../../drivers/postgres/support/postgres-admin";
import { Setting } from "./setting";

/** A wrong password, and a role that may not log in. */
const WRONG_PASSWORD = "28P01";
const NO_LOGIN = ["28P01", "28000"];

const KEYS = ["DATABASE_URL", "PGDATABASE", "PGHOST", "PGPASSWORD", "PGPORT", "PGSSLMODE", "PGUSER"];

describe("accounts of the PostgreSQL driver at a real server", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: PostgresAdmin;
  let client: DriverClient;
  let deployment: string;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    ({ client } = await setting.startDriver());
  });

  after(() => setting.stop());

  beforeEach(async () => {
    setting.proxy.fateOf = () => "pass";
    deployment = admin.name();
    await client.create(deployment);
  });

  async function grant(...args: Parameters<DriverClient["grant"]>): Promise<Login> {
    return loginOf(await client.grant(...args));
  }

  it("returns one entry with the variables of libpq and a URL, which work at once [DEP-044] [DEP-066]", async () => {
    const account = admin.name();
    const reply = await client.grant(deployment, account);
    assert.equal(reply.accountId, account);
    assert.deepEqual([...reply.credentials.keys()], ["postgres"]);
    const secrets = reply.credentials.get("postgres")?.secrets ?? new Map<string, string>();
    assert.deepEqual([...secrets.keys()].sort(), KEYS);
    assert.ok([...secrets.keys()].every((key) => /^[A-Za-z0-9._-]+$/.test(key)));
    const { host, port } = setting.server;
    assert.equal(secrets.get("PGHOST"), host);
    assert.equal(secrets.get("PGPORT"), `${port}`);
    assert.equal(secrets.get("PGSSLMODE"), "disable");
    const password = secrets.get("PGPASSWORD") ?? "";
    assert.equal(
      secrets.get("DATABASE_URL"),
      `postgresql://${account}:${password}@${host}:${port}/${deployment}?sslmode=disable`,
    );
    assert.equal(await admin.obstacle(loginOf(reply)), undefined);
  });

  it("documents each of these keys [DEP-066]", () => {
    const readme = readFileSync(`${__dirname}/../../../drivers/postgres/README.md`, "utf8");
    for (const key of KEYS) assert.match(readme, new RegExp(`^\\| [^|]*\`${key}\``, "m"), key);
  });

  it("gives two accounts credentials of their own, neither those of the administrator; the end of one leaves the other [DEP-026] [DEP-027]", async () => {
    const [a, b] = [await grant(deployment, admin.name()), await grant(deployment, admin.name())];
    const users = [a.user, b.user, setting.server.user];
    const passwords = [a.password, b.password, setting.server.password];
    assert.equal(new Set(users).size, 3);
    assert.equal(new Set(passwords).size, 3);
    assert.ok(a.password.length >= 32);
    await client.revoke(deployment, a.user);
    await client.revoke(deployment, a.user);
    assert.ok(NO_LOGIN.includes((await admin.obstacle(a)) ?? ""));
    assert.equal(await admin.obstacle(b), undefined);
    assert.deepEqual(await admin.roles(a.user), []);
  });

  it("answers ten equal grants with one account and one live password, the last [DEP-025]", async () => {
    const name = admin.name();
    const logins = [];
    for (let count = 0; count < 10; count++) logins.push(await grant(deployment, name));
    const second = await grant(deployment, admin.name());
    const other = admin.name();
    await client.create(other);
    await refusal(client.grant(other, name), status.ALREADY_EXISTS);
    assert.deepEqual([...new Set(logins.map(({ user }) => user))], [name]);
    const obstacles = [];
    for (const login of logins) obstacles.push(await admin.obstacle(login));
    assert.deepEqual(obstacles, [...Array<string>(9).fill(WRONG_PASSWORD), undefined]);
    assert.equal(await admin.obstacle(second), undefined);
    const accounts = await admin.query(
      `SELECT FROM pg_roles WHERE shobj_description(oid, 'pg_authid') LIKE '{"kind":"account"%"${deployment}"%'`,
    );
    assert.equal(accounts.length, 2);
  });

  it("answers twenty equal grants at once, from two processes, with one account and one live password [DEP-037]", async () => {
    const name = admin.name();
    const { client: second } = await setting.startDriver();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? client : second).grant(deployment, name)),
    );
    const obstacles = [];
    for (const reply of replies) obstacles.push(await admin.obstacle(loginOf(reply)));
    assert.equal(obstacles.filter((code) => code === undefined).length, 1);
    assert.equal(obstacles.filter((code) => code === WRONG_PASSWORD).length, 19);
  });

  it("refuses a known name with another deployment or other parameters, and leaves its password alone [DEP-025]", async () => {
    const name = admin.name();
    const other = admin.name();
    await client.create(other);
    const login = await grant(deployment, name, { mode: "readonly" });
    const before = await admin.look(name);
    for (const [of, params, reason] of [
      [other, { mode: "readonly" }, `to deployment "${deployment}"`],
      [deployment, { mode: "readwrite" }, "other parameters: mode"],
      [deployment, {}, "other parameters: mode"],
    ] as const) {
      const { details } = await refusal(client.grant(of, name, params), status.ALREADY_EXISTS);
      assert.match(details, new RegExp(`"${name}".*${reason}`));
    }
    assert.deepEqual(await admin.look(name), before);
    assert.equal(await admin.obstacle(login), undefined);
  });

  it("takes no role over that somebody else made, and ends none [DEP-023] [DEP-027]", async () => {
    const name = admin.name();
    await admin.query(`CREATE ROLE "${name}" LOGIN PASSWORD 'own'`);
    const before = await admin.look(name);
    const { details } = await refusal(client.grant(deployment, name), status.ALREADY_EXISTS);
    assert.match(details, /did not make/);
    await refusal(client.revoke(deployment, name), status.FAILED_PRECONDITION);
    await refusal(client.grant(deployment, setting.server.user), status.ALREADY_EXISTS);
    await refusal(client.revoke(deployment, setting.server.user), status.FAILED_PRECONDITION);
    assert.deepEqual(await admin.look(name), before);
  });

  it("ends no account of another deployment than the one named [DEP-027]", async () => {
    const login = await grant(deployment, admin.name());
    const other = admin.name();
    await client.create(other);
    const { details } = await refusal(client.revoke(other, login.user), status.FAILED_PRECONDITION);
    assert.match(details, new RegExp(`"${deployment}"`));
    assert.equal(await admin.obstacle(login), undefined);
  });

  it("cuts the open sessions of an account, those at work too, and lets it in no more [DEP-027]", async () => {
    const login = await grant(deployment, admin.name());
    const open = [await admin.connect(login), await admin.connect(login)];
    const working = open[0]?.query("SELECT pg_sleep(60)");
    const cut = assert.rejects(Promise.resolve(working));
    await sleep(50);
    await client.revoke(deployment, login.user);
    await cut;
    await assert.rejects(Promise.resolve(open[1]?.query("SELECT 1")));
    assert.ok(NO_LOGIN.includes((await admin.obstacle(login)) ?? ""));
  });

  it("grants after a revoke, under the same name and another one, with the last credential live [DEP-020]", async () => {
    const name = admin.name();
    const first = await grant(deployment, name);
    await client.revoke(deployment, name);
    const second = await grant(deployment, name);
    const third = await grant(deployment, admin.name());
    assert.equal(await admin.obstacle(first), WRONG_PASSWORD);
    assert.equal(await admin.obstacle(second), undefined);
    assert.equal(await admin.obstacle(third), undefined);
  });

  it("takes the keys of the grant in a revoke, and needs none [DEP-032] [DEP-046]", async () => {
    const params = { mode: "readonly", onRevoke: "refuse", connectionLimit: "3" };
    const [first, second] = [
      await grant(deployment, admin.name(), params),
      await grant(deployment, admin.name(), params),
    ];
    const [row] = await admin.query(`SELECT rolconnlimit FROM pg_roles WHERE rolname = '${first.user}'`);
    assert.equal(row?.["rolconnlimit"], 3);
    await client.revoke(deployment, first.user, params);
    await client.revoke(deployment, second.user);
    assert.deepEqual(await admin.roles(first.user), []);
    assert.deepEqual(await admin.roles(second.user), []);
  });

  it("answers NOT_FOUND to a grant on a deployment that is not there, and makes no role", async () => {
    const [missing, account] = [admin.name(), admin.name()];
    const { details } = await refusal(client.grant(missing, account), status.NOT_FOUND);
    assert.match(details, new RegExp(`"${missing}"`));
    assert.deepEqual(await admin.roles(account), []);
  });

  it("refuses the type IAM and makes no role [DEP-006]", async () => {
    const account = admin.name();
    const { details } = await refusal(
      client.grant(deployment, account, {}, AuthenticationType.IAM),
      status.INVALID_ARGUMENT,
    );
    assert.match(details, /authentication_type/);
    assert.deepEqual(await admin.roles(account), []);
  });

  it("hands what an account owns to the administrators of its database when it is revoked", async () => {
    const login = await grant(deployment, admin.name());
    await admin.queryAs(login, "CREATE TABLE kept AS SELECT 7 AS seven");
    await client.revoke(deployment, login.user);
    const keeper = await grant(deployment, admin.name(), { mode: "admin" });
    assert.deepEqual(await admin.queryAs(keeper, "SELECT seven FROM kept"), [{ seven: 7 }]);
    await admin.queryAs(keeper, "DROP TABLE kept");
  });

  it("leaves an account alone that owns something, if it was granted so, until it owns nothing", async () => {
    const login = await grant(deployment, admin.name(), { onRevoke: "refuse" });
    await admin.queryAs(login, "CREATE TABLE mine (a int)");
    const open = await admin.connect(login);
    for (const context of [{}, { onRevoke: "reassign" }]) {
      const { details } = await refusal(
        client.revoke(deployment, login.user, context),
        status.FAILED_PRECONDITION,
      );
      assert.match(details, new RegExp(`"${login.user}".*owns 1 .*"${deployment}"`));
    }
    await open.query("DROP TABLE mine");
    await open.end();
    assert.equal(await admin.obstacle(login), undefined);
    await client.revoke(deployment, login.user);
    assert.deepEqual(await admin.roles(login.user), []);
  });

  it("lets an account in again that has made something at the last moment of a refused revoke", async () => {
    const login = await grant(deployment, admin.name(), { onRevoke: "refuse" });
    setting.proxy.fateOf = (statement) =>
      statement.startsWith("ALTER ROLE") && statement.includes("NOLOGIN;")
        ? admin.queryAs(login, "CREATE TABLE late (a int)").then(() => undefined)
        : "pass";
    await refusal(client.revoke(deployment, login.user), status.FAILED_PRECONDITION);
    assert.equal(await admin.obstacle(login), undefined);
  });

  it("revokes an account whose database is gone, and one that owns something elsewhere [DEP-027]", async () => {
    const first = await grant(deployment, admin.name());
    await admin.queryAs(first, "CREATE TABLE gone (a int)");
    await admin.query(`DROP DATABASE "${deployment}" WITH (FORCE)`);
    await client.revoke(deployment, first.user);
    assert.deepEqual(await admin.roles(first.user), []);

    const second = admin.name();
    await client.create(second);
    const { user } = await grant(second, admin.name());
    await admin.query(`CREATE SCHEMA "${user}" AUTHORIZATION "${user}"`);
    await client.revoke(second, user);
    const [owner] = await admin.roles(user);
    assert.match(owner ?? "", /^deployment-rest-/);
    assert.deepEqual(await admin.query(`SELECT FROM pg_roles WHERE rolname = '${user}'`), []);
    // Once it owns nothing it goes with the deployment.
    await admin.query(`DROP SCHEMA "${user}"`);
    await client.delete(second);
    assert.deepEqual(await admin.roles(second), []);
  });

  it("never sends a password to the server, whose log of statements holds none", async function () {
    const server = await startLocalPostgres({ settings: { log_statement: "all" } });
    try {
      const local = await setting.startDriver({
        ...server.environment,
        POSTGRES_DRIVER_CLIENT_PORT: `${server.port}`,
      });
      await local.client.create("logged");
      const reply = await local.client.grant("logged", "app");
      const log = readFileSync(server.log, "utf8");
      assert.match(log, /CREATE ROLE "app"/);
      assert.ok(!log.includes(loginOf(reply).password));
      assert.ok(!log.includes(server.password));
    } finally {
      await server.stop();
    }
  });

  it("writes no secret to its log at any level [DEP-081]", async () => {
    const login = await grant(deployment, admin.name(), { connectionLimit: "4321" });
    const logs = setting.logs();
    assert.match(logs, /"statement":"CREATE ROLE"/);
    assert.match(logs, new RegExp(`"rpc":"DriverGrantDeploymentAccess".*${login.user}`));
    for (const secret of [login.password, setting.server.password, "SCRAM-SHA-256", "4321"]) {
      assert.ok(!logs.includes(secret));
    }
  });
});
