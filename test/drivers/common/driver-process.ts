import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../../..");

/** The folder of a driver below `drivers/`. */
export type Program = "s3" | "postgres";

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
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

  /** Starts the program as it is shipped. */
  constructor(program: Program, { env, workFolder, through = ["/usr/bin/env"] }: StartOptions) {
    assertBuilt(program);
    assertBuilt("common");
    const [command, ...args] = through;
    this.#child = spawn(
      command,
      [...args, process.execPath, join(ROOT, "dist/drivers", program, "main.js")],
      {
        cwd: workFolder,
        env: { ...env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
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

/**
 * Waits for a driver to answer.
 *
 * @param answer - resolves once it does.
 * @throws Error with what the driver wrote, if it ends before.
 */
export async function untilAnswers(driver: DriverProcess, answer: Promise<unknown>): Promise<void> {
  const early = driver.ended.then(({ code, signal }) => {
    throw new Error(`the driver ended (${String(code ?? signal)}): ${driver.stderr}`);
  });
  early.catch(() => undefined);
  answer.catch(() => undefined);
  await Promise.race([answer, early]);
}

/** Fails if the program is older than one of its sources: a test of yesterday's code proves nothing. */
function assertBuilt(part: Program | "common"): void {
  const sources = join(ROOT, "drivers", part);
  for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    const compiled = join(ROOT, "dist/drivers", part, file.replace(/\.ts$/, ".js"));
    if (file.endsWith(".ts") && !(modified(compiled) >= modified(join(sources, file)))) {
      throw new Error(
        `drivers/${part}/${file} is newer than what was built of it: run "npm run build" first`,
      );
    }
  }
}

/** When a file was last written, or NaN if there is none. */
function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
}
