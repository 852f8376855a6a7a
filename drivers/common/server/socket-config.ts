import { ConfigError } from "../config-error";
import { type Environment, optional, required } from "../environment";

/** Where the driver listens. */
export interface SocketConfig {
  /** Absolute path of the socket. */
  readonly path: string;
  /** The variable that named the path, to be told when the driver cannot listen there. */
  readonly variable: string;
  /** Permission bits of the socket file. */
  readonly mode: number;
}

/** Longest path of a UNIX socket in bytes; Node cuts a longer one silently. */
const MAX_SOCKET_PATH = process.platform === "darwin" ? 103 : 107;

const DEFAULT_SOCKET_MODE = "0600";

/**
 * Reads where the driver is to listen, and the permissions of its socket.
 *
 * @param variable - names the endpoint, as the contract's specification wants it.
 * @param modeVariable - names the permissions, a setting of the driver's own.
 * @throws ConfigError
 */
export function readSocketConfig(env: Environment, variable: string, modeVariable: string): SocketConfig {
  const endpoint = required(env, variable, "set it to unix:///absolute/path.sock");
  const path = /^unix:\/\/(\/.+\.sock)$/.exec(endpoint)?.[1];
  if (path === undefined) {
    throw new ConfigError(variable, `"${endpoint}" does not have the form unix:///absolute/path.sock`);
  }
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH) {
    throw new ConfigError(
      variable,
      `the path has ${bytes} bytes, a socket's path at most ${MAX_SOCKET_PATH}: "${path}"`,
    );
  }
  const mode = optional(env, modeVariable) ?? DEFAULT_SOCKET_MODE;
  if (!/^0?[67][0-7]{2}$/.test(mode)) {
    throw new ConfigError(modeVariable, `"${mode}" is not an octal mode such as 0600 or 0660`);
  }
  return { path, variable, mode: Number.parseInt(mode, 8) };
}
