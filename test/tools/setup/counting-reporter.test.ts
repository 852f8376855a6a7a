import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";

const root = path.join(__dirname, "..", "..", "..");

describe("a run of mocha", function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "counting-reporter-"));
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const run = (test: string): Promise<{ stdout: string; stderr: string }> => {
    const file = path.join(folder, "some.test.js");
    fs.writeFileSync(file, test);
    const reporter = path.join(root, "tools", "setup", "counting-reporter.ts");
    const mocha = [path.join(root, "node_modules", "mocha", "bin", "mocha.js"), "--no-config"];
    const options = ["--require", "ts-node/register/transpile-only", "--reporter", reporter];
    return promisify(execFile)(
      process.execPath,
      [...mocha, ...options, "--reporter-option", "endWithinMs=500", file],
      { cwd: root },
    );
  };

  it("ends well when its tests have ended all that they started", async () => {
    assert.match((await run('it("passes", () => {});')).stdout, /1 passing/);
  });

  it("is an error that names what a test has left behind, and does not last for ever", async () => {
    const test =
      'it("leaves a server", (done) => void require("node:net").createServer().listen(0, "127.0.0.1", done));';
    await assert.rejects(run(test), (error: unknown) => {
      assert.ok(error instanceof Error && "code" in error && "stderr" in error);
      assert.equal(error.code, 70);
      assert.match(String(error.stderr), /mocha does not end: a test has left behind .*TCPServerWrap/);
      return true;
    });
  });
});
