import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a driver that was asked to end may take, in milliseconds. */
export const patienceMilliseconds = 5_000;
/** A group that was killed is waited for so long: what nobody collects stays in the list of processes. */
const killGraceMilliseconds = 500;
const lookInterval = 50;

/** A driver as the processes it may consist of, with the folder of its socket. */
export interface DriverGroup {
  /** Of the group and of the driver, which leads it. */
  readonly pid: number;
  readonly folder: string;
}

/** @param signal 0 only asks. @returns False if the group is gone, which is what the other signals are for. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/**
 * Ends a driver whose supervisor was killed, as the supervisor would have: SIGTERM, after 5 s SIGKILL, and the folder is
 * removed. If this process ends before, it is killed at once. Both killed together leave a driver that nobody knows of.
 */
export async function endGroup({ pid, folder }: DriverGroup): Promise<void> {
  const finish = (): void => {
    signalGroup(pid, "SIGKILL");
    removeFolder(folder);
  };
  process.once("exit", finish);
  signalGroup(pid, "SIGTERM");
  await untilGone(pid, patienceMilliseconds);
  if (signalGroup(pid, "SIGKILL")) await untilGone(pid, killGraceMilliseconds);
  process.off("exit", finish);
  finish();
}

/** A folder that cannot be removed is left: it is no reason to end the host, where nobody catches this. */
export function removeFolder(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Nothing but an empty socket is in it.
  }
}

async function untilGone(pid: number, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  while (signalGroup(pid, 0) && Date.now() < end) await sleep(lookInterval);
}
