#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { interruptText, runCommandLine } from "./commands";
import { exitCodes } from "./exit-codes";

const args = process.argv.slice(2);
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    process.stderr.write(`\n${interruptText(args)}\n`);
    interrupt.abort();
  });
}

runCommandLine(args, {
  out: (said) => process.stdout.write(said),
  err: (said) => process.stderr.write(said),
  input: process.stdin.isTTY ? undefined : () => text(process.stdin),
  interactive: process.stderr.isTTY,
  environment: process.env,
  interrupt: interrupt.signal,
}).then(
  (code) => {
    // Not process.exit: a report that goes into a pipe is to be written to its end.
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `pulumi-cosi: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = exitCodes.cannotRun;
  },
);
