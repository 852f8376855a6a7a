import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../../cli/commands";
import { runConformance } from "../../conformance/run";
import { sleep } from "../../provider/driver/call/retry";
import { paths } from "../support/cosi-v1alpha1";
import { CompiledProgram } from "./support/compiled-program";
import { options } from "./support/options";
import { TestedDriver } from "./support/tested-driver";

const cli = resolve(__dirname, "../../dist/cli/main.js");

/** Waits until something is so, at most for ten seconds. */
async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, "it did not come about");
    await sleep(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a conformance run that the user ends", function () {
  this.timeout(120_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "conformance-interrupt-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("goes on to its clean-up at once in the pause of GRPC-106 [GRPC-130]", async () => {
    const program = new CompiledProgram();
    const interrupt = new AbortController();
    let since = 0;
    try {
      const report = await runConformance(
        options({ command: [process.execPath, program.file], timeoutSeconds: 60, idleSeconds: 3_600 }),
        {
          signal: interrupt.signal,
          onCheck: (id) => {
            if (id !== "GRPC-106") return;
            setTimeout(() => {
              since = Date.now();
              interrupt.abort();
            }, 500);
          },
        },
      );
      assert.equal(report.incomplete, "the run was interrupted");
      assert.ok(Date.now() - since < 20_000, `it took ${Date.now() - since} ms`);
      assert.deepEqual(report.leftovers, []);
    } finally {
      program.remove();
    }
  });

  const silent = ["--command", process.execPath, "-e", "setInterval(() => undefined, 1000)"];
  for (const [what, target] of [
    ["a driver that it has started does not serve yet", silent],
    ["nobody serves at the endpoint yet", ["--endpoint", "unix:///nonexistent/driver.sock"]],
  ] as const) {
    it(`exits 130 and says that nothing was made, while ${what} [GRPC-130]`, async () => {
      const interrupt = new AbortController();
      let said = "";
      setTimeout(() => {
        interrupt.abort();
      }, 300);
      const since = Date.now();
      const code = await runCommandLine(["conformance", "--timeout", "60", ...target], {
        out: (more) => (said += more),
        err: (more) => (said += more),
        input: undefined,
        interactive: false,
        environment: {},
        interrupt: interrupt.signal,
      });
      assert.equal(code, 130);
      assert.equal(said, "pulumi-cosi conformance: ended before the driver was reached; nothing was made\n");
      assert.ok(Date.now() - since < 20_000);
    });
  }

  it("lists what is there when it is left before it is removed [GRPC-130]", async () => {
    let isInterrupted = false;
    const tested = await TestedDriver.start([], (path) =>
      path === paths.delete && isInterrupted ? "silence" : undefined,
    );
    const args = [cli, "conformance", "--endpoint", tested.endpoint, "--timeout", "30"];
    const run = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    try {
      const said = Promise.all([text(run.stderr), text(run.stdout)]);
      await until(() => tested.driver.state.buckets.size > 0);
      isInterrupted = true;
      run.kill("SIGINT");
      await sleep(500);
      run.kill("SIGINT");
      const [code] = (await once(run, "close")) as [number | null];
      const [err] = await said;
      assert.equal(code, 130);
      assert.match(err, /Removing what was made; once more to leave it\./);
      const there = [...tested.driver.state.buckets.keys()];
      assert.ok(there.length > 0);
      for (const name of there) {
        assert.match(
          err,
          new RegExp(`^NOT REMOVED[^]*\n {2}bucket ${name}, made under the name ${name}$`, "m"),
        );
      }
    } finally {
      run.kill("SIGKILL");
      await tested.stop();
    }
  });

  it("leaves no driver and no folder behind, also where it is killed [GRPC-130]", async () => {
    const file = join(folder, "pid");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(file)}, process.pid + " " + process.env.TMPDIR); setInterval(() => undefined, 1000)`;
    const args = [cli, "conformance", "--timeout", "60", "--command", process.execPath, "-e", script];
    const run = spawn(process.execPath, args, { stdio: "ignore" });
    const closed = once(run, "close");
    await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
    const [pid = "", temporary = ""] = readFileSync(file, "utf8").split(" ");
    assert.ok(isAlive(Number(pid)) && existsSync(temporary));
    run.kill("SIGKILL");
    await closed;
    await until(() => !isAlive(Number(pid)) && !existsSync(join(temporary, "..")));
  });
});
