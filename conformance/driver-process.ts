import { spawn, type ChildProcess } from "node:child_process";
import { signalGroup } from "../provider/driver/process/group";

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How to start a driver. */
export interface DriverStart {
  readonly command: readonly [string, ...string[]];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
}

/** Largest output that is kept, in characters; of a longer one the end. */
const keptOutput = 16 * 1024 * 1024;

/** One process of a driver, in a process group of its own so that a Ctrl-C of the terminal does not reach it. */
export class DriverProcess {
  readonly startedAt = Date.now();
  readonly #child: ChildProcess;
  readonly #ended: Promise<End>;
  #end: End | undefined;
  #isGone = false;
  #stdout = "";
  #stderr = "";

  constructor({ command: [program, ...args], environment, workingDirectory }: DriverStart) {
    // Under umask 000 the mode of the socket is what the driver itself makes of it; its folder keeps others out.
    const umask = process.umask(0);
    try {
      this.#child = spawn(program, args, {
        cwd: workingDirectory,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
    } finally {
      process.umask(umask);
    }
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.#stdout = (this.#stdout + chunk.toString()).slice(-keptOutput);
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-keptOutput);
    });
    this.#ended = new Promise((resolve) => {
      const settle = (end: End): void => {
        this.#end ??= end;
        resolve(this.#end);
      };
      this.#child.once("error", (error) => {
        this.#stderr += error.message;
        settle({ code: null, signal: null });
      });
      this.#child.once("exit", (code, signal) => {
        settle({ code, signal });
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when it ends, or could not be started. */
  get whenEnded(): Promise<End> {
    return this.#ended;
  }

  /** `undefined` while it runs. */
  get end(): End | undefined {
    return this.#end;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** True once neither the driver nor anything that it has started runs: its number may be another's from then on. */
  get isGone(): boolean {
    this.#isGone ||= this.#end !== undefined && !signalGroup(this.pid, 0);
    return this.#isGone;
  }

  /** Sends a signal to the driver and what it has started. */
  signal(signal: NodeJS.Signals): void {
    if (!this.isGone) signalGroup(this.pid, signal);
  }

  /** Waits for the end. @returns `undefined` if it has not ended after so many milliseconds. */
  async ended(patience: number): Promise<End | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, patience, undefined);
    });
    try {
      return await Promise.race([this.#ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** `exit status 78`, `signal SIGKILL`; what never ran has a text of its own. */
export function endText({ code, signal }: End): string {
  if (signal !== null) return `signal ${signal}`;
  return code === null ? "could not be started" : `exit status ${code}`;
}
