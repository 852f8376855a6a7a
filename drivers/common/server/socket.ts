import { lstatSync, renameSync, unlinkSync } from "node:fs";
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
    throw new ConfigError(variable, `"${path}" exists and is not a socket; remove it or give another path`);
  }
  if (await answers(path)) {
    throw new ConfigError(variable, `another process listens on "${path}"; stop it or give another path`);
  }
  unlinkSync(path);
}

/** Which file lies at the path of a socket, or undefined if there is none. */
export function socketFile(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Closes a server, by which Node removes whatever lies at the path of its socket. If that is not its own any more, since somebody
 * removed that and another driver now serves there, it is out of the way for the moment that this takes.
 *
 * @param own - its socket, as {@link socketFile} told it after the start.
 * @param close - removes the file before it returns.
 */
export function keepingOther<T>(path: string, own: string | undefined, close: () => T): T {
  const found = socketFile(path);
  if (found === undefined || found === own) return close();
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  try {
    return close();
  } finally {
    renameSync(aside, path);
  }
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
