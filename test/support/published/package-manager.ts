import * as fs from "node:fs";
import * as path from "node:path";
import type { Consumers } from "../../../tools/consumers/provide-consumers";
import { runProgram } from "../end-to-end/installed-package";

/** The package managers that the package is tried with. */
export const managerNames = ["npm", "pnpm", "yarn classic", "yarn"] as const;
export type ManagerName = (typeof managerNames)[number];

/** How a package manager is run. */
export interface PackageManager {
  readonly version: string;
  /** Installs what package.json of a folder asks for, and runs no install script. @throws Error with what it said. */
  install(folder: string): Promise<void>;
}

/** In milliseconds; on an idle machine the slowest takes a twentieth of it. */
const longestInstall = 400_000;

interface Command {
  readonly program: string;
  /** Of every command of it. */
  readonly prefix: readonly string[];
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Files that a project has for this manager, with their texts. */
  readonly files: Readonly<Record<string, string>>;
}

/** @param registry Address of the registry to install from. */
export async function packageManager(
  name: ManagerName,
  consumers: Consumers,
  registry: string,
): Promise<PackageManager> {
  const command = commandOf(name, consumers, registry);
  const { program, prefix, args } = command;
  const env = { ...withoutNpmSettings(process.env), ...command.env };
  const run = async (
    more: readonly string[],
    options: { readonly cwd: string; readonly timeout: number },
  ): Promise<string> => {
    const { code, text, stdout } = await runProgram(program, [...prefix, ...more], { ...options, env });
    if (code === 0) return stdout;
    throw new Error(
      `${name} ${more.join(" ")} failed, or did not end within ${options.timeout / 1000} s:\n${text}`,
    );
  };
  return {
    version: (await run(["--version"], { cwd: consumers.downloads, timeout: 200_000 })).trim(),
    install: async (folder) => {
      for (const [file, text] of Object.entries(command.files))
        fs.writeFileSync(path.join(folder, file), text);
      await run(args, { cwd: folder, timeout: longestInstall });
    },
  };
}

function commandOf(name: ManagerName, consumers: Consumers, registry: string): Command {
  const own = (folder: string): string => path.join(consumers.downloads, folder);
  switch (name) {
    case "npm": {
      const script = process.env["npm_execpath"];
      const quiet = ["--no-audit", "--no-fund"];
      return {
        ...(script?.endsWith(".js") === true
          ? { program: process.execPath, prefix: [script] }
          : { program: "npm", prefix: [] }),
        args: ["install", "--prefer-offline", "--ignore-scripts", ...quiet, `--registry=${registry}`],
        env: {},
        files: {},
      };
    }
    case "pnpm":
      return {
        program: process.execPath,
        prefix: [consumers.pnpm],
        args: ["install", "--prefer-offline", "--ignore-scripts", `--registry=${registry}`],
        env: {
          XDG_DATA_HOME: own("pnpm-data"),
          XDG_CACHE_HOME: own("pnpm-cache"),
          XDG_STATE_HOME: own("pnpm-state"),
        },
        files: {},
      };
    case "yarn classic":
      return {
        program: process.execPath,
        prefix: [consumers.yarnClassic],
        args: [
          "install",
          "--prefer-offline",
          "--ignore-scripts",
          "--non-interactive",
          `--registry=${registry}`,
          `--cache-folder=${own("yarn-classic")}`,
        ],
        env: {},
        files: {},
      };
    case "yarn":
      return {
        program: process.execPath,
        prefix: [consumers.yarnBerry],
        args: ["install"],
        env: {
          YARN_NPM_REGISTRY_SERVER: registry,
          ...(registry.startsWith("http:") ? { YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname } : {}),
          YARN_GLOBAL_FOLDER: own("yarn"),
          YARN_ENABLE_SCRIPTS: "false",
          YARN_ENABLE_TELEMETRY: "false",
          // In CI it is on by default, and asks for a lock file.
          YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
        },
        // Pulumi looks for node_modules, which Plug'n'Play does not make.
        files: { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
      };
  }
}

/** Without what npm tells the scripts that it runs: the other managers read it as settings of their own. */
function withoutNpmSettings(environment: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_/i.test(name)));
}
