import { spawn } from "node:child_process";
import type { OwnTemporaryFolder } from "../end-to-end/leftovers";
import type { Stack } from "../stack";

/** Part of a running command: the CLI, or the host in which the package's providers run. */
export type Part = "cli" | "host";

/** A command of the CLI that a test ends by SIGKILL in the midst of it. */
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
    });
    this.#cli = cli.pid ?? 0;
    let text = "";
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
    if (part === "cli") kill(this.#cli);
    else for (const { pid } of this.temporary.processes().filter(isHost)) kill(pid);
  }

  /** Kills everything that the command has started, at once. */
  killAll(): void {
    kill(this.#cli);
    for (const { pid } of this.temporary.processes()) kill(pid);
  }

  /** True while a host of the package's providers is there. */
  hasHost(): boolean {
    return this.temporary.processes().some(isHost);
  }
}

/** The node process that Pulumi's shell script starts for dynamic providers. */
function isHost({ command }: { command: string }): boolean {
  return command.includes("dynamic-provider");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
