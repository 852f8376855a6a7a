import { randomBytes } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { basename, delimiter, join, resolve } from "node:path";

import { createRunFolder } from "../local/run-folder";
import { cacheFolder } from "./cache-folder";
import { providePulumiBin } from "./pulumi-bin";
import { provideTool } from "./toolchain";
import { tools } from "./tools";

/** All that a program needs to run `pulumi` without an account, without a network and without the user's own settings. */
export interface PulumiEnvironment {
  /** Path of the `pulumi` program. */
  readonly pulumi: string;
  /** `PULUMI_HOME` of this environment: no other run shares its credentials and workspaces. */
  readonly home: string;
  /** `PULUMI_BACKEND_URL`. */
  readonly backendUrl: string;
  /** The folder that the backend keeps states in, unless another backend was asked for. */
  readonly backend: string;
  /** A temporary folder (0700) that holds all of it, with room for programs' own files. */
  readonly folder: string;
  /** The whole environment for a child process: this process's, with the user's account and cluster taken out. */
  readonly env: Readonly<Record<string, string>>;
  /** Deletes {@link folder}. Also done at the exit of this process. */
  readonly remove: () => Promise<void>;
}

/** How the environment differs from the usual one. */
export interface PulumiEnvironmentOptions {
  /** @default a file:// URL of a folder inside the environment's own */
  readonly backendUrl?: string;
  /** Encrypts the secrets in the state. @default random */
  readonly passphrase?: string;
  /** Whether output is coloured. @default false */
  readonly color?: boolean;
}

/**
 * Makes an environment for `pulumi`: the CLI with the Node.js language host and the dynamic provider host beside it,
 * the Kubernetes plugin, a state backend in a folder, and the variables that lead there.
 *
 * Nothing in it leads to a cluster of the user's: add `KUBECONFIG` for the one that is meant.
 *
 * @throws ToolUnavailableError when a program cannot be had.
 */
export async function createPulumiEnvironment(
  options: PulumiEnvironmentOptions = {},
): Promise<PulumiEnvironment> {
  const root = resolve(__dirname, "..", "..");
  const [pulumi, languageHost, plugin] = [
    await provideTool("pulumi"),
    await provideTool("pulumi-language-nodejs"),
    await provideTool("pulumi-resource-kubernetes"),
  ];
  const bin = await providePulumiBin(join(cacheFolder(), "pulumi"), [
    pulumi.path,
    languageHost.path,
    // The host of dynamic providers, which comes with the SDK.
    join(root, "node_modules", "@pulumi", "pulumi", "pulumi-resource-pulumi-nodejs"),
  ]);
  const { path: folder, remove } = await createRunFolder("pulumi");
  const home = join(folder, "home");
  const plugins = join(
    home,
    "plugins",
    `resource-kubernetes-v${tools["pulumi-resource-kubernetes"].version}`,
  );
  await mkdir(plugins, { recursive: true, mode: 0o700 });
  await symlink(plugin.path, join(plugins, basename(plugin.path)));
  const backend = join(folder, "backend");
  const userHome = join(folder, "user");
  for (const each of [backend, userHome]) await mkdir(each, { mode: 0o700 });
  // Without it, the CLI keeps a second file beside each state, which it writes in two steps: a kill between them leaves an
  // empty one, with which no command starts ("failed to load checkpoint: EOF").
  const backendUrl = options.backendUrl ?? `file://${backend}?metadata=skip`;
  const env = {
    ...withoutUserSettings(process.env),
    // There, clients of Kubernetes look for .kube/config.
    HOME: userHome,
    PATH: [bin, join(root, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: backendUrl,
    PULUMI_CONFIG_PASSPHRASE: options.passphrase ?? randomBytes(16).toString("hex"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...(options.color === true ? {} : { NO_COLOR: "1" }),
  };
  return { pulumi: join(bin, "pulumi"), home, backendUrl, backend, folder, env, remove };
}

/** The user's account, stack and backend, cluster (also the one that this may run in) and colours. */
const USER_SETTINGS = /^(PULUMI_.*|KUBECONFIG|KUBERNETES_SERVICE_(HOST|PORT)|FORCE_COLOR)$/;

function withoutUserSettings(environment: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !USER_SETTINGS.test(name)) kept[name] = value;
  }
  return kept;
}
