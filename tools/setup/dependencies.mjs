import { access, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { contentHash } from "./content-hash.mjs";
import { withLock } from "./lock.mjs";
import { lastLines, runChild } from "./run-child.mjs";

/** @param {string} path @returns {Promise<string | undefined>} */
const textOf = (path) => readFile(path, "utf8").catch(() => undefined);

/** @param {string} root */
const expectedStamp = async (root) => {
  const examples = await readdir(join(root, "examples")).catch(() => []);
  const manifests = examples.map((name) => join("examples", name, "package.json"));
  const platform = [process.platform, process.arch];
  return contentHash(root, ["package.json", "package-lock.json", ".npmrc", ...manifests], platform);
};

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [peer]
 */

/** @param {string} path @returns {Promise<Map<string, LockedPackage>>} */
const installable = async (path) => {
  const text = await textOf(path);
  /** @type {{ packages?: Record<string, LockedPackage> }} */
  const lock = text === undefined ? {} : JSON.parse(text);
  const entries = Object.entries(lock.packages ?? {});
  return new Map(entries.filter(([name, entry]) => /(^|\/)node_modules\//.test(name) && !entry.link));
};

/** Whether npm's own record of what lies in node_modules agrees with the lock, and its install scripts have run. */
/** @param {string} root */
const npmRecordAgrees = async (root) => {
  const wanted = await installable(join(root, "package-lock.json"));
  const present = await installable(join(root, "node_modules", ".package-lock.json"));
  if (present.size === 0) return false;
  for (const [name, entry] of wanted) {
    const found = present.get(name);
    // Optional packages of other platforms are not installed.
    if (found === undefined && (entry.optional || entry.devOptional || entry.peer)) continue;
    if (found?.version !== entry.version || found?.integrity !== entry.integrity) return false;
  }
  if ([...present.keys()].some((name) => !wanted.has(name))) return false;
  return access(join(root, "node_modules", "node", "bin", "node")).then(
    () => true,
    () => false,
  );
};

/** @param {string} root */
const npmCi = async (root) => {
  const log = join(root, ".setup", "npm-ci.log");
  // npm says where it is to the scripts it runs; outside of npm it is looked up on PATH.
  const cli = process.env["npm_execpath"];
  const [command, ...prefix] = cli?.endsWith(".js") ? [process.execPath, cli] : ["npm"];
  const { code } = await runChild(command ?? "npm", [...prefix, "ci", "--loglevel=notice", "--no-progress"], {
    cwd: root,
    log,
  });
  if (code !== 0)
    throw new Error(`npm ci failed (exit code ${code}). The end of ${log}:\n${await lastLines(log)}`);
};

/** @type {typeof import("./dependencies.d.mts").installDependencies} */
export const installDependencies = async (root, say) => {
  const stampFile = join(root, "node_modules", ".pulumi-cosi-stamp");
  const stamp = await expectedStamp(root);
  if ((await textOf(stampFile)) === stamp) return "up to date";
  return withLock(
    join(root, ".setup", "install.lock"),
    async () => {
      if ((await textOf(stampFile)) === stamp) return "up to date";
      const agrees = await npmRecordAgrees(root);
      if (!agrees) {
        say("npm ci …");
        await npmCi(root);
      }
      await writeFile(stampFile, stamp);
      return agrees ? "up to date" : "installed";
    },
    { onWait: (pid) => say(`waiting for another run (pid ${pid}) that installs the dependencies`) },
  );
};

/** @type {typeof import("./dependencies.d.mts").pinnedNodeVersion} */
export const pinnedNodeVersion = async (root) => {
  /** @type {{ version: string }} */
  const manifest = JSON.parse(await readFile(join(root, "node_modules", "node", "package.json"), "utf8"));
  return `v${manifest.version}`;
};
