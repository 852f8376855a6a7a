import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { readFile, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import {
  identityOf,
  isRunning,
  ownHost,
  ownIdentity,
  type ProcessIdentity,
} from "../setup/process-identity.mjs";
import { cacheFolder } from "../toolchain/cache-folder";

/** The names of run folders begin like this; a sweep removes no folder of another name. */
export const RUN_FOLDER_PREFIX = "pulumi-cosi-";

const TERM_BOUND_MS = 2_000;
const POLL_MS = 50;

/**
 * The record, on disk, of the processes that this process has started and of the temporary folders it has made. When
 * this process is killed, a later run finds the record, ends what still runs and removes the folders.
 */
export interface Ledger {
  /** Records a process that leads a group of its own. One that has ended already is not recorded. */
  recordProcess(name: string, pid: number): void;
  /** Records a folder, whose name begins with {@link RUN_FOLDER_PREFIX}. */
  recordFolder(path: string): void;
}

type Entry =
  | { readonly kind: "owner"; readonly identity: ProcessIdentity }
  | { readonly kind: "process"; readonly name: string; readonly identity: ProcessIdentity }
  | { readonly kind: "folder"; readonly path: string };

let opened: Promise<Ledger> | undefined;

/** The ledger of this process in the cache folder. The first call sweeps up after the runs that are no longer there. */
export function openLedger(): Promise<Ledger> {
  opened ??= (async () => {
    const folder = join(cacheFolder(), "run");
    await sweepLedgers(folder);
    return createLedger(folder);
  })();
  return opened;
}

/**
 * Starts a ledger for this process. At the exit of this process, what is recorded and still there is ended and
 * removed, and the ledger with it.
 *
 * @param folder - Where the ledgers of all runs are kept.
 */
function createLedger(folder: string): Ledger {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = ownIdentity();
  const file = join(folder, `${owner.pid}-${randomBytes(4).toString("hex")}.jsonl`);
  const entries: Entry[] = [];
  const add = (entry: Entry) => {
    entries.push(entry);
    appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  };
  add({ kind: "owner", identity: owner });
  process.once("exit", () => {
    for (const entry of entries) if (entry.kind === "process") signal(entry.identity, "SIGKILL");
    for (const entry of entries)
      if (entry.kind === "folder") rmSync(entry.path, { recursive: true, force: true });
    rmSync(file, { force: true });
  });
  return {
    recordProcess: (name, pid) => {
      const identity = identityOf(pid);
      if (identity !== undefined) add({ kind: "process", name, identity });
    },
    recordFolder: (path) => {
      add({ kind: "folder", path });
    },
  };
}

/**
 * Ends the processes and removes the folders of runs whose own process is gone. A process is ended only if it is the
 * recorded one, by pid and start time; a ledger of another machine or container is left alone.
 *
 * @param folder - Where the ledgers of all runs are kept.
 * @returns the names of the processes that were ended.
 */
export async function sweepLedgers(folder: string): Promise<string[]> {
  const ended: string[] = [];
  const files = await readdir(folder).catch(() => []);
  for (const name of files.filter((file) => file.endsWith(".jsonl"))) {
    const file = join(folder, name);
    const entries = await readEntries(file);
    const owner = entries.find((entry) => entry.kind === "owner")?.identity;
    if (owner?.host !== ownHost() || isRunning(owner)) continue;
    const orphans = entries
      .filter((entry) => entry.kind === "process")
      .filter((entry) => isRunning(entry.identity));
    await Promise.all(orphans.map((orphan) => endProcess(orphan.identity)));
    ended.push(...orphans.map((orphan) => orphan.name));
    for (const entry of entries) {
      if (entry.kind !== "folder" || !basename(entry.path).startsWith(RUN_FOLDER_PREFIX)) continue;
      await rm(entry.path, { recursive: true, force: true });
    }
    await rm(file, { force: true });
  }
  return ended;
}

async function endProcess(identity: ProcessIdentity): Promise<void> {
  signal(identity, "SIGTERM");
  const bound = Date.now() + TERM_BOUND_MS;
  while (isRunning(identity) && Date.now() < bound) await sleep(POLL_MS);
  signal(identity, "SIGKILL");
  // The kernel needs a moment to take it down; the folders are removed after that.
  while (isRunning(identity) && Date.now() < bound + TERM_BOUND_MS) await sleep(POLL_MS);
}

/** Signals the group that the process leads, if it is still that process. */
function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(-identity.pid, name);
  } catch {
    // It has ended since.
  }
}

async function readEntries(file: string): Promise<Entry[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const entry = parseEntry(line);
    return entry === undefined ? [] : [entry];
  });
}

/** The last line of a run that was killed may be cut off: it says nothing. */
function parseEntry(line: string): Entry | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (entry === null || typeof entry !== "object" || !("kind" in entry)) return undefined;
  if (entry.kind === "folder" && "path" in entry && typeof entry.path === "string") {
    return { kind: "folder", path: entry.path };
  }
  const identity = "identity" in entry ? parseIdentity(entry.identity) : undefined;
  if (identity === undefined) return undefined;
  if (entry.kind === "owner") return { kind: "owner", identity };
  if (entry.kind === "process" && "name" in entry && typeof entry.name === "string") {
    return { kind: "process", name: entry.name, identity };
  }
  return undefined;
}

function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (!("pid" in value) || typeof value.pid !== "number" || value.pid <= 1) return undefined;
  if (!("started" in value) || typeof value.started !== "string") return undefined;
  if (!("host" in value) || typeof value.host !== "string") return undefined;
  return { pid: value.pid, started: value.started, host: value.host };
}
