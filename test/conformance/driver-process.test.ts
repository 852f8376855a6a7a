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

const subjects = [
  {
    contract: "cosi.v1alpha1",
    requirements: "[GRPC-128] [GRPC-129]",
    passed: ["021", "086", "093", "098", "099", "100", "103", "106", "108", "113", "114"].map(
      (number) => `GRPC-${number}`,
    ),
    failed: ["GRPC-021", "GRPC-100", "GRPC-103"],
    warned: ["GRPC-093", "GRPC-099", "GRPC-108", "GRPC-113", "GRPC-114"],
  },
  {
    contract: "deployment.v1alpha1",
    requirements: "[DEP-090]",
    passed: ["021", "026", "071", "075", "076", "077", "079", "081"].map((number) => `DEP-${number}`),
    failed: ["DEP-021", "DEP-077"],
    warned: ["DEP-076", "DEP-079", "DEP-081"],
  },
] as const;

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
    for (const name of ["FAKE_STATE", "FAKE_FAULT", "FAKE_CONTRACT", "FAKE_PASSWORD"])
      Reflect.deleteProperty(process.env, name);
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { contract, requirements, passed, failed, warned } of subjects) {
    it(`passes a driver of ${contract} that keeps its state in a file, on every duty of a process ${requirements}`, async () => {
      process.env["FAKE_CONTRACT"] = contract;
      process.env["FAKE_STATE"] = join(folder, "state.json");
      const before = socketFolders();
      const report = await runConformance(options({ contract, command, timeoutSeconds: 60 }));
      assert.deepEqual(idsWith(report, "fail"), []);
      const duties = idsWith(report, "pass");
      for (const duty of passed) assert.ok(duties.includes(duty), `${duty} has not passed`);
      assert.equal(report.compliant, true);
      assert.deepEqual(socketFolders(), before);
    });

    it(`catches a driver of ${contract} that forgets all at a restart, logs keys, leaves the socket wide open and more, each under its id ${requirements}`, async () => {
      process.env["FAKE_CONTRACT"] = contract;
      process.env["FAKE_FAULT"] = "careless";
      const report = await runConformance(options({ contract, command, timeoutSeconds: 60 }));
      assert.deepEqual(idsWith(report, "fail"), failed);
      assert.deepEqual(idsWith(report, "warning"), warned);
      assert.equal(report.compliant, false);
    });
  }

  it("catches a driver that hands out the password with which it was started itself, and does not show it [DEP-090]", async () => {
    process.env["FAKE_CONTRACT"] = "deployment.v1alpha1";
    process.env["FAKE_FAULT"] = "hands out its own password";
    process.env["FAKE_PASSWORD"] = "administrators-own";
    process.env["FAKE_STATE"] = join(folder, "state.json");
    const contract = "deployment.v1alpha1";
    const report = await runConformance(options({ contract, command, timeoutSeconds: 60 }));
    assert.deepEqual(idsWith(report, "fail"), ["DEP-026"]);
    const line = report.lines.find(({ id }) => id === "DEP-026");
    const found = line?.problems.map(({ answered }) => answered) ?? [];
    assert.ok(
      found.some((answered) => answered.includes("the environment or the command line of the driver")),
      found.join("\n"),
    );
    assert.doesNotMatch(JSON.stringify(report), /administrators-own/);
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

  it("cannot begin with a program that there is not, and says what to give", async () => {
    const run = runConformance(options({ command: ["cosi-drivr"], timeoutSeconds: 60 }));
    await assert.rejects(
      run,
      /does not serve: it could not be started: spawn cosi-drivr ENOENT\. Next: give a program that is on PATH/,
    );
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
