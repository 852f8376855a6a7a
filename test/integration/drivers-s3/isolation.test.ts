import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { DriverClient } from "../../drivers/s3/support/driver-client";
import { type DriverProcess, makeFolders, startDriver } from "../../drivers/s3/support/driver-process";
import { provideTool } from "../../../tools/toolchain/toolchain";
import { Setting } from "./setting";

const OWN_NAMESPACES = ["unshare", "--pid", "--mount-proc", "--net", "--fork", "--kill-child"] as const;
const NO_CAPABILITIES = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"] as const;

describe("the S3 driver with less of the machine", function () {
  this.timeout(180_000);

  if (can(...OWN_NAMESPACES, "sh", "-c", "ip link set lo up && mount -o remount,ro,bind /")) {
    it("serves from namespaces of its own, shared with its store alone, on a read-only root [GRPC-120] [GRPC-103]", async () => {
      const { path: weed } = await provideTool("weed");
      const folders = makeFolders();
      const { driver, client } = await startDriver(folders.socket, {
        workFolder: folders.workFolder,
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: "/tmp",
          AWS_REGION: "us-east-1",
          AWS_ACCESS_KEY_ID: "ADMIN",
          AWS_SECRET_ACCESS_KEY: "secret-of-admin",
          S3_DRIVER_S3_ENDPOINT: "http://127.0.0.1:8333",
        },
        through: [...OWN_NAMESPACES, "sh", "-c", STORE_THEN_DRIVER, "sh", folders.socketFolder, weed],
      });
      try {
        const inside = insideOf(driver);
        for (const kind of ["pid", "mnt", "net"]) {
          const namespace = readlinkSync(`/proc/${inside}/ns/${kind}`);
          assert.notEqual(namespace, readlinkSync(`/proc/self/ns/${kind}`), kind);
        }
        await untilStoreAnswers(client);
        await lifeCycle(client);
      } finally {
        client.close();
        await driver.stop("SIGKILL");
        folders.remove();
      }
    });
  }

  describe("at a real store", () => {
    let setting: Setting;

    before(async () => {
      setting = await Setting.start();
    });

    after(() => setting.stop());

    if (can(...NO_CAPABILITIES, "true")) {
      it("needs no capability [GRPC-121]", async () => {
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

  it("documents what it needs of the machine [GRPC-121]", () => {
    const readme = readFileSync(join(__dirname, "../../../drivers/s3/README.md"), "utf8");
    const section = /^## Resources$([^#]*)/m.exec(readme)?.[1] ?? "";
    for (const word of [/memory/, /CPU/, /capability/, /privilege/, /file system/, /user/]) {
      assert.match(section, word);
    }
  });
});

/** Starts the store, with a temporary folder of its own, and becomes the driver. */
const STORE_THEN_DRIVER = `
  set -e
  run=$1 weed=$2
  shift 2
  mount --bind "$run" "$run"
  mount -o remount,ro,bind /
  ip link set lo up
  unshare --mount sh -c 'mount -t tmpfs tmpfs /tmp && exec "$@"' sh /proc/self/fd/8 mini -dir=/tmp \\
    -ip=127.0.0.1 -ip.bind=127.0.0.1 -s3.iam.readOnly=false -webdav=false -admin.ui=false \\
    -s3.port.iceberg=0 -s3.port.lance=0 -master.telemetry=false -master.volumeSizeLimitMB=64 8<"$weed" &
  exec "$@"
`;

/** Whether this machine lets the test do so. */
function can(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

/** The process id, seen from here, of what unshare has started. */
function insideOf({ pid }: DriverProcess): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
}

async function untilStoreAnswers(client: DriverClient): Promise<void> {
  const end = Date.now() + 120_000;
  for (;;) {
    try {
      await client.create("first");
      await client.delete("first");
      return;
    } catch (error) {
      assert.ok(Date.now() < end, String(error));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function lifeCycle(client: DriverClient): Promise<void> {
  assert.notEqual((await client.getInfo()).name, "");
  await client.create("isolated");
  const { accountId, credentials } = await client.grant("isolated", "reader");
  assert.ok(credentials.get("s3")?.secrets.get("accessSecretKey"));
  await client.revoke("isolated", accountId);
  await client.delete("isolated");
}
