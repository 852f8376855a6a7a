import { ConfigError } from "../config-error";
import { type Environment, optional, required } from "../environment";

/** Where the driver listens. */
export interface SocketConfig {
  /** Absolute path of the socket. */
  readonly path: string;
  /** Permission bits of the socket file. */
  readonly mode: number;
}

/** Longest path of a UNIX socket in bytes; Node cuts a longer one silently. */
const MAX_SOCKET_PATH = process.platform === "darwin" ? 103 : 107;

const DEFAULT_SOCKET_MODE = "0600";

/**
 * Reads `COSI_ENDPOINT` (specification: Environment Variables) and the permissions of the socket.
 *
 * @throws ConfigError
 */
export function readSocketConfig(env: Environment): SocketConfig {
  const endpoint = required(env, "COSI_ENDPOINT", "set it to unix:///absolute/path.sock");
  const path = /^unix:\/\/(\/.+\.sock)$/.exec(endpoint)?.[1];
  if (path === undefined) {
    throw new ConfigError("COSI_ENDPOINT", `"${endpoint}" does not have the form unix:///absolute/path.sock`);
  }
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH) {
    throw new ConfigError(
      "COSI_ENDPOINT",
      `the path has ${bytes} bytes, a socket's path at most ${MAX_SOCKET_PATH}: "${path}"`,
    );
  }
  const mode = optional(env, "S3_DRIVER_SOCKET_MODE") ?? DEFAULT_SOCKET_MODE;
  if (!/^0?[67][0-7]{2}$/.test(mode)) {
    throw new ConfigError("S3_DRIVER_SOCKET_MODE", `"${mode}" is not an octal mode such as 0600 or 0660`);
  }
  return { path, mode: Number.parseInt(mode, 8) };
}
