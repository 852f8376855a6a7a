import { isIPv6 } from "node:net";
import {
  type Environment,
  certificateAuthorities,
  choice,
  driverName,
  optional,
  required,
} from "../common/environment";
import { ConfigError } from "../common/config-error";
import { LOG_LEVELS, type LogLevel } from "../common/log";
import { type SocketConfig, readSocketConfig } from "../common/server/socket-config";

/**
 * How far TLS goes, in the words of libpq. Its `allow` and `prefer` are not among them: they would fall back to plain text
 * without a word.
 */
export const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

export type SslMode = (typeof SSL_MODES)[number];

/** How the driver reaches its server. */
export interface ServerConfig {
  /** A name, an address, or the folder of a UNIX socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The database that the driver is connected to while it makes and drops others. */
  readonly maintenanceDatabase: string;
  readonly sslMode: SslMode;
  /** PEM text of the authorities that may have signed the server's certificate; undefined: those that Node trusts. */
  readonly certificateAuthorities: string | undefined;
  /** What granted credentials name. */
  readonly client: ClientConfig;
}

/** How those who get credentials reach the server. */
export interface ClientConfig {
  readonly host: string;
  readonly port: number;
  readonly sslMode: string;
}

/** All that the driver is told at its start. */
export interface Config {
  readonly socket: SocketConfig;
  readonly driverName: string;
  readonly logLevel: LogLevel;
  readonly server: ServerConfig;
}

/** Where the driver listens (specification: Environment Variables), in this spelling. */
const ENDPOINT_VARIABLE = "Deployment_ENDPOINT";

const DEFAULT_DRIVER_NAME = "postgres.pulumi-cosi.dev";
const DEFAULT_PORT = 5432;

/**
 * Reads the whole configuration and checks it, so that a driver that starts can serve.
 * The variables are described in the README of the driver.
 *
 * @throws ConfigError naming the first variable that is missing or wrong.
 */
export function readConfig(env: Environment): Config {
  return {
    socket: readSocketConfig(env, ENDPOINT_VARIABLE, "POSTGRES_DRIVER_SOCKET_MODE"),
    driverName: driverName(env, "POSTGRES_DRIVER_NAME", DEFAULT_DRIVER_NAME),
    logLevel: choice(env, "POSTGRES_DRIVER_LOG_LEVEL", LOG_LEVELS, "info"),
    server: readServerConfig(env),
  };
}

function readServerConfig(env: Environment): ServerConfig {
  const host = readHost(env, "PGHOST") ?? required(env, "PGHOST", "set it to the server's name or address");
  const port = readPort(env, "PGPORT") ?? DEFAULT_PORT;
  const sslMode = choice(env, "PGSSLMODE", SSL_MODES, "verify-full");
  return {
    host,
    port,
    user: required(env, "PGUSER", "set it to the role that administers the server"),
    password: required(env, "PGPASSWORD", "set it to the password of the role PGUSER"),
    maintenanceDatabase: optional(env, "PGDATABASE") ?? "postgres",
    sslMode,
    certificateAuthorities: certificateAuthorities(env, "PGSSLROOTCERT"),
    client: {
      host: readHost(env, "POSTGRES_DRIVER_CLIENT_HOST") ?? host,
      port: readPort(env, "POSTGRES_DRIVER_CLIENT_PORT") ?? port,
      sslMode: choice(env, "POSTGRES_DRIVER_CLIENT_SSLMODE", ["allow", "prefer", ...SSL_MODES], sslMode),
    },
  };
}

/** One host: lists of them, as libpq has them, would leave open which server a deployment is at. */
function readHost(env: Environment, name: string): string | undefined {
  const host = optional(env, name);
  if (host !== undefined && !/^(\/[^,]*|[A-Za-z0-9._-]+)$/.test(host) && !isIPv6WithZone(host)) {
    throw new ConfigError(
      name,
      `"${host}" is not one name, address or absolute path of a folder; the port has a variable of its own`,
    );
  }
  return host;
}

/** A colon is part of no other host: what follows it would be taken for a port by some, and by others not. */
function isIPv6WithZone(host: string): boolean {
  const [address = "", ...zone] = host.split("%");
  return isIPv6(address) && zone.every((part) => /^[A-Za-z0-9._-]+$/.test(part)) && zone.length <= 1;
}

function readPort(env: Environment, name: string): number | undefined {
  const text = optional(env, name);
  if (text === undefined) {
    return undefined;
  }
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) {
    throw new ConfigError(name, `"${text}" is not a port from 1 to 65535`);
  }
  return port;
}
