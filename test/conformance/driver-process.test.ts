import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
    for (const name of ["FAKE_STATE", "FAKE_FAULT", "FAKE_CONTRACT", "FAKE_PASSWORD", "FAKE_LOCK"])
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

  it("starts a driver that has died of a call again, to remove what it made before [GRPC-130]", async () => {
    const file = join(folder, "state.json");
    process.env["FAKE_FAULT"] = "dies of a grant";
    process.env["FAKE_STATE"] = file;
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    const { buckets } = JSON.parse(readFileSync(file, "utf8")) as { buckets: unknown[] };
    assert.deepEqual(buckets, []);
    assert.deepEqual(
      report.leftovers.filter(({ kind }) => kind !== "account"),
      [],
    );
    // Of each grant that it died of nobody knows.
    assert.match(report.leftovers[0]?.reason ?? "", /^a grant may have made it: .*no status/);
  });

  it("finds the files that the command names, in whatever way, when it starts the driver elsewhere [GRPC-103]", async () => {
    process.env["FAKE_STATE"] = join(folder, "state.json");
    const before = process.cwd();
    writeFileSync(join(folder, "driver.js"), `require(process.argv[2].slice("--program=".length));`);
    symlinkSync(program.file, join(folder, "program.js"));
    process.chdir(folder);
    try {
      const relative = [process.execPath, "driver.js", "--program=./program.js"];
      const report = await runConformance(options({ command: relative, timeoutSeconds: 60 }));
      assert.ok(idsWith(report, "pass").includes("GRPC-103"));
    } finally {
      process.chdir(before);
    }
  });

  it("fails a driver that does not start again after SIGKILL under GRPC-021, and skips nothing of it as unseen [GRPC-129]", async () => {
    process.env["FAKE_LOCK"] = join(folder, "lock");
    process.env["FAKE_STATE"] = join(folder, "state.json");
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    const line = report.lines.find(({ id }) => id === "GRPC-021");
    assert.equal(line?.status, "fail");
    assert.match(line.problems[0]?.answered ?? "", /exit status 78: fake driver: another instance holds /);
    const crash = report.lines.find(({ id }) => id === "GRPC-058");
    assert.match(JSON.stringify(crash?.problems), /it does not start again/);
    assert.doesNotMatch(JSON.stringify(crash?.problems), /process ended/);
    const unseen = report.lines.find(({ id }) => id === "GRPC-022");
    assert.match(unseen?.reason ?? "", /^needs the backend/);
    assert.equal(report.compliant, false);
    assert.match(report.incomplete ?? "", /GRPC-\d{3} could not be judged: the driver does not start again/);
  });

  it("fails a driver that dies of a call and does not start again under GRPC-058 [GRPC-129]", async () => {
    process.env["FAKE_LOCK"] = join(folder, "lock");
    process.env["FAKE_FAULT"] = "dies of a grant";
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    assert.ok(idsWith(report, "fail").includes("GRPC-058"));
    const found = JSON.stringify(report.lines.find(({ id }) => id === "GRPC-058")?.problems);
    assert.match(found, /the driver's process ended: exit status 3/);
    assert.match(found, /it does not start again: .*another instance holds /);
    assert.equal(report.compliant, false);
  });

  it("catches a driver that serves the contract on TCP at an address of its own too [GRPC-129]", async () => {
    process.env["FAKE_FAULT"] = "serves on TCP too";
    process.env["FAKE_STATE"] = join(folder, "state.json");
    const report = await runConformance(options({ command, timeoutSeconds: 60 }));
    assert.deepEqual(idsWith(report, "fail"), ["GRPC-086"]);
    const line = report.lines.find(({ id }) => id === "GRPC-086");
    assert.match(line?.problems[0]?.sent ?? "", /^DriverGetInfo to TCP 127\.0\.0\.2 port \d+,/);
  });

  it("cannot begin with a program that there is not, and says what to give", async () => {
    const run = runConformance(options({ command: ["cosi-drivr"], timeoutSeconds: 60 }));
    await assert.rejects(
      run,
      /does not serve: it could not be started: spawn cosi-drivr ENOENT\. Next: give a program that is on PATH/,
    );
  });

  it("shows no secret that a driver which does not serve was given, whatever it is called [GRPC-130]", async () => {
    const given = {
      DB_PASS: "hunter2hunter2",
      DATABASE_URL: "postgres://admin:topsecretpw@db/x",
      MYSQL_PWD: "mysqlpw12345",
      RGW_ADMIN_AUTH: "adminauthvalue99",
      STORE_CONFIG: '{"endpoint":"http://store:9000","accounts":[{"secretKey":"in-a-document-1"}]}',
      AUTH_LEVEL: "true",
      PLACE: "eu-1-datacenter",
    };
    Object.assign(process.env, given);
    try {
      const script =
        "console.error(JSON.stringify(process.argv.slice(1)) + Object.keys(process.env)" +
        ".filter((name) => process.env.SHOWN.includes(name)).map((name) => name + '=' + process.env[name]).join(' ')); process.exit(7)";
      process.env["SHOWN"] = Object.keys(given).join();
      const flags = ["--admin-secret=topsecret99", "--api-token", "separate-token-1", "--region=eu-1-zone"];
      const run = runConformance(
        options({ command: [process.execPath, "-e", script, "--", ...flags], timeoutSeconds: 60 }),
      );
      await assert.rejects(run, ({ message }: Error) => {
        const secrets =
          /hunter2hunter2|topsecretpw|mysqlpw12345|adminauthvalue99|in-a-document-1|topsecret99|separate-token-1/;
        assert.doesNotMatch(message, secrets);
        assert.match(message, /DB_PASS=\[secret\]/);
        for (const plain of [
          "AUTH_LEVEL=true",
          "PLACE=eu-1-datacenter",
          "--region=eu-1-zone",
          "@db/x",
          "store:9000",
        ]) {
          assert.ok(message.includes(plain), `${plain} in ${message}`);
        }
        return true;
      });
    } finally {
      for (const name of [...Object.keys(given), "SHOWN"]) Reflect.deleteProperty(process.env, name);
    }
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
