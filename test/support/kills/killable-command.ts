import { spawn } from "node:child_process";
import { openLedger } from "../../../tools/local/process-ledger";
import type { FoundProcess, OwnTemporaryFolder } from "../end-to-end/leftovers";
import type { Stack } from "../stack";

/** Part of a running command: the CLI, or the host in which the package's providers run. */
export type Part = "cli" | "host";

/** A command of the CLI that a test ends in the midst of it. What it prints is searched for secrets by the stack's next one. */
export class KillableCommand {
  /** Resolves with what was printed when the CLI has ended, whatever ended it. */
  readonly ended: Promise<{ code: number | null; text: string }>;
  readonly #cli: number;

  /**
   * @param temporary The folder that the stack's variables name as TMPDIR: by it the processes of the command are told.
   */
  constructor(
    stack: Stack,
    args: readonly string[],
    private readonly temporary: OwnTemporaryFolder,
  ) {
    const { environment, variables, folder } = stack;
    const cli = spawn(environment.pulumi, ["--non-interactive", ...args], {
      cwd: folder,
      env: { ...environment.env, ...variables },
      // A group of its own, as a shell gives it to what runs in a terminal.
      detached: true,
    });
    this.#cli = cli.pid ?? 0;
    // It outlives a test that is killed: the next one ends it.
    void openLedger().then((ledger) => {
      ledger.recordProcess("pulumi", this.#cli);
    });
    let text = "";
    stack.watchOutput(args, () => text);
    for (const stream of [cli.stdout, cli.stderr]) {
      stream.on("data", (data: Buffer) => (text += data.toString()));
    }
    this.ended = new Promise((resolve) => {
      // Not "close": children that outlive the CLI keep its streams open.
      cli.once("exit", (code) => {
        resolve({ code, text });
      });
    });
  }

  /** Kills one part alone. */
  kill(part: Part): void {
    if (part === "cli") send(this.#cli, "SIGKILL");
    else for (const { pid } of this.temporary.processes().filter(isHost)) send(pid, "SIGKILL");
  }

  /**
   * Kills everything that the command has started, at once: none of it sees another go, and acts on it.
   *
   * @param spare What is left alone. @default nothing
   */
  killAll(spare: (found: FoundProcess) => boolean = () => false): void {
    const found = this.temporary.processes().filter((one) => !spare(one));
    const pids = [this.#cli, ...found.map(({ pid }) => pid)];
    for (const signal of ["SIGSTOP", "SIGKILL"] as const) for (const pid of pids) send(pid, signal);
  }

  /** Presses Ctrl-C: the signal goes to the whole foreground group of a terminal. */
  interrupt(): void {
    send(-this.#cli, "SIGINT");
  }

  /** Waits until a host that was left alone has ended by itself. @throws Error if it has not after a minute. */
  async hostEnded(): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (this.temporary.processes().some(isHost)) {
      if (Date.now() > deadline) throw new Error("the host outlives its engine");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The node process that Pulumi's shell script starts for dynamic providers. */
function isHost({ command }: { command: string }): boolean {
  return command.includes("dynamic-provider");
}

/** @param pid Of a process, or of a group with a minus before it. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
