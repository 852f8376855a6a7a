import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CannotRunError, runConformance } from "../../conformance/run";
import { CompiledProgram } from "./support/compiled-program";
import { options } from "./support/options";
import { idsWith } from "./support/tested-driver";

/** Folders that runs make for the sockets of drivers. */
function socketFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("cosi-conformance-"));
}

describe("a conformance run that starts the driver", function () {
  this.timeout(300_000);
  let folder: string;
  let program: CompiledProgram;
  let command: string[];

  before(() => {
    program = new CompiledProgram();
    command = [process.execPath, program.file];
  });

  after(() => {
    program.remove();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "conformance-process-"));
  });

  afterEach(() => {
    for (const name of ["FAKE_STATE", "FAKE_FAULT"]) Reflect.deleteProperty(process.env, name);
    rmSync(folder, { recursive: true, force: true });
  });

  it("passes a driver that keeps its state in a file, on every duty of a process [GRPC-128] [GRPC-129]", async () => {
    process.env["FAKE_STATE"] = join(folder, "state.json");
    const before = socketFolders();
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    assert.deepEqual(idsWith(report, "fail"), []);
    const duties = ["021", "086", "093", "098", "099", "100", "103", "106", "108", "113", "114"];
    const passed = idsWith(report, "pass");
    for (const duty of duties) assert.ok(passed.includes(`GRPC-${duty}`), `GRPC-${duty} has not passed`);
    assert.equal(report.compliant, true);
    assert.deepEqual(socketFolders(), before);
  });

  it("catches a driver that forgets its buckets at a restart, logs keys, leaves the socket wide open and more, each under its id [GRPC-129]", async () => {
    process.env["FAKE_FAULT"] = "careless";
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    assert.deepEqual(idsWith(report, "fail"), ["GRPC-021", "GRPC-100", "GRPC-103"]);
    assert.deepEqual(idsWith(report, "warning"), [
      "GRPC-093",
      "GRPC-099",
      "GRPC-108",
      "GRPC-113",
      "GRPC-114",
    ]);
    assert.equal(report.compliant, false);
  });

  it("goes on to its end with a driver that dies of a call, and says so under GRPC-058 [GRPC-128]", async () => {
    process.env["FAKE_FAULT"] = "dies of a grant";
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    const line = report.lines.find(({ id }) => id === "GRPC-058");
    assert.equal(line?.status, "fail");
    const ends = line.problems
      .map(({ answered }) => answered)
      .filter((text) => text.includes("process ended"));
    assert.equal(ends[0], "the driver's process ended: exit status 3");
    assert.ok(idsWith(report, "pass").includes("GRPC-023"));
  });

  it("cannot begin with a program that does not serve, and shows what it said with secrets masked", async () => {
    process.env["BACKEND_SECRET"] = "value-of-a-secret";
    try {
      const script = 'console.error("no backend for " + process.env.BACKEND_SECRET); process.exit(7)';
      const run = runConformance(options({ command: [process.execPath, "-e", script], timeoutSeconds: 60 }));
      await assert.rejects(run, (error) => {
        assert.ok(error instanceof CannotRunError);
        assert.match(error.message, /exit status 7: no backend for \[secret\]$/);
        return true;
      });
    } finally {
      Reflect.deleteProperty(process.env, "BACKEND_SECRET");
    }
  });
});
