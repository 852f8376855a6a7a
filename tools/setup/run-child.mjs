import { spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { clearTimeout } from "node:timers";

import { isShuttingDown, onShutdown } from "./shutdown.mjs";

/** Less than the bound of shutdown.mjs, more than a child that ends its own children needs. */
const KILL_AFTER_MS = 25_000;

/** @param {number} pid @param {NodeJS.Signals} signal */
const send = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
};

/** @returns {Promise<never>} */
const forever = () => new Promise(() => undefined);

/** @type {typeof import("./run-child.d.mts").runChild} */
export const runChild = async (command, args, options = {}) => {
  if (isShuttingDown()) return forever();
  if (options.log !== undefined) await mkdir(dirname(options.log), { recursive: true });
  const log = options.log === undefined ? undefined : await open(options.log, "w", 0o600);
  try {
    const output = log?.fd ?? "inherit";
    // A group of its own: a terminal's Ctrl-C reaches this process only, which passes it on exactly once.
    const child = spawn(command, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env ?? process.env,
      detached: true,
      stdio: [log ? "ignore" : "inherit", output, output, ...(options.ownsChildren ? ["ipc"] : [])],
    });
    if (options.onMessage) child.on("message", options.onMessage);
    /** @type {Promise<import("./run-child.d.mts").ChildEnd>} */
    const ended = new Promise((resolve, reject) => {
      child.once("error", (error) =>
        reject(new Error(`${command} cannot be started: ${error.message}`, { cause: error })),
      );
      child.once("close", (code, signal) => resolve({ code, signal }));
    });
    const pid = child.pid;
    if (pid === undefined) return await ended;
    options.onStart?.(pid);
    const unregister = onShutdown(async (signal) => {
      send(options.ownsChildren ? pid : -pid, signal);
      const kill = setTimeout(() => send(-pid, "SIGKILL"), KILL_AFTER_MS);
      await ended.finally(() => clearTimeout(kill));
    });
    const end = await ended.finally(unregister);
    return isShuttingDown() ? await forever() : end;
  } finally {
    await log?.close();
  }
};

/** @type {typeof import("./run-child.d.mts").lastLines} */
export const lastLines = async (log, count = 40) => {
  const text = await readFile(log, "utf8").catch(() => "");
  return text.trim() === "" ? "(it wrote nothing)" : text.trimEnd().split("\n").slice(-count).join("\n");
};
