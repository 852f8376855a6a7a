import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { lastLines, runChild } from "../../../tools/setup/run-child.mjs";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("a child process of the set-up", () => {
  const folder = temporaryFolder();
  const node = (script: string, options = {}) =>
    runChild(process.execPath, ["-e", script], { log: join(folder(), "logs", "log"), ...options });

  it("tells its exit code and writes its output to the log", async () => {
    const end = await node("console.log('one'); console.error('two'); process.exitCode = 3");
    assert.deepEqual(end, { code: 3, signal: null });
    assert.equal(await readFile(join(folder(), "logs", "log"), "utf8"), "one\ntwo\n");
  });

  it("tells the signal that ended it", async () => {
    assert.deepEqual(await node("process.kill(process.pid, 'SIGKILL')"), { code: null, signal: "SIGKILL" });
  });

  it("hands over what the child sends", async () => {
    const messages: unknown[] = [];
    await node("process.send({ passed: 2 })", {
      ownsChildren: true,
      onMessage: (message: unknown) => messages.push(message),
    });
    assert.deepEqual(messages, [{ passed: 2 }]);
  });

  it("names the program when it cannot be started", async () => {
    const missing = join(folder(), "missing");
    await assert.rejects(runChild(missing, [], { log: join(folder(), "log") }), {
      message: new RegExp(`^${missing} cannot be started: .*ENOENT`),
    });
  });

  it("shows the last lines of a log", async () => {
    await node("for (let i = 1; i <= 9; i += 1) console.log(i)");
    assert.equal(await lastLines(join(folder(), "logs", "log"), 2), "8\n9");
    assert.equal(await lastLines(join(folder(), "absent")), "(it wrote nothing)");
  });
});
