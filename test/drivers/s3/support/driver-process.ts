import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DriverClient } from "./driver-client";

const ROOT = resolve(__dirname, "../../../..");

/** The program as it is shipped. */
const PROGRAM = join(ROOT, "dist/drivers/s3/main.js");

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Folders of one test: one for the socket alone, one that the driver is started in. */
export interface Folders {
  readonly socketFolder: string;
  readonly socket: string;
  readonly workFolder: string;
  remove(): void;
}

/** Makes {@link Folders}. */
export function makeFolders(): Folders {
  const path = mkdtempSync(join(tmpdir(), "cosi-s3-"));
  const socketFolder = join(path, "run");
  const workFolder = join(path, "work");
  mkdirSync(socketFolder);
  mkdirSync(workFolder);
  return {
    socketFolder,
    socket: join(socketFolder, "driver.sock"),
    workFolder,
    remove: () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** How to start a driver. */
export interface StartOptions {
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly workFolder: string;
  /** A command that becomes the driver, whose own command line it gets as its last arguments. */
  readonly through?: readonly [command: string, ...args: string[]];
}

/** What `through` is to start the driver under another umask, which belongs to a process. */
export function underUmask(octal: string): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", `umask ${octal}; exec "$@"`, "sh"];
}

/** The driver as its users run it: a process of its own with nothing but the given environment. */
export class DriverProcess {
  readonly pid: number;
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  #stderr = "";
  #stdout = "";

  constructor({ env, workFolder, through = ["/usr/bin/env"] }: StartOptions) {
    assertBuilt();
    const [command, ...args] = through;
    this.#child = spawn(command, [...args, process.execPath, PROGRAM], {
      cwd: workFolder,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (data: Buffer) => (this.#stdout += data.toString()));
    this.#child.stderr?.on("data", (data: Buffer) => (this.#stderr += data.toString()));
    this.pid = this.#child.pid ?? 0;
    this.ended = new Promise((resolve) => {
      // "close" comes after "exit", once both streams are read to their end.
      this.#child.once("close", (code, signal) => {
        resolve({ code, signal });
      });
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<End> {
    this.#child.kill(signal);
    return this.ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** A driver that answers at the socket, and a client of it. */
export async function startDriver(
  socket: string,
  options: StartOptions,
): Promise<{ readonly driver: DriverProcess; readonly client: DriverClient }> {
  const driver = new DriverProcess({
    ...options,
    env: { ...options.env, COSI_ENDPOINT: `unix://${socket}` },
  });
  const client = new DriverClient(socket);
  const early = driver.ended.then(({ code, signal }) => {
    client.close();
    throw new Error(`the driver ended (${String(code ?? signal)}): ${driver.stderr}`);
  });
  early.catch(() => undefined);
  await Promise.race([client.getInfo(), early]);
  return { driver, client };
}

/** Fails if the program is older than one of its sources: a test of yesterday's code proves nothing. */
function assertBuilt(): void {
  const sources = join(ROOT, "drivers/s3");
  for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    const compiled = join(ROOT, "dist/drivers/s3", file.replace(/\.ts$/, ".js"));
    if (file.endsWith(".ts") && !(modified(compiled) >= modified(join(sources, file)))) {
      throw new Error(`drivers/s3/${file} is newer than what was built of it: run "npm run build" first`);
    }
  }
}

/** When a file was last written, or NaN if there is none. */
function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
}
