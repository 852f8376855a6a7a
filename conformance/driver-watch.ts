import { spawn, type ChildProcess } from "node:child_process";

/**
 * Ends the drivers of a run that is killed without notice, by a process beside it: they have the keys of the backend in
 * their environment.
 */
export class DriverWatch {
  readonly #watchdog: ChildProcess;

  /** @param folder The folder of the run, which is removed then. */
  constructor(folder: string) {
    this.#watchdog = spawn(
      process.execPath,
      [require.resolve("pulumi-cosi/provider/driver/process/watchdog"), folder],
      { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} },
    );
    this.#watchdog.unref();
    // A run goes on without it: nothing is told that nobody reads.
    this.#watchdog.on("error", () => undefined);
    this.#watchdog.stdin?.on("error", () => undefined);
  }

  started(pid: number): void {
    this.#watchdog.stdin?.write(`${pid}\n`);
  }

  ended(pid: number): void {
    this.#watchdog.stdin?.write(`-${pid}\n`);
  }

  /** All has ended: there is nothing to watch any more. */
  close(): void {
    this.#watchdog.stdin?.end();
  }
}
