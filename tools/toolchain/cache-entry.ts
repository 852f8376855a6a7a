import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { withLock } from "../setup/lock.mjs";

/** How an entry of the cache comes about. */
export interface EntryMaker {
  /** The path of what is wanted, when the entry has it. */
  readonly find: () => Promise<string | undefined>;
  /** Fills the folder that becomes the entry. */
  readonly make: (folder: string) => Promise<void>;
  /** Called when another run is making it, with its pid. */
  readonly onWait: (pid: number) => void;
}

/**
 * Makes a folder of the cache that is there only when it is complete, unless it is there by then: another run that does
 * the same is waited for. What is left of it by a failure or a kill is removed and never used.
 *
 * @returns the path of what is wanted.
 * @throws what `make` throws; Error when the entry then does not have what is wanted.
 */
export async function addEntry(entry: string, { find, make, onWait }: EntryMaker): Promise<string> {
  const partial = `${entry}.partial`;
  return withLock(
    `${entry}.lock`,
    async () => {
      const present = await find();
      if (present !== undefined) return present;
      await mkdir(dirname(entry), { recursive: true });
      await rm(partial, { recursive: true, force: true });
      try {
        await mkdir(partial);
        await make(partial);
        await rm(entry, { recursive: true, force: true });
        await rename(partial, entry);
      } finally {
        await rm(partial, { recursive: true, force: true });
      }
      const made = await find();
      if (made === undefined) throw new Error(`${entry} was made without what it was made for.`);
      return made;
    },
    { onWait },
  );
}
