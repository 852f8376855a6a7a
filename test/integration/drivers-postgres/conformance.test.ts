import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Report } from "../../../conformance/report";
import { startPostgres } from "../../../tools/local/postgres";
import type { Postgres } from "../../../tools/local/postgres-access";
import { PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";

const program = join(resolve(__dirname, "../../.."), "dist/cli/main.js");

/** Logs in with granted credentials: 0 if the server lets them in, 1 if it does not. */
const script = `
const { Client } = require(${JSON.stringify(require.resolve("pg"))});
let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", async () => {
  const { DATABASE_URL } = JSON.parse(text).credentials.postgres;
  const client = new Client({ connectionString: DATABASE_URL });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    process.exitCode = /^(28|3D|42501)/.test(error.code) ? 1 : 3;
  }
});
`;

describe("the conformance check on the PostgreSQL driver at a real server", function () {
  this.timeout(600_000);
  let folder: string;
  let server: Postgres;
  let admin: PostgresAdmin;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "conformance-postgres-"));
    server = await startPostgres();
    admin = new PostgresAdmin(server);
  });

  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** All databases and roles of the server. */
  const listing = (): Promise<unknown> =>
    admin.query("SELECT datname AS name FROM pg_database UNION ALL SELECT rolname FROM pg_roles ORDER BY 1");

  it("finds it compliant, credentials and process included, shows no secret and leaves the server as it was [DEP-090]", async () => {
    const tryCredentials = join(folder, "try-credentials.cjs");
    writeFileSync(tryCredentials, `#!${process.execPath}\n${script}`, { mode: 0o755 });
    const before = await listing();
    const { PATH = "" } = process.env;
    const args = [
      ...["--contract", "deployment.v1alpha1", "--json", "--idle", "1", "--timeout", "60"],
      ...["--try-credentials", tryCredentials],
      ...["--other-parameter", "onDelete=drop", "--other-access-parameter", "mode=readonly"],
      ...["--command", "deployment-driver-postgres"],
    ];
    const child = spawn(process.execPath, [program, "conformance", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH, ...server.environment },
    });
    const exit = once(child, "close").then(([code]) => code as number | null);
    const [code, json, errors] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
    assert.equal(errors, "");
    const report = JSON.parse(json) as Report;
    assert.deepEqual(
      report.lines.filter(({ status }) => status === "fail" || status === "warning"),
      [],
    );
    assert.equal(code, 0);
    assert.equal(report.compliant, true);
    assert.equal(report.driver, "postgres.pulumi-cosi.dev");
    const passed = new Set(report.lines.filter(({ status }) => status === "pass").map(({ id }) => id));
    for (const number of ["014", "021", "022", "024", "025", "026", "027", "071", "076", "077", "079"]) {
      assert.ok(passed.has(`DEP-${number}`), `DEP-${number} was not judged as passed`);
    }
    assert.equal(json.includes(server.password), false);
    assert.deepEqual(report.leftovers, []);
    assert.deepEqual(await listing(), before);
  });
});
