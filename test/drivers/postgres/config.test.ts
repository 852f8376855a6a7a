import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../../drivers/common/config-error";
import { readConfig } from "../../../drivers/postgres/config";

const DRIVERS = join(__dirname, "../../../drivers");
const README = join(DRIVERS, "postgres/README.md");

const COMPLETE = {
  Deployment_ENDPOINT: "unix:///run/deployment/postgres.sock",
  PGHOST: "db.example.org",
  PGUSER: "admin",
  PGPASSWORD: "secret-of-admin",
};

function describeEnv(env: Record<string, string | undefined>): string {
  return Object.entries(env)
    .map(([key, value]) => (value === undefined ? `no ${key}` : `${key}="${value.slice(0, 40)}"`))
    .join(" ");
}

describe("configuration of the PostgreSQL driver", () => {
  it("wants endpoint, host, user and password, and verified TLS unless told otherwise", () => {
    assert.deepEqual(readConfig(COMPLETE), {
      socket: { path: "/run/deployment/postgres.sock", mode: 0o600, variable: "Deployment_ENDPOINT" },
      driverName: "postgres.pulumi-cosi.dev",
      logLevel: "info",
      server: {
        host: "db.example.org",
        port: 5432,
        user: "admin",
        password: "secret-of-admin",
        maintenanceDatabase: "postgres",
        sslMode: "verify-full",
        certificateAuthorities: undefined,
        client: { host: "db.example.org", port: 5432, sslMode: "verify-full" },
      },
    });
  });

  it("tells clients another way to the server if that is given", () => {
    const { server } = readConfig({
      ...COMPLETE,
      PGPORT: "5433",
      PGDATABASE: "maintenance",
      PGSSLMODE: "disable",
      POSTGRES_DRIVER_CLIENT_HOST: "::1",
      POSTGRES_DRIVER_CLIENT_PORT: "6432",
      POSTGRES_DRIVER_CLIENT_SSLMODE: "prefer",
    });
    assert.equal(server.port, 5433);
    assert.equal(server.maintenanceDatabase, "maintenance");
    assert.equal(server.sslMode, "disable");
    assert.deepEqual(server.client, { host: "::1", port: 6432, sslMode: "prefer" });
  });

  for (const host of [
    "db",
    "db.example.org",
    "10.0.0.1",
    "::1",
    "2001:db8::10",
    "fe80::1%eth0",
    "/run/a:b",
  ]) {
    it(`takes ${host} for a host [DEP-076]`, () => {
      const { server } = readConfig({ ...COMPLETE, PGHOST: host });
      assert.equal(server.host, host);
      assert.equal(server.client.host, host);
    });
  }

  for (const [env, variable, reason] of [
    [{ Deployment_ENDPOINT: undefined }, "Deployment_ENDPOINT", /not set/],
    [{ Deployment_ENDPOINT: "" }, "Deployment_ENDPOINT", /not set/],
    [{ Deployment_ENDPOINT: "tcp://127.0.0.1:1" }, "Deployment_ENDPOINT", /unix:\/\/\//],
    [{ Deployment_ENDPOINT: "/run/x.sock" }, "Deployment_ENDPOINT", /unix:\/\/\//],
    [{ Deployment_ENDPOINT: "unix://host/x.sock" }, "Deployment_ENDPOINT", /unix:\/\/\//],
    [{ Deployment_ENDPOINT: "unix:///run/x.socket" }, "Deployment_ENDPOINT", /unix:\/\/\//],
    [{ Deployment_ENDPOINT: `unix:///${"a".repeat(102)}.sock` }, "Deployment_ENDPOINT", /108 bytes/],
    [{ PGHOST: undefined }, "PGHOST", /not set/],
    [{ PGHOST: "one,two" }, "PGHOST", /not one name/],
    [{ PGHOST: "db.example.org:6432" }, "PGHOST", /port has a variable of its own/],
    [{ PGHOST: "10.0.0.1:6432" }, "PGHOST", /"10\.0\.0\.1:6432"/],
    [{ PGHOST: "[::1]:6432" }, "PGHOST", /not one name/],
    [{ PGHOST: "fe80::1%eth:0" }, "PGHOST", /not one name/],
    [{ PGHOST: "db%20x" }, "PGHOST", /not one name/],
    [{ PGUSER: "" }, "PGUSER", /not set/],
    [{ PGPASSWORD: undefined }, "PGPASSWORD", /not set/],
    [{ PGPORT: "0" }, "PGPORT", /1 to 65535/],
    [{ PGPORT: "postgres" }, "PGPORT", /"postgres"/],
    [{ PGSSLMODE: "prefer" }, "PGSSLMODE", /one of disable, require, verify-ca, verify-full/],
    [{ PGSSLROOTCERT: "/nonexistent.pem" }, "PGSSLROOTCERT", /readable/],
    [{ PGSSLROOTCERT: "package.json" }, "PGSSLROOTCERT", /PEM/],
    [{ POSTGRES_DRIVER_CLIENT_HOST: "a b" }, "POSTGRES_DRIVER_CLIENT_HOST", /"a b"/],
    [{ POSTGRES_DRIVER_CLIENT_HOST: "db:6432" }, "POSTGRES_DRIVER_CLIENT_HOST", /"db:6432"/],
    [{ POSTGRES_DRIVER_CLIENT_PORT: "99999" }, "POSTGRES_DRIVER_CLIENT_PORT", /"99999"/],
    [{ POSTGRES_DRIVER_CLIENT_SSLMODE: "on" }, "POSTGRES_DRIVER_CLIENT_SSLMODE", /"on" is not one of/],
    [{ POSTGRES_DRIVER_LOG_LEVEL: "all" }, "POSTGRES_DRIVER_LOG_LEVEL", /one of error, info, debug/],
    [{ POSTGRES_DRIVER_SOCKET_MODE: "0066" }, "POSTGRES_DRIVER_SOCKET_MODE", /octal/],
    [{ POSTGRES_DRIVER_NAME: "a..b" }, "POSTGRES_DRIVER_NAME", /domain name/],
    [{ POSTGRES_DRIVER_NAME: `${"a".repeat(60)}.dev` }, "POSTGRES_DRIVER_NAME", /63/],
  ] as const) {
    it(`refuses ${describeEnv(env)} by the name ${variable} [DEP-076]`, () => {
      assert.throws(
        () => readConfig({ ...COMPLETE, ...env }),
        (error) => {
          assert.ok(error instanceof ConfigError);
          assert.equal(error.variable, variable);
          assert.ok(error.message.startsWith(`${variable}: `), error.message);
          assert.match(error.message, reason);
          assert.ok(!error.message.includes("secret-of-admin") && !error.message.includes("\n"));
          return true;
        },
      );
    });
  }

  it("has Deployment_ENDPOINT as the only variable that begins with Deployment_ [DEP-075]", () => {
    const found = filesOf("postgres")
      .concat(filesOf("common"), README)
      .flatMap((file) => readFileSync(file, "utf8").match(/\bDeployment_[A-Z0-9_]+\b/g) ?? []);
    assert.deepEqual([...new Set(found)], ["Deployment_ENDPOINT"]);
  });

  it("documents every variable and parameter that it reads [DEP-075] [DEP-046]", () => {
    const readme = readFileSync(README, "utf8");
    const variables = filesOf("postgres").flatMap(
      (file) => readFileSync(file, "utf8").match(/"(POSTGRES_DRIVER_|PG|Deployment_)[A-Z0-9_]+"/g) ?? [],
    );
    assert.ok(variables.length > 10);
    for (const name of new Set(variables)) {
      assert.ok(readme.includes(`\`${name.slice(1, -1)}\``), `README.md does not mention ${name}`);
    }
    for (const key of ["onDelete", "encoding", "locale", "icuLocale", "extensions", "mode", "onRevoke"]) {
      assert.match(readme, new RegExp(`^\\| (create|grant) \\| \`${key}\``, "m"));
    }
    assert.match(readme, /^\| create, grant \| `connectionLimit`/m);
    for (const field of ["parameters", "delete_context", "revoke_access_context"]) {
      assert.match(readme, new RegExp(`^\\| .*\`${field}\``, "m"));
    }
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(join(DRIVERS, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(DRIVERS, folder, file));
}
