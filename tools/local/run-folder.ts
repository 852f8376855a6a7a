import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { RUN_FOLDER_PREFIX, openLedger } from "./process-ledger";

/** A temporary folder of this run, that only this user can read. */
export interface RunFolder {
  readonly path: string;
  /** Deletes the folder and what is in it. Also done at the exit of this process, or by a later run after a kill. */
  readonly remove: () => Promise<void>;
}

/**
 * Makes a temporary folder of this run, mode 0700.
 *
 * @param name - Part of the folder's name. Short: a unix socket's path takes about 100 characters.
 */
export async function createRunFolder(name: string): Promise<RunFolder> {
  const ledger = await openLedger();
  const path = await mkdtemp(join(await realpath(tmpdir()), `${RUN_FOLDER_PREFIX}${name}-`));
  ledger.recordFolder(path);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
