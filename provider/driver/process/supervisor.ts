/**
 * The process that stands between Pulumi's host and a driver which the package started. The host is killed without
 * notice, so somebody else must end the driver: this process does when its standard input closes, which happens
 * however the host ends, or when the engine is gone, which the host may outlive.
 *
 * It reads one line, {@link Order}, from standard input, then any number of {@link askForLines}, and writes events,
 * {@link SupervisorEvent}, one line each, to standard output. The order is not an argument, as its environment may hold
 * secrets.
 *
 * If this process is killed, the host ends the driver (`endGroup`); if both are, at one moment, nobody does.
 */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as readline from "node:readline";
import { errorText } from "../../dynamic/error-text";
import { patienceMilliseconds, signalGroup, type DriverGroup } from "./group";
import { askForLines, LastLines } from "./last-lines";
import { watchEngine } from "./host";
import { maximumSocketPathBytes } from "../connect/endpoint";

/** What the host asks for. */
export interface Order {
  /** Program and arguments; `{endpoint}` in an argument or in a variable is replaced by the endpoint. */
  readonly command: readonly [string, ...string[]];
  /** The driver's whole environment but for its endpoint. */
  readonly environment: Readonly<Record<string, string>>;
  /** Name of the variable with its endpoint. */
  readonly variable: string;
  readonly workingDirectory: string;
  readonly engine?: string;
}

/** What the supervisor reports. */
export type SupervisorEvent =
  | ({ readonly event: "started"; readonly endpoint: string } & DriverGroup)
  | { readonly event: "failed"; readonly reason: string }
  /** The answer to {@link askForLines}. */
  | { readonly event: "lines"; readonly lastLines: readonly string[] }
  | { readonly event: "ended"; readonly how: string; readonly lastLines: readonly string[] };

/** A driver that has ended is read to the end for so long: a background process of it may hold its streams open. */
const streamGraceMilliseconds = 500;
/** What a driver writes about a call may come a little later than its answer. */
const readingMilliseconds = 100;
const socketName = "driver.sock";

function report(event: SupervisorEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/**
 * A fresh folder that only this user may enter; below /tmp where TMPDIR is too long for a socket path. TMPDIR may be
 * relative, and an endpoint is not.
 */
function makeSocketFolder(): string {
  const parent = path.resolve(os.tmpdir());
  const fits = Buffer.byteLength(path.join(parent, "cosi-XXXXXX", socketName)) <= maximumSocketPathBytes;
  return fs.mkdtempSync(path.join(fits ? parent : "/tmp", "cosi-"));
}

/**
 * Starts the driver with its socket in this folder.
 *
 * @returns Gives what the driver wrote last.
 * @throws Error if an argument or a variable is none.
 */
function supervise(order: Order, folder: string): () => string[] {
  const endpoint = `unix://${path.join(folder, socketName)}`;
  const fill = (text: string): string => text.replaceAll("{endpoint}", endpoint);
  const [program, ...args] = order.command;
  const environment = Object.fromEntries(
    Object.entries(order.environment).map(([key, value]) => [key, fill(value)]),
  );
  const outputs = { stdout: new LastLines(), stderr: new LastLines() };
  const driver = spawn(program, args.map(fill), {
    cwd: order.workingDirectory,
    env: { ...environment, [order.variable]: endpoint },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: a signal to the terminal's group must not reach it while calls are in flight.
    detached: true,
  });
  for (const stream of ["stdout", "stderr"] as const) {
    driver[stream].on("data", (chunk: Buffer) => {
      outputs[stream].add(chunk);
    });
  }

  const leave = (): never => {
    fs.rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  };
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    signalGroup(driver.pid, "SIGTERM");
    setTimeout(() => {
      signalGroup(driver.pid, "SIGKILL");
      setTimeout(leave, streamGraceMilliseconds);
    }, patienceMilliseconds);
  };
  // A driver that logs much to stdout must not push out what it said of its fault.
  const lastLines = (): string[] => {
    const said = outputs.stderr.get();
    return said.length > 0 ? said : outputs.stdout.get();
  };
  driver.once("spawn", () => {
    const { pid } = driver;
    if (pid !== undefined) report({ event: "started", endpoint, pid, folder });
  });
  driver.once("error", (error) => {
    report({ event: "failed", reason: error.message });
    leave();
  });
  driver.once("exit", (code, signal) => {
    const byItself = !ending;
    const finish = (): void => {
      // What the driver itself left running must not outlive it.
      signalGroup(driver.pid, "SIGKILL");
      if (byItself) {
        const how = signal === null ? `exit status ${code ?? "unknown"}` : `signal ${signal}`;
        report({ event: "ended", how, lastLines: lastLines() });
      }
      leave();
    };
    driver.once("close", finish);
    // A process of its group that was asked to end has its time; one that left the group is out of reach.
    if (byItself || !signalGroup(driver.pid, 0)) setTimeout(finish, streamGraceMilliseconds);
  });
  process.stdin.on("close", end);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
  if (order.engine !== undefined) watchEngine(order.engine, end);
  return lastLines;
}

function reportLines(lastLines: () => string[]): void {
  report({ event: "lines", lastLines: lastLines() });
}

/** Ends with a reason that the host shows: nobody reads what this process writes to standard error. */
function fail(reason: string): never {
  report({ event: "failed", reason });
  process.exit(1);
}

function start(order: Order): () => string[] {
  let folder: string;
  try {
    folder = makeSocketFolder();
  } catch (error) {
    fail(
      `no folder could be made for its socket: ${errorText(error)}; set TMPDIR to a folder that can be written`,
    );
  }
  try {
    return supervise(order, folder);
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    fail(errorText(error));
  }
}

// The host may be gone while this process still has something to say.
process.stdout.on("error", () => undefined);
let lastLines: (() => string[]) | undefined;
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (lastLines === undefined) {
    lastLines = start(JSON.parse(line) as Order);
  } else if (line === askForLines) {
    setTimeout(reportLines, readingMilliseconds, lastLines);
  }
});
