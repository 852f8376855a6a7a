import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

const repository = path.join(__dirname, "..", "..", "..");

/** How a program ended. */
export interface Ended {
  readonly code: number;
  /** Standard output and standard error. */
  readonly text: string;
}

/** Runs a program to its end, whatever that is. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    /** In milliseconds; then the program is ended. @default no end */
    readonly timeout?: number;
  },
): Promise<Ended & { readonly stdout: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, text: stdout + stderr, stdout });
    });
  });
}

/** The package as npm makes it of the repository, which has to be built. */
export interface Tarball {
  readonly file: string;
  /** Paths of the files in it. */
  readonly contents: readonly string[];
}

/**
 * Packs a package into a folder.
 *
 * @param source Folder of the package, which npm builds by its scripts. @default the repository, as it is built
 */
export async function pack(folder: string, source?: string): Promise<Tarball> {
  const asItIs = source === undefined ? ["--ignore-scripts"] : [];
  const args = ["pack", "--json", ...asItIs, "--pack-destination", folder];
  const printed = await npm(args, source ?? repository);
  // What a script prints comes before it.
  const listing = printed.slice(printed.search(/^\[/m));
  const [packed] = JSON.parse(listing) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm pack made nothing: ${listing}`);
  return { file: path.join(folder, packed.filename), contents: packed.files.map((entry) => entry.path) };
}

/**
 * Installs tarballs and what they depend on in a folder that has nothing of the repository, and the compiler that a
 * project in TypeScript has beside it.
 */
export async function install(tarball: Tarball | readonly Tarball[], folder: string): Promise<void> {
  fs.rmSync(path.join(folder, "node_modules"), { force: true });
  const manifest = fs.readFileSync(path.join(repository, "package.json"), "utf8");
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  const compiler = ["typescript", "ts-node"].map((name) => `${name}@${devDependencies[name] ?? "latest"}`);
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const files = [tarball].flat().map(({ file }) => file);
  await npm(["install", ...files, ...compiler, "--prefix", folder, ...quiet], folder);
}

/** Runs npm. @returns its standard output. @throws Error with all that it said. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  // npm says where it is to the scripts that it runs; outside of npm it is looked up on PATH.
  const script = process.env["npm_execpath"];
  const { code, text, stdout } =
    script?.endsWith(".js") === true
      ? await runProgram(process.execPath, [script, ...args], { cwd })
      : await runProgram("npm", args, { cwd });
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${String(code)}:\n${text}`);
  return stdout;
}
