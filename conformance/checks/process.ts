import * as fs from "node:fs";
import { sleep } from "../../provider/driver/call/retry";
import type { Check, Problem } from "../check";
import { endText } from "../driver-process";
import { problem, verdict, wantOk } from "../judge";
import { filesWritten, processesOf } from "../proc";
import { controlOf } from "./socket";

/** After so long a call has reached the driver, and a driver with a backend has not answered it, in milliseconds. */
const callUnderWay = 20;
const endPatience = 10_000;

export const processChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-106", deployment: "DEP-079" },
    needs: ["command"],
    run: async (context) => {
      const { current } = controlOf(context);
      const { idleSeconds } = context.options;
      const before = await context.getInfo();
      await context.pause(idleSeconds * 1000);
      const after = await context.getInfo();
      const problems: (Problem | undefined)[] = [
        wantOk(before, "the driver answers"),
        wantOk(after, "it still does"),
      ];
      if (current.end !== undefined) {
        const sent = `two calls ${idleSeconds} s apart`;
        problems.push({ sent, answered: endText(current.end), wanted: "the same process" });
      }
      return verdict(problems, `the pause was ${idleSeconds} s (--idle)`);
    },
  },
  {
    ids: { cosi: "GRPC-108", deployment: "DEP-079" },
    level: "SHOULD",
    needs: ["command", "bucket"],
    run: async (context) => {
      const control = controlOf(context);
      const driver = control.current;
      const fields = context.bucketFields();
      await context.getInfo();
      const call = context.create(fields, { interrupted: true });
      await sleep(callUnderWay);
      driver.signal("SIGTERM");
      const created = await call;
      const end = await driver.ended(endPatience);
      const left = fs.existsSync(control.socket);
      context.disconnect();
      await control.restart();
      const problems: Problem[] = [];
      const sent = "SIGTERM during a create";
      if (created.lost !== undefined) {
        problems.push({
          ...problem(created, "the reply to the call in flight"),
          sent: `${sent}: ${created.sent}`,
        });
      }
      if (end?.code !== 0) {
        const answered = end === undefined ? "it runs" : endText(end);
        problems.push({ sent, answered, wanted: "exit status 0" });
      }
      if (left) problems.push({ sent, answered: "the socket is still there", wanted: "no socket" });
      return verdict(problems);
    },
  },
  {
    ids: { cosi: "GRPC-113", deployment: "DEP-081" },
    needs: ["command", "proc"],
    last: true,
    run: (context) => {
      const control = controlOf(context);
      const open = new Set(processesOf(control.current.pid ?? 0).flatMap(filesWritten));
      const made = fs.readdirSync(control.temporaryFolder);
      const sent = "all calls of this run";
      const wanted = "no log file, or a documented one: settings, place, limits";
      const problems = [
        ...[...open].map((file) => ({ sent, answered: `${file} is open for writing`, wanted })),
        ...made.map((name) => ({ sent, answered: `${name} was made in TMPDIR`, wanted })),
      ];
      return Promise.resolve(verdict(problems));
    },
  },
  {
    ids: { cosi: "GRPC-114", deployment: "DEP-081" },
    needs: ["command", "access"],
    last: true,
    recordsOnly: true,
    run: (context) => {
      const { output } = controlOf(context);
      const hits = [...context.issued].filter((secret) => output.includes(secret)).length;
      const answered = `${hits} of ${context.issued.size} issued secrets stand in what the driver wrote`;
      const problems = hits === 0 ? [] : [{ sent: "the grants of this run", answered, wanted: "none" }];
      return Promise.resolve(verdict(problems, "at the log level that the driver was started with"));
    },
  },
];
