import { spawn, type ChildProcess } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { lastLines } from "../setup/run-child.mjs";
import { onShutdown } from "../setup/shutdown.mjs";
import { openLedger } from "./process-ledger";

const STOP_BOUND_MS = 10_000;
const READY_BOUND_MS = 60_000;
const READY_POLL_MS = 50;

/** How a process ended: one of the two is `null`. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process of this run. It ends with {@link ManagedProcess.stop}, or with this run however that ends. */
export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  /** Path of the file that takes its stdout and stderr. */
  readonly log: string;
  /** Resolves when it has ended. */
  readonly exited: Promise<ProcessEnd>;
  /** Ends it: SIGTERM to its process group, SIGKILL when it still runs after 10 seconds; waits for the end. */
  readonly stop: () => Promise<void>;
}

/** What is started, and how it is known to be ready. */
export interface ProcessOptions {
  /** Names it in messages, and its log. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** @default the working directory of this process */
  readonly cwd?: string;
  /** The whole environment. @default that of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user and group that it runs as, which only root may choose. @default those of this process */
  readonly identity?: { readonly uid: number; readonly gid: number } | undefined;
  /** The folder for its log, `<name>.log`. */
  readonly folder: string;
  /** Asked again and again until it says yes; an error counts as "not yet". @default ready at once */
  readonly ready?: (process: ManagedProcess) => Promise<boolean>;
  /** In milliseconds. @default 60000 */
  readonly readyTimeoutMs?: number;
}

/**
 * Starts a server process and waits until it is ready. It leads a process group of its own, so that the Ctrl-C of a
 * terminal reaches only this process, which then ends it in good order.
 *
 * @throws Error with the end of its log when it cannot be started, ends early or is not ready in time.
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const started = await spawnProcess(options);
  try {
    await untilReady(started, options);
    return started;
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function spawnProcess({
  name,
  command,
  args = [],
  folder,
  ...options
}: ProcessOptions): Promise<ManagedProcess> {
  const ledger = await openLedger();
  const log = join(folder, `${name}.log`);
  const output = await open(log, "a", 0o600);
  try {
    const child = spawn(command, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env ?? process.env,
      ...options.identity,
      detached: true,
      stdio: ["ignore", output.fd, output.fd],
    });
    const failed = new Promise<never>((_, reject) => {
      child.once("error", (error) => {
        reject(new Error(`${name} cannot be started: ${command}: ${error.message}`, { cause: error }));
      });
    });
    const exited = new Promise<ProcessEnd>((resolve) => {
      child.once("exit", (code, signal) => {
        resolve({ code, signal });
      });
    });
    const { pid } = child;
    if (pid === undefined) return await failed;
    ledger.recordProcess(name, pid);
    const stop = () => (hasEnded(child) ? Promise.resolve() : endGroup(pid, exited));
    const unregister = onShutdown(stop);
    void exited.then(unregister);
    return { name, pid, log, exited, stop };
  } finally {
    await output.close();
  }
}

async function untilReady(started: ManagedProcess, options: ProcessOptions): Promise<void> {
  const { ready, readyTimeoutMs = READY_BOUND_MS } = options;
  if (ready === undefined) return;
  const bound = Date.now() + readyTimeoutMs;
  let ended: ProcessEnd | undefined;
  void started.exited.then((end) => {
    ended = end;
  });
  let lastError = "it was not asked";
  while (Date.now() < bound) {
    if (ended !== undefined) throw new Error(await endedEarly(started, ended));
    try {
      if (await ready(started)) return;
      lastError = "it said that it is not ready";
    } catch (error) {
      lastError = error instanceof Error ? error.message : String(error);
    }
    await sleep(READY_POLL_MS);
  }
  throw new Error(
    `${started.name} was not ready after ${readyTimeoutMs / 1000} s (${lastError}). ` +
      `The end of its log:\n${await lastLines(started.log)}`,
  );
}

async function endedEarly(started: ManagedProcess, end: ProcessEnd): Promise<string> {
  const how = end.signal === null ? `exit code ${end.code ?? "none"}` : `signal ${end.signal}`;
  return `${started.name} ended before it was ready (${how}). The end of its log:\n${await lastLines(started.log)}`;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function endGroup(pid: number, exited: Promise<unknown>): Promise<void> {
  signalGroup(pid, "SIGTERM");
  await Promise.race([exited, sleep(STOP_BOUND_MS, undefined, { ref: false })]);
  // Also for the others of its group, which nobody waits for.
  signalGroup(pid, "SIGKILL");
  await exited;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of the group have ended.
  }
}
