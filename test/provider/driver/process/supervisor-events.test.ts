import assert from "node:assert/strict";
import childProcess from "node:child_process";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { mock } from "node:test";
import { superviseDriver } from "../../../../provider/driver/process/supervised-driver";
import type { SupervisorEvent } from "../../../../provider/driver/process/supervisor";
import { readEvents } from "../../../../provider/driver/process/supervisor-events";
import { eventually } from "../../../support/stub-driver";

describe("what a supervisor reports", () => {
  afterEach(() => {
    mock.restoreAll();
  });

  /** Reads these lines, and what comes after them. */
  async function read(lines: readonly string[], end: (input: PassThrough) => void = () => undefined) {
    const input = new PassThrough();
    const events: SupervisorEvent[] = [];
    const failures: string[] = [];
    readEvents(
      input,
      (event) => {
        if (event.event === "failed") throw new Error(event.reason);
        events.push(event);
      },
      (error) => failures.push(String(error)),
    );
    for (const line of lines) input.write(`${line}\n`);
    end(input);
    for (let n = 0; n < 10; n += 1) await turn();
    return { events, failures };
  }

  it("is read line by line, without what is no event", async () => {
    const lines = { event: "lines", lastLines: ["a"] };
    const { events, failures } = await read([JSON.stringify(lines), "null", '{"event":"star', ""]);
    assert.deepEqual([events, failures], [[lines], []]);
  });

  it("ends no host by an exception of who handles it, and is read on", async () => {
    const fault = { event: "failed", reason: "a fault in here" };
    const lines = { event: "lines", lastLines: ["a"] };
    const { events, failures } = await read([JSON.stringify(fault), JSON.stringify(lines)]);
    assert.deepEqual([events, failures], [[lines], ["Error: a fault in here"]]);
  });

  it("ends no host by an error of the pipe", async () => {
    const { failures } = await read([], (input) => input.destroy(new Error("the pipe is broken")));
    assert.ok(failures.length > 0);
    for (const failure of failures) assert.equal(failure, "Error: the pipe is broken");
  });

  for (const [what, script, reason] of [
    [
      "an endpoint that is none",
      'console.log(JSON.stringify({ event: "started", endpoint: "unix://tmp/d.sock", pid: 99999999, folder: "tmp" }))',
      /driver endpoint "unix:\/\/tmp\/d\.sock" has no absolute path/,
    ],
    [
      "an end without its last lines",
      'console.log(JSON.stringify({ event: "ended", how: "x" }))',
      /iterable/,
    ],
  ] as const) {
    it(`is the error of the driver's start where it is ${what}, and ends it [GRPC-107] [GRPC-109]`, async () => {
      const { spawn } = childProcess;
      const ended: (number | null)[] = [];
      mock.method(childProcess, "spawn", () => {
        // As a supervisor does, it ends when its input does.
        const supervisor = spawn(process.execPath, ["-e", `${script}; process.stdin.resume()`], {
          stdio: ["pipe", "pipe", "ignore"],
        });
        return supervisor.on("exit", (code) => ended.push(code));
      });
      await assert.rejects(superviseDriver(["driver-with-such-a-supervisor", what]), (error: Error) => {
        assert.match(error.message, /^the driver "driver-with-such-a-supervisor" could not be started: /);
        assert.match(error.message, reason);
        return true;
      });
      await eventually("the supervisor has ended", () => ended.length > 0);
      assert.deepEqual(ended, [0]);
    });
  }
});
