import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { maximumSocketPathBytes } from "../provider/driver/connect/endpoint";
import type { EndpointVariable } from "../provider/contracts/contract";
import { sleep } from "../provider/driver/call/retry";
import { removeFolder } from "../provider/driver/process/group";
import { driverEnvironment, executable } from "../provider/driver/process/supervised-driver";
import { DriverProcess, endText } from "./driver-process";
import { DriverWatch } from "./driver-watch";
import { pause } from "./pause";

/** What differs from the usual start. */
export interface StartOptions {
  readonly workingDirectory?: string;
  /** Variables to set, or with `undefined` to leave out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const lookInterval = 50;
const noticeMilliseconds = 500;
const endPatience = 5_000;
/** What was killed is waited for so long: what nobody collects stays in the list of processes. */
const gonePatience = 500;
const socketName = "driver.sock";
const endpointMark = "{endpoint}";

/** The driver was started and does not serve. */
export class DriverStartError extends Error {
  override readonly name = "DriverStartError";
}

/**
 * The driver's process: the run starts it, ends it and starts it again. Its socket lies alone in a folder that only
 * this user may enter, and it has a temporary folder of its own.
 */
export class DriverControl {
  readonly #folder: string;
  /** Folder of the socket. */
  readonly socketFolder: string;
  readonly socket: string;
  /** TMPDIR of the driver. */
  readonly temporaryFolder: string;
  /** How the driver ended when nobody told it to. */
  readonly deaths: string[] = [];
  /** Milliseconds from the last start to the first connection. */
  startMilliseconds = 0;
  readonly #processes: DriverProcess[] = [];
  readonly #watch: DriverWatch;
  /** Those that the watch ends where this process cannot. */
  readonly #watched = new Set<DriverProcess>();
  #current: DriverProcess | undefined;
  /** False while the last one that was started has not taken a connection yet. */
  #serves = false;
  #reviving: Promise<void> | undefined;
  /** The run may be left by an exit that waits for nothing. */
  readonly #onExit = (): void => {
    for (const driver of this.#processes) driver.signal("SIGKILL");
    removeFolder(this.#folder);
  };

  constructor(
    private readonly command: readonly string[],
    private readonly patience: number,
    /** The variable in which the driver gets its endpoint. */
    readonly endpointVariable: EndpointVariable,
    /** Ends the wait for a driver that does not serve. @default nobody does */
    private interrupt: AbortSignal = new AbortController().signal,
  ) {
    const longest = path.join(os.tmpdir(), "cosi-conformance-XXXXXX", "other", socketName);
    const parent = Buffer.byteLength(longest) <= maximumSocketPathBytes ? os.tmpdir() : "/tmp";
    this.#folder = fs.mkdtempSync(path.join(parent, "cosi-conformance-"));
    this.socketFolder = this.folder("run");
    this.socket = path.join(this.socketFolder, socketName);
    this.temporaryFolder = this.folder("tmp");
    this.#watch = new DriverWatch(this.#folder);
    process.once("exit", this.#onExit);
  }

  /** True if the command is given the endpoint as an argument, so that nobody can tell what it reads. */
  get takesEndpointArgument(): boolean {
    return this.command.some((argument) => argument.includes(endpointMark));
  }

  /** The process that serves. @throws DriverStartError */
  get current(): DriverProcess {
    if (this.#current === undefined) throw new DriverStartError("the driver was not started");
    return this.#current;
  }

  /** True if the driver has ended by itself and was not started again. */
  get hasDied(): boolean {
    return this.#current?.end !== undefined;
  }

  /** What the driver is told of its backend when it starts: values of variables, and arguments. */
  get configuration(): string[] {
    return [...Object.values(driverEnvironment({})), ...this.command];
  }

  /** What all processes have written. */
  get output(): string {
    return this.#processes.map(({ stdout, stderr }) => stdout + stderr).join("\n");
  }

  /** A new empty folder of the run. */
  folder(name: string): string {
    const folder = path.join(this.#folder, name);
    fs.mkdirSync(folder, { mode: 0o700 });
    return folder;
  }

  /** Path of a socket in a new folder. */
  otherSocket(folder: string): string {
    return path.join(this.folder(folder), socketName);
  }

  /** From now on the driver is started although the run was interrupted: what it made is to be removed. */
  ignoreInterrupt(): void {
    this.interrupt = new AbortController().signal;
  }

  /** Starts the driver and waits until it takes connections. @throws DriverStartError, or NotJudgedError if interrupted */
  async start(options: StartOptions = {}): Promise<void> {
    const driver = this.spawn(this.socket, options);
    this.#current = driver;
    await this.#untilServed(driver);
  }

  async #untilServed(driver: DriverProcess): Promise<void> {
    this.#serves = false;
    const end = Date.now() + this.patience;
    while (!(await isServed(this.socket))) {
      if (driver.end !== undefined) {
        const { code, signal } = driver.end;
        const neverRan = code === null && signal === null;
        const how = neverRan ? endText(driver.end) : `ended with ${endText(driver.end)}`;
        const next = neverRan ? ". Next: give a program that is on PATH, or its whole path" : "";
        throw new DriverStartError(`it ${how}: ${lastLines(driver.stderr)}${next}`);
      }
      if (Date.now() >= end) {
        throw new DriverStartError(
          `nobody takes connections at ${this.socket} within ${this.patience / 1000} s`,
        );
      }
      await pause(lookInterval, this.interrupt);
    }
    this.#serves = true;
    this.startMilliseconds = Date.now() - driver.startedAt;
  }

  /** Ends the driver, by SIGKILL if it does not go by itself. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const driver = this.#current;
    if (driver === undefined) return;
    this.#current = undefined;
    await this.#end(driver, signal);
  }

  /** Starts the driver again, whatever the one before has left at the socket's path. @throws DriverStartError */
  async restart(): Promise<void> {
    await this.stop("SIGKILL");
    removeFolder(this.socket);
    await this.start();
  }

  /** Waits a moment for the end of a driver that has just dropped a call. */
  async noticeEnd(): Promise<void> {
    await this.#current?.ended(noticeMilliseconds);
  }

  /** Notes a driver that has ended by itself, and starts it again, once for calls at the same time. */
  revive(): Promise<void> {
    this.#reviving ??= this.#revived().finally(() => {
      this.#reviving = undefined;
    });
    return this.#reviving;
  }

  async #revived(): Promise<void> {
    const end = this.#current?.end;
    // One that never served has not died of a call.
    if (end !== undefined && this.#serves) this.deaths.push(endText(end));
    if (end !== undefined || this.#current === undefined) await this.restart();
    else if (!this.#serves) await this.#untilServed(this.#current);
  }

  /** Starts one more process. `socket` undefined: without the variable. */
  spawn(endpoint: string | undefined, { workingDirectory, environment = {} }: StartOptions): DriverProcess {
    const address = endpoint?.startsWith("/") === true ? `unix://${endpoint}` : endpoint;
    const [program = "", ...args] = this.command.map((argument) =>
      argument.replaceAll(endpointMark, address ?? ""),
    );
    const variables = {
      ...driverEnvironment({}),
      TMPDIR: this.temporaryFolder,
      [this.endpointVariable]: address,
      ...environment,
    };
    const driver = new DriverProcess({
      command: workingDirectory === undefined ? commandOf(program, args) : absolute(commandOf(program, args)),
      environment: Object.fromEntries(
        Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      workingDirectory: workingDirectory ?? process.cwd(),
    });
    this.#processes.push(driver);
    this.#watchOver(driver);
    return driver;
  }

  /** Ends all that was started and removes the folders. */
  async dispose(): Promise<void> {
    await this.stop("SIGTERM");
    await Promise.all(this.#processes.map((driver) => this.#end(driver, "SIGKILL")));
    removeFolder(this.#folder);
    process.removeListener("exit", this.#onExit);
    this.#watch.close();
  }

  async #end(driver: DriverProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await endOf(driver, signal);
    this.#unwatch(driver);
  }

  #watchOver(driver: DriverProcess): void {
    if (driver.pid === undefined) return;
    this.#watched.add(driver);
    this.#watch.started(driver.pid);
    // What the driver itself left running is still to be ended.
    void driver.whenEnded.then(() => {
      this.#unwatch(driver);
    });
  }

  #unwatch(driver: DriverProcess): void {
    if (driver.pid === undefined || !driver.isGone || !this.#watched.delete(driver)) return;
    this.#watch.ended(driver.pid);
  }
}

function commandOf(program: string, args: readonly string[]): [string, ...string[]] {
  return [...executable(program), ...args];
}

/**
 * Files that the command names by a relative path, also behind `--flag=`, by their whole one: it is started in another
 * folder. A program without a slash is looked for on PATH.
 */
function absolute([program, ...args]: readonly [string, ...string[]]): [string, ...string[]] {
  return [program.includes("/") ? whole(program) : program, ...args.map(wholeArgument)];
}

function wholeArgument(argument: string): string {
  const [flag = "", value = argument] = /^(-[^=]*=)(.+)$/s.exec(argument)?.slice(1) ?? [];
  return flag + whole(value);
}

/** A word that is also the name of a folder, such as `run`, is a word. */
function whole(text: string): string {
  if (!fs.existsSync(text)) return text;
  return text.includes("/") || fs.statSync(text).isFile() ? path.resolve(text) : text;
}

async function endOf(driver: DriverProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  driver.signal(signal);
  if ((await driver.ended(endPatience)) === undefined) {
    driver.signal("SIGKILL");
    await driver.ended(endPatience);
  }
  // What the driver itself left running must not outlive it.
  driver.signal("SIGKILL");
  const end = Date.now() + gonePatience;
  while (!driver.isGone && Date.now() < end) await sleep(lookInterval);
}

/** True if somebody takes connections at this socket. */
export function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", () => {
      resolve(false);
    });
  });
}

const shownLines = 5;

function lastLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "it wrote nothing to stderr" : lines.slice(-shownLines).join(" | ");
}
