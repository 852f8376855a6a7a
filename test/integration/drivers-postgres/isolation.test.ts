import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareCluster } from "../../../tools/local/postgres-cluster";
import { createRunFolder } from "../../../tools/local/run-folder";
import type { DriverProcess } from "../../drivers/common/driver-process";
import { makeFolders } from "../../drivers/common/folders";
import type { DriverClient } from "../../drivers/postgres/support/driver-client";
import { startDriver } from "../../drivers/postgres/support/driver-process";
import { Setting } from "./setting";

const OWN_NAMESPACES = ["unshare", "--pid", "--mount-proc", "--net", "--fork", "--kill-child"] as const;
const NO_CAPABILITIES = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"] as const;

describe("the PostgreSQL driver with less of the machine", function () {
  this.timeout(180_000);

  if (can(...OWN_NAMESPACES, "sh", "-c", "ip link set lo up && mount -o remount,ro,bind /")) {
    it("serves from namespaces of its own, shared with its server alone, on a read-only root [DEP-084] [DEP-077]", async () => {
      const access = { host: "127.0.0.1", port: 5432, user: "postgres", password: "secret-of-admin" };
      const own = await createRunFolder("postgres");
      const { command, args, identity } = await prepareCluster(own.path, access);
      const asServer =
        identity === undefined
          ? []
          : ["setpriv", `--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups"];
      const folders = makeFolders();
      const { driver, client } = await startDriver(folders.socket, {
        workFolder: folders.workFolder,
        env: {
          PATH: process.env["PATH"] ?? "",
          LC_ALL: "C",
          PGHOST: access.host,
          PGUSER: access.user,
          PGPASSWORD: access.password,
          PGSSLMODE: "disable",
        },
        through: [
          ...[...OWN_NAMESPACES, "sh", "-c", SERVER_THEN_DRIVER, "sh", folders.socketFolder, own.path],
          ...[[...asServer, command, ...args].map(quoted).join(" ")],
        ] as const,
      });
      try {
        const inside = insideOf(driver);
        for (const kind of ["pid", "mnt", "net"]) {
          const namespace = readlinkSync(`/proc/${inside}/ns/${kind}`);
          assert.notEqual(namespace, readlinkSync(`/proc/self/ns/${kind}`), kind);
        }
        await untilServerAnswers(client);
        await lifeCycle(client);
      } finally {
        client.close();
        await driver.stop("SIGKILL");
        folders.remove();
        await own.remove();
      }
    });
  }

  describe("at a real server", () => {
    let setting: Setting;

    before(async () => {
      setting = await Setting.start();
    });

    after(() => setting.stop());

    if (can(...NO_CAPABILITIES, "true")) {
      it("needs no capability", async () => {
        const { driver, client } = await setting.startDriver({}, NO_CAPABILITIES);
        const capabilities = readFileSync(`/proc/${driver.pid}/status`, "utf8").match(/^Cap\w+:\t\w+$/gm);
        assert.ok(capabilities !== null && capabilities.length === 5);
        assert.ok(
          capabilities.every((line) => /:\t0+$/.test(line)),
          capabilities.join(),
        );
        await lifeCycle(client);
      });
    }
  });

  it("documents what it needs of the machine [DEP-084]", () => {
    const readme = readFileSync(join(__dirname, "../../../drivers/postgres/README.md"), "utf8");
    const section = /^## Resources$([^#]*)/m.exec(readme)?.[1] ?? "";
    for (const word of [/memory/, /CPU/, /connections/, /capability/, /privilege/, /file system/, /user/]) {
      assert.match(section, word);
    }
  });
});

/** Starts the server, by a command line, and becomes the driver. Two folders alone can be written to. */
const SERVER_THEN_DRIVER = `
  set -e
  run=$1 own=$2 server=$3
  shift 3
  mount --bind "$run" "$run"
  mount --bind "$own" "$own"
  mount -o remount,ro,bind /
  ip link set lo up
  eval "exec $server" >&2 &
  exec "$@"
`;

/** A word of a shell's command line. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether this machine lets the test do so. */
function can(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

/** The process id, seen from here, of what unshare has started. */
function insideOf({ pid }: DriverProcess): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
}

async function untilServerAnswers(client: DriverClient): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      await client.delete("first");
      return;
    } catch (error) {
      assert.ok(Date.now() < end, String(error));
      await sleep(200);
    }
  }
}

async function lifeCycle(client: DriverClient): Promise<void> {
  assert.notEqual((await client.getInfo()).name, "");
  await client.create("isolated");
  const { accountId, credentials } = await client.grant("isolated", "isolated-app");
  assert.ok(credentials.get("postgres")?.secrets.get("PGPASSWORD"));
  assert.deepEqual((await client.status("isolated")).deploymentStatus?.type, { $case: "ready", value: true });
  await client.revoke("isolated", accountId);
  await client.delete("isolated");
}
