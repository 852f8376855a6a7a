import { randomBytes } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";

import { isRunning, ownHost, ownIdentity } from "./process-identity.mjs";

/*
 * The lock is a folder that holds its owner's identity. A folder is renamed onto the path to take the lock and away
 * from it to give it up. Renaming onto a folder that is not empty fails, which makes both steps atomic:
 * - two that take it at once: one of the renames fails;
 * - a waiter that found the owner ended moves the lock to that owner's own tombstone. Whoever comes second, or acts
 *   on an old observation, finds the tombstone there and its rename fails, so it cannot move a newer owner's lock.
 */

const POLL_MS = 100;
const RENEW_MS = 10_000;
const FOREIGN_STALE_MS = 60_000;
const TOMBSTONE_MS = 3_600_000;
const OWNER_FILE = "owner.json";

/** @typedef {import("./process-identity.d.mts").ProcessIdentity & { readonly id: string }} Owner */

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && "code" in error ? error.code : undefined);

/**
 * @param {string} from
 * @param {string} to
 * @returns {Promise<boolean>} whether it was this call that moved it
 */
const moved = async (from, to) => {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
};

/**
 * Moves the lock away from a path, unless another run has done so.
 * @param {string} path
 * @param {string} id
 */
const bury = async (path, id) => {
  try {
    await moved(path, `${path}.past-${id}`);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
};

/** @param {string} path @returns {Promise<Owner | undefined>} */
const ownerOf = async (path) => {
  try {
    return JSON.parse(await readFile(join(path, OWNER_FILE), "utf8"));
  } catch (error) {
    // A folder that is not a lock yet may not have the file yet, or only its beginning.
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** @param {string} path @param {Owner} owner */
const hasEnded = async (path, owner) => {
  if (owner.host === ownHost()) return !isRunning(owner);
  try {
    return Date.now() - (await stat(join(path, OWNER_FILE))).mtimeMs > FOREIGN_STALE_MS;
  } catch {
    return false;
  }
};

/** @param {string} path */
const removeLeftovers = async (path) => {
  for (const name of await readdir(dirname(path))) {
    const entry = join(dirname(path), name);
    if (name.startsWith(`${basename(path)}.new-`)) {
      const owner = await ownerOf(entry);
      if (owner !== undefined && (await hasEnded(entry, owner)))
        await rm(entry, { recursive: true, force: true });
    } else if (name.startsWith(`${basename(path)}.past-`)) {
      const { ctimeMs } = await stat(entry);
      if (Date.now() - ctimeMs > TOMBSTONE_MS) await rm(entry, { recursive: true, force: true });
    }
  }
};

/** @type {typeof import("./lock.d.mts").withLock} */
export const withLock = async (path, work, options = {}) => {
  /** @type {Owner} */
  const owner = { ...ownIdentity(), id: randomBytes(8).toString("hex") };
  const own = `${path}.new-${owner.id}`;
  await mkdir(own, { recursive: true });
  await writeFile(join(own, OWNER_FILE), JSON.stringify(owner));
  let waiting = false;
  while (!(await moved(own, path))) {
    const holder = await ownerOf(path);
    if (holder !== undefined && (await hasEnded(path, holder))) {
      await bury(path, holder.id);
      continue;
    }
    if (holder !== undefined && !waiting) {
      waiting = true;
      options.onWait?.(holder.pid);
    }
    await sleep(POLL_MS);
  }
  const renewal = setInterval(() => {
    const now = new Date();
    utimes(join(path, OWNER_FILE), now, now).catch(() => undefined);
  }, RENEW_MS).unref();
  try {
    await removeLeftovers(path);
    return await work();
  } finally {
    clearInterval(renewal);
    await bury(path, owner.id);
  }
};
