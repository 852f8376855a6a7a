/**
 * Loaded by Node.js before anything else (`--import`): samples the process and writes what it did to a file of
 * BENCH_PROFILES, again and again, since Pulumi ends its plugins by a signal.
 */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { setInterval } from "node:timers";

const folder = process.env["BENCH_PROFILES"];
// Each stop costs a tenth of a second by itself.
const everyMs = 10_000;

/** @param {string} role @param {string} into */
const start = (role, into) => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 1000 });
  session.post("Profiler.start");
  let count = 0;
  /** @param {boolean} goesOn */
  const write = (goesOn) => {
    session.post("Profiler.stop", (error, result) => {
      if (error) return;
      count += 1;
      const file = join(into, `${role}-${process.pid}-${count}.cpuprofile`);
      writeFileSync(file, JSON.stringify(result.profile));
      if (goesOn) session.post("Profiler.start");
    });
  };
  setInterval(write, everyMs, true).unref();
  process.on("exit", () => write(false));
};

const command = [...process.argv, ...process.execArgv].join(" ");
if (folder !== undefined && command.includes("cmd/dynamic-provider")) start("host", folder);
else if (folder !== undefined && command.includes("@pulumi/pulumi/cmd/run")) start("program", folder);
