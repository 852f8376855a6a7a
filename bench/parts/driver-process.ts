import { fork, type ChildProcess } from "node:child_process";
import * as path from "node:path";
import { onShutdown } from "../../tools/setup/shutdown.mjs";

/** What a driver is told, and answers. */
export type DriverRequest = { readonly ask: "calls" } | { readonly ask: "forget"; readonly failing: number };

export interface DriverCalls {
  /** Number of calls, by RPC. */
  readonly counts: Readonly<Record<string, number>>;
  /** Connections that were opened. */
  readonly firstAt: number | null;
}

/** A driver in a process of its own, so that what it needs is not counted as ours. */
export class DriverProcess {
  private constructor(
    readonly endpoint: string,
    readonly stop: () => Promise<void>,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<DriverProcess> {
    const child = fork(path.join(__dirname, "driver-main.ts"), {
      execArgv: ["-r", "ts-node/register/transpile-only"],
    });
    const exited = new Promise<void>((resolve) =>
      child.once("exit", () => {
        resolve();
      }),
    );
    const stop = async (): Promise<void> => {
      child.kill("SIGTERM");
      await exited;
    };
    const unregister = onShutdown(stop);
    void exited.then(unregister);
    const { endpoint } = await answerOf<{ endpoint: string }>(child);
    return new DriverProcess(endpoint, stop, child);
  }

  /** What it was called since it was told to forget. */
  async calls(): Promise<DriverCalls> {
    return this.#ask<DriverCalls>({ ask: "calls" });
  }

  /**
   * Forgets what it was called so far.
   *
   * @param failing Part of the calls that it answers with UNAVAILABLE the first time: 0.1 for every tenth.
   */
  async forget(failing = 0): Promise<void> {
    await this.#ask({ ask: "forget", failing });
  }

  #ask<Answer>(request: DriverRequest): Promise<Answer> {
    const answer = answerOf<Answer>(this.child);
    this.child.send(request);
    return answer;
  }
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => {
      reject(new Error("the driver of the benchmark has ended"));
    };
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as Answer);
    });
  });
}
