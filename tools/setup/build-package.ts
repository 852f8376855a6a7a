import { chmod, copyFile, cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";

import { bundleKubeconfig } from "./bundle-kubeconfig";
import { contentHash, filesBelow } from "./content-hash.mjs";
import { withLock } from "./lock.mjs";
import { lastLines, runChild } from "./run-child.mjs";

/** What the compiled package is made from. */
const SOURCES = [
  "index.ts",
  "core.ts",
  "proto",
  "provider",
  "components",
  "drivers",
  "conformance",
  "cli",
  "policy",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "package-lock.json",
  "tools/setup/build-package.ts",
  "tools/setup/bundle-kubeconfig.ts",
];
const OUTPUTS = ["gen", "dist"];
/** Folders whose files that are not TypeScript go into the package as they are. */
const ASSET_FOLDERS = ["provider", "components", "drivers", "gen"];
const ASSET_EXTENSIONS = new Set([".json", ".yaml", ".yml", ".binpb"]);
/** What is compiled already. */
const BUNDLE = join("gen", "kubeconfig");

/**
 * Generates gen/ from proto/ and compiles the package to dist/, unless both were made from what is there now. One run
 * at a time per checkout; what is complete replaces the old, so nobody sees half of a build.
 *
 * @param root - The root folder of the repository.
 * @param say - Takes what is to be told while it works.
 * @returns what was done: "up to date" or "built".
 * @throws Error with the compiler's output when the sources do not compile.
 */
export async function buildPackage(root: string, say: (text: string) => void): Promise<string> {
  return withLock(
    join(root, ".setup", "build.lock"),
    async () => {
      const stampFile = join(root, ".setup", "build.stamp");
      const sources = await contentHash(root, SOURCES);
      const stamp = async () => `${sources} ${await contentHash(root, OUTPUTS)}`;
      if ((await readFile(stampFile, "utf8").catch(() => "")) === (await stamp())) return "up to date";
      await generate(root);
      await compile(root);
      await writeFile(stampFile, await stamp());
      return "built";
    },
    {
      onWait: (pid) => {
        say(`waiting for another run (pid ${pid}) that builds`);
      },
    },
  );
}

/** The contracts: one folder each below proto/. */
export async function contractFolders(root: string): Promise<string[]> {
  const entries = await readdir(join(root, "proto"), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function generate(root: string): Promise<void> {
  const partial = join(root, ".setup", "gen-partial");
  await rm(partial, { recursive: true, force: true });
  const contracts = await contractFolders(root);
  for (const contract of contracts) {
    const template = join("proto", contract, "buf.gen.yaml");
    await runTool(root, "buf", ["generate", "--template", template, "-o", partial]);
    const image = join(partial, "gen", contract, "image.binpb");
    await mkdir(dirname(image), { recursive: true });
    await runTool(root, "buf", ["build", join("proto", contract), "-o", image]);
  }
  await bundleKubeconfig(root, join(partial, BUNDLE));
  await replaceFolder(join(partial, "gen"), join(root, "gen"));
  await rm(partial, { recursive: true, force: true });
}

async function compile(root: string): Promise<void> {
  // Beside dist and not below .setup, so that the relative paths in the source maps stay right.
  const partial = join(root, "dist.partial");
  await rm(partial, { recursive: true, force: true });
  try {
    await runTool(root, "tsc", ["-p", "tsconfig.build.json", "--outDir", partial]);
    await copyAssets(root, partial);
    await cp(join(root, BUNDLE), join(partial, BUNDLE), { recursive: true });
    await makeProgramsExecutable(root, partial);
    await replaceFolder(partial, join(root, "dist"));
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function copyAssets(root: string, target: string): Promise<void> {
  for (const folder of ASSET_FOLDERS) {
    for (const file of await filesBelow(join(root, folder))) {
      if (!ASSET_EXTENSIONS.has(extname(file))) continue;
      await mkdir(dirname(join(target, folder, file)), { recursive: true });
      await copyFile(join(root, folder, file), join(target, folder, file));
    }
  }
}

/** npm makes the `bin` files of an installed package executable; in the checkout itself that is done here. */
async function makeProgramsExecutable(root: string, target: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const programs = manifest !== null && typeof manifest === "object" && "bin" in manifest ? manifest.bin : {};
  for (const program of Object.values(programs ?? {})) {
    if (typeof program !== "string") continue;
    await chmod(join(target, program.replace(/^(\.\/)?dist\//, "")), 0o755);
  }
}

async function replaceFolder(from: string, to: string): Promise<void> {
  const old = join(dirname(to), ".setup", `old-${String(process.pid)}`);
  await rm(old, { recursive: true, force: true });
  await rename(to, old).catch(() => undefined);
  await rename(from, to);
  await rm(old, { recursive: true, force: true });
}

async function runTool(root: string, tool: string, args: readonly string[]): Promise<void> {
  const log = join(root, ".setup", `${tool}.log`);
  const { code } = await runChild(join(root, "node_modules", ".bin", tool), args, { cwd: root, log });
  if (code === 0) return;
  throw new Error(`${tool} ${args.join(" ")} failed (exit code ${code ?? "none"}):\n${await lastLines(log)}`);
}
