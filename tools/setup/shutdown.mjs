import { constants } from "node:os";
import { setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";

const CLOSE_BOUND_MS = 30_000;
const PARENT_POLL_MS = 500;

/** @type {Set<(signal: import("./shutdown.d.mts").EndingSignal) => Promise<void>>} */
const closers = new Set();
let listening = false;
let ending = false;

/** @param {import("./shutdown.d.mts").EndingSignal} signal */
const closeAll = async (signal) => {
  for (const close of [...closers].reverse()) {
    try {
      await close(signal);
    } catch (error) {
      console.error(error);
    }
  }
};

/** @param {import("./shutdown.d.mts").EndingSignal} signal */
const end = async (signal) => {
  if (ending) return;
  ending = true;
  await Promise.race([closeAll(signal), sleep(CLOSE_BOUND_MS)]);
  process.exit(128 + constants.signals[signal]);
};

const listen = () => {
  if (listening) return;
  listening = true;
  process.on("SIGINT", end).on("SIGTERM", end).on("SIGHUP", end);
  // The channel of a process that run-child.mjs started closes when its starter ends, however that happens.
  process.on("disconnect", () => void end("SIGTERM"));
  process.channel?.unref();
};

/** @type {typeof import("./shutdown.d.mts").onShutdown} */
export const onShutdown = (close) => {
  listen();
  closers.add(close);
  return () => void closers.delete(close);
};

/** @type {typeof import("./shutdown.d.mts").endWithParent} */
export const endWithParent = () => {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void end("SIGTERM");
  }, PARENT_POLL_MS).unref();
};

/** @type {typeof import("./shutdown.d.mts").isShuttingDown} */
export const isShuttingDown = () => ending;
