import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { requireUnix } from "../../../tools/setup/platform.mjs";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("the systems that the set-up serves", () => {
  const folder = temporaryFolder();

  it("are Linux and macOS", () => {
    for (const platform of ["linux", "darwin"]) requireUnix(platform);
  });

  it("are told on Windows, with the way through WSL 2, before anything is done", async () => {
    const windows = join(folder(), "windows.cjs");
    await writeFile(windows, 'Object.defineProperty(process, "platform", { value: "win32" });\n');
    const script = resolve("tools", "setup", "run.mjs");
    const run = promisify(execFile)(process.execPath, ["-r", windows, script, "demo"], { cwd: folder() });
    await assert.rejects(run, (error) => {
      assert.ok(error instanceof Error && "stderr" in error && "stdout" in error && "code" in error);
      assert.match(String(error.stderr), /This runs on Linux and macOS, not on Windows itself/);
      assert.match(String(error.stderr), /Use WSL 2/);
      assert.equal(error.stdout, "");
      assert.equal(error.code, 1);
      return true;
    });
  });
});
