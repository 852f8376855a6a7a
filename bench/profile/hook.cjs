/**
 * Loaded by Node.js before anything else (`--require`): samples the process and writes what it did to a file of
 * BENCH_PROFILES, again and again, since Pulumi ends its plugins by a signal.
 */
"use strict";
const fs = require("node:fs");
const inspector = require("node:inspector");
const path = require("node:path");

const folder = process.env["BENCH_PROFILES"];
const everyMs = 1000;

function start(role) {
  const session = new inspector.Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 1000 });
  session.post("Profiler.start");
  let count = 0;
  const write = (goesOn) => {
    session.post("Profiler.stop", (error, result) => {
      if (error) return;
      count += 1;
      fs.writeFileSync(
        path.join(folder, `${role}-${process.pid}-${count}.cpuprofile`),
        JSON.stringify(result.profile),
      );
      if (goesOn) session.post("Profiler.start");
    });
  };
  setInterval(write, everyMs, true).unref();
  process.on("exit", () => write(false));
}

const command = process.argv.join(" ") + process.execArgv.join(" ");
if (folder !== undefined && command.includes("cmd/dynamic-provider")) start("host");
else if (folder !== undefined && command.includes("@pulumi/pulumi/cmd/run")) start("program");
