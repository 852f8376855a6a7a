import { access, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { contentHash } from "../setup/content-hash.mjs";
import { withLock } from "../setup/lock.mjs";
import { lastLines, runChild } from "../setup/run-child.mjs";
import { cacheFolder } from "../toolchain/cache-folder";

/** What a project of a user may have on his machine. */
export interface Consumers {
  /** Folder of the next long-term release of Node, for PATH. */
  readonly node24: string;
  /** Scripts for Node. */
  readonly pnpm: string;
  readonly yarnClassic: string;
  readonly yarnBerry: string;
  /** Where the package managers may keep what they download. */
  readonly downloads: string;
}

/**
 * Installs what package.json beside this file pins into the cache, unless it is there. It is no dependency of the
 * repository: a second `node` in node_modules/.bin could be the one that runs, and who works on the package needs none
 * of it.
 *
 * @throws Error with what npm said.
 */
export async function provideConsumers(): Promise<Consumers> {
  const root = join(__dirname, "..", "..");
  const own = ["package.json", "package-lock.json"];
  const hash = await contentHash(__dirname, own, [process.platform, process.arch]);
  const cache = join(cacheFolder(), "consumers");
  const folder = join(cache, hash);
  const modules = join(folder, "node_modules");
  await withLock(join(cache, "install.lock"), async () => {
    if (await isThere(folder)) return;
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    for (const file of own) await copyFile(join(__dirname, file), join(partial, file));
    await copyFile(join(root, ".npmrc"), join(partial, ".npmrc"));
    await npmCi(partial);
    await rename(partial, folder);
  });
  const downloads = join(cache, "downloads");
  await mkdir(downloads, { recursive: true });
  return {
    node24: join(modules, "node", "bin"),
    pnpm: join(modules, "pnpm", "bin", "pnpm.mjs"),
    yarnClassic: join(modules, "yarn", "bin", "yarn.js"),
    yarnBerry: join(modules, "@yarnpkg", "cli-dist", "bin", "yarn.js"),
    downloads,
  };
}

async function npmCi(folder: string): Promise<void> {
  // npm says where it is to the scripts that it runs; outside of npm it is looked up on PATH.
  const cli = process.env["npm_execpath"];
  const [command, ...prefix] = cli?.endsWith(".js") === true ? [process.execPath, cli] : ["npm"];
  const log = join(folder, "npm-ci.log");
  const args = [...prefix, "ci", "--prefer-offline", "--loglevel=notice", "--no-progress"];
  const { code } = await runChild(command, args, { cwd: folder, log });
  if (code === 0) return;
  throw new Error(`npm ci of tools/consumers failed (exit code ${code ?? "none"}):\n${await lastLines(log)}`);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
