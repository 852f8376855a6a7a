import assert from "node:assert/strict";
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
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

  const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");

  const argumentsFor = (test: string): string[] => {
    const file = path.join(folder, "some.test.js");
    fs.writeFileSync(file, test);
    const reporter = path.join(root, "tools", "setup", "counting-reporter.ts");
    const options = ["--no-config", "--require", "ts-node/register/transpile-only", "--reporter", reporter];
    return [...options, "--reporter-option", "endWithinMs=500", file];
  };

  const run = (test: string): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [mocha, ...argumentsFor(test)], { cwd: root });

  it("ends well when its tests have ended all that they started", async () => {
    assert.match((await run('it("passes", () => {});')).stdout, /1 passing/);
  });

  it("tells who started it the counts, and of each failure the test, its file and the reason", async () => {
    const test =
      'describe("two", () => { it("is one", () => { throw new Error("it is\\nnot"); }); it("passes", () => {}); });';
    const child = fork(mocha, argumentsFor(test), { cwd: root, silent: true });
    const told: unknown[] = [];
    child.on("message", (message) => told.push(message));
    await once(child, "close");
    assert.equal(told.length, 1);
    const { failures, ...counts } = told[0] as { failures: string[] };
    assert.deepEqual(counts, { passed: 1, failed: 1 });
    assert.equal(failures.length, 1);
    assert.match(
      failures[0] ?? "",
      /^two is one\n.*some\.test\.js\nError: it is\nnot\n +at .*some\.test\.js:1/,
    );
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
