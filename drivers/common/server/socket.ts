import { lstatSync, unlinkSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { createConnection } from "node:net";
import { dirname } from "node:path";
import { ConfigError } from "../config-error";
import type { SocketConfig } from "./socket-config";

/**
 * Makes room for the driver's socket: a socket file that a dead process left is removed; one on which a process
 * listens, and whatever is no socket, is left alone.
 *
 * @throws ConfigError naming the variable that gave the path, if the driver cannot listen there.
 */
export async function claimSocketPath({ path, variable }: SocketConfig): Promise<void> {
  const folder = dirname(path);
  await access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new ConfigError(variable, `no socket can be made in "${folder}" (${reasonOf(error)})`);
  });
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    return;
  }
  if (!found.isSocket()) {
    throw new ConfigError(variable, `"${path}" exists and is no socket; remove it or give another path`);
  }
  if (await answers(path)) {
    throw new ConfigError(variable, `another process listens on "${path}"; stop it or give another path`);
  }
  unlinkSync(path);
}

/** True unless it is certain that nobody listens. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(path);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code !== "ECONNREFUSED");
    });
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
