import { chmod, copyFile, link, mkdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { contentHash } from "../setup/content-hash.mjs";
import { withLock } from "../setup/lock.mjs";

/**
 * Puts programs into one folder: `pulumi` looks for its hosts beside its own real path, so a link to it will not do.
 * The folder is kept, and is complete whenever it is there.
 *
 * @param cache - Where such folders are kept.
 * @param programs - Paths of the programs.
 * @returns the folder.
 */
export async function providePulumiBin(cache: string, programs: readonly string[]): Promise<string> {
  const paths = await Promise.all(programs.map((program) => realpath(program)));
  const bin = join(cache, await keyOf(paths), "bin");
  if (await exists(bin)) return bin;
  return withLock(`${dirname(bin)}.lock`, async () => {
    if (await exists(bin)) return bin;
    const partial = `${dirname(bin)}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(join(partial, "bin"), { recursive: true });
    for (const [index, path] of paths.entries()) {
      await place(path, join(partial, "bin", basename(programs[index] ?? path)));
    }
    await rename(partial, dirname(bin));
    return bin;
  });
}

/** Size and time tell a replaced program apart; reading hundreds of megabytes for it would take seconds. */
async function keyOf(paths: readonly string[]): Promise<string> {
  const facts = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return contentHash("", [], await Promise.all(facts));
}

/** A hard link takes no space and no time; across file systems, or for another user's file, it is a copy. */
async function place(from: string, to: string): Promise<void> {
  const { mode } = await stat(from);
  if ((mode & 0o111) === 0o111) {
    try {
      await link(from, to);
      return;
    } catch {
      // A copy does it too.
    }
  }
  await copyFile(from, to);
  await chmod(to, 0o755);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
