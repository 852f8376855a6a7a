import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { startProcess, type ProcessOptions } from "../../../tools/local/managed-process";
import { identityOf } from "../../../tools/setup/process-identity.mjs";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("a server process", () => {
  const folder = temporaryFolder();
  const start = (script: string, options: Partial<ProcessOptions> = {}) =>
    startProcess({
      name: "server",
      command: process.execPath,
      args: ["-e", script],
      folder: folder(),
      ...options,
    });

  it("is given when it is ready, logs to its file and ends with stop", async () => {
    let asked = 0;
    const server = await start("console.log('serving'); setInterval(() => {}, 1000)", {
      ready: async ({ log }) => {
        asked += 1;
        if (asked === 1) throw new Error("connection refused");
        return (await readFile(log, "utf8")) === "serving\n";
      },
    });
    assert.ok(asked > 1);
    assert.notEqual(identityOf(server.pid), undefined);
    await server.stop();
    assert.equal(identityOf(server.pid), undefined);
    assert.deepEqual(await server.exited, { code: null, signal: "SIGTERM" });
    await server.stop();
  });

  it("is an error with the end of its log when it ends before it is ready", async () => {
    await assert.rejects(
      start("console.error('bind: address already in use'); process.exit(3)", {
        ready: () => Promise.resolve(false),
      }),
      {
        message:
          "server ended before it was ready (exit code 3). The end of its log:\nbind: address already in use",
      },
    );
  });

  it("is ended, and an error that says why, when it is not ready in time", async () => {
    let pid = 0;
    await assert.rejects(
      start("console.log('still loading'); setInterval(() => {}, 1000)", {
        ready: async (server) => {
          pid = server.pid;
          // Not before it has written, or the message would not show it.
          if ((await readFile(server.log, "utf8")) === "") return false;
          throw new Error("503");
        },
        readyTimeoutMs: 1_000,
      }),
      { message: "server was not ready after 1 s (503). The end of its log:\nstill loading" },
    );
    assert.notEqual(pid, 0);
    assert.equal(identityOf(pid), undefined);
  });

  it("is an error that names the program when that does not exist", async () => {
    await assert.rejects(
      start("", { command: "/nowhere/etcd" }),
      /^Error: server cannot be started: \/nowhere\/etcd: .*ENOENT/,
    );
  });
});
