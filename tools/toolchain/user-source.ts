import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import type { Tool, UserPlace } from "./tool";
import type { Answer, ToolSource } from "./tool-source";

const VERSION_TIMEOUT_MS = 20_000;

/**
 * The tools that the user has: on PATH, in the folder of an environment variable, beside another tool, or among the
 * plugins of Pulumi. One that is too old counts as none.
 */
export function userSource(environment: Readonly<NodeJS.ProcessEnv>): ToolSource {
  return {
    label: "yours",
    description: "what you have",
    find: (tool) => find(tool, tool.user, environment),
  };
}

async function find(tool: Tool, place: UserPlace, environment: Readonly<NodeJS.ProcessEnv>): Promise<Answer> {
  switch (place.kind) {
    case "path":
      return findOnPath(tool.name, place, environment);
    case "beside": {
      const owner = await findOnPath(place.tool, place.place, environment);
      if (owner.path === undefined)
        return { reason: `${place.tool}, which brings it along, is not: ${owner.reason}` };
      const path = join(dirname(await realpath(owner.path)), tool.name);
      if (!(await isExecutable(path))) return { reason: `${path} is not there` };
      return { path, version: owner.version };
    }
    case "pulumi-plugin": {
      const home = environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
      const path = join(home, "plugins", `resource-${place.plugin}-v${tool.version}`, tool.name);
      if (await isExecutable(path)) return { path, version: tool.version };
      return {
        reason: `${path} is not there`,
        remedy: `pulumi plugin install resource ${place.plugin} ${tool.version}`,
      };
    }
    case "own":
      return { reason: `${tool.name} is a program of this repository` };
  }
}

async function findOnPath(
  name: string,
  place: UserPlace & { readonly kind: "path" },
  environment: Readonly<NodeJS.ProcessEnv>,
): Promise<Answer> {
  const remedy = `put ${name} ${place.minimum} or later on your PATH`;
  const assets = place.folderVariable === undefined ? undefined : environment[place.folderVariable];
  const folders = [assets, ...(environment["PATH"] ?? "").split(delimiter)];
  let reason = `${name} is not on your PATH`;
  for (const folder of folders) {
    if (folder === undefined || folder === "") continue;
    const path = join(folder, name);
    if (!(await isExecutable(path))) continue;
    const version = await versionOf(path, place.versionArguments);
    if (version === undefined) {
      reason = `${path} does not tell its version with "${place.versionArguments.join(" ")}"`;
    } else if (isOlder(version, place.minimum)) {
      reason = `${path} is ${version}, older than ${place.minimum}`;
    } else {
      return { path, version };
    }
  }
  return { reason, remedy };
}

/** Compares versions number by number. */
export function isOlder(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, "en", { numeric: true }) < 0;
}

/** The first version number, as in `v3.274.1`, of what a program prints. */
export async function versionOf(
  path: string,
  versionArguments: readonly string[],
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, versionArguments, {
      timeout: VERSION_TIMEOUT_MS,
      // Without it, `pulumi version` would ask its server for a newer one.
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** Whether this is a program that can be run. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
