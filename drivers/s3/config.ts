import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDriverName } from "../../provider/driver/connect/driver-name";
import { type Environment, choice, optional, required, storeUrl } from "./environment";
import type { LogLevel } from "./log";
import { type SocketConfig, readSocketConfig } from "./server/socket-config";
import { ConfigError } from "./config-error";

/** How the driver reaches its store. */
export interface StoreConfig {
  /** The one region that this driver serves; told to clients. */
  readonly region: string;
  /** URL of the S3 API; undefined: Amazon S3 of the region. */
  readonly s3Endpoint: string | undefined;
  /** URL of the IAM API; undefined: AWS. */
  readonly iamEndpoint: string | undefined;
  /** URL that granted credentials name. */
  readonly clientEndpoint: string;
  /** `endpoint/bucket` instead of `bucket.endpoint`. */
  readonly pathStyle: boolean;
  /** PEM text of the authorities that may have signed the store's certificate; undefined: the system's. */
  readonly certificateAuthorities: string | undefined;
  /** The administrator's keys; undefined: the chain of credential sources of the AWS SDK. */
  readonly credentials: StoreCredentials | undefined;
}

/** Access key of the store's administrator. */
export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** All that the driver is told at its start. */
export interface Config {
  readonly socket: SocketConfig;
  readonly driverName: string;
  readonly logLevel: LogLevel;
  readonly store: StoreConfig;
}

const DEFAULT_DRIVER_NAME = "s3.pulumi-cosi.dev";

/** Each of these tells the AWS SDK where it finds credentials that are not in the environment. */
const CREDENTIAL_SOURCES = [
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
];

/**
 * Reads the whole configuration and checks it, so that a driver that starts can serve.
 * The variables are described in the README of the driver.
 *
 * @throws ConfigError naming the first variable that is missing or wrong.
 */
export function readConfig(env: Environment): Config {
  return {
    socket: readSocketConfig(env),
    driverName: readDriverName(env),
    logLevel: choice(env, "S3_DRIVER_LOG_LEVEL", ["error", "info", "debug"], "info"),
    store: readStoreConfig(env),
  };
}

function readDriverName(env: Environment): string {
  const name = optional(env, "S3_DRIVER_NAME") ?? DEFAULT_DRIVER_NAME;
  if (!isDriverName(name)) {
    throw new ConfigError(
      "S3_DRIVER_NAME",
      `"${name}" is not a domain name of at most 63 letters, digits, dashes and dots`,
    );
  }
  return name;
}

function readStoreConfig(env: Environment): StoreConfig {
  const region = required(env, "AWS_REGION", "set it to the store's region, for example us-east-1");
  const s3Endpoint = storeUrl(env, "S3_DRIVER_S3_ENDPOINT");
  const pathStyle = choice(env, "S3_DRIVER_PATH_STYLE", ["true", "false"], s3Endpoint ? "true" : "false");
  return {
    region,
    s3Endpoint,
    iamEndpoint: storeUrl(env, "S3_DRIVER_IAM_ENDPOINT") ?? s3Endpoint,
    clientEndpoint:
      storeUrl(env, "S3_DRIVER_CLIENT_ENDPOINT") ?? s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    pathStyle: pathStyle === "true",
    certificateAuthorities: readCertificateAuthorities(env),
    credentials: readCredentials(env),
  };
}

function readCertificateAuthorities(env: Environment): string | undefined {
  const file = optional(env, "S3_DRIVER_CA_FILE");
  if (file === undefined) {
    return undefined;
  }
  try {
    const pem = readFileSync(file, "utf8");
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      "S3_DRIVER_CA_FILE",
      `"${file}" is not a readable file of PEM certificates (${reason})`,
    );
  }
}

function readCredentials(env: Environment): StoreCredentials | undefined {
  const accessKeyId = optional(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = optional(env, "AWS_SECRET_ACCESS_KEY");
  const sessionToken = optional(env, "AWS_SESSION_TOKEN");
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  }
  if (accessKeyId !== undefined || secretAccessKey !== undefined) {
    const missing = accessKeyId === undefined ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY";
    throw new ConfigError(missing, "is not set; access key id and secret access key go together");
  }
  if (CREDENTIAL_SOURCES.some((name) => optional(env, name) !== undefined)) {
    return undefined;
  }
  throw new ConfigError(
    "AWS_ACCESS_KEY_ID",
    `is not set; give the administrator's keys, or one of ${CREDENTIAL_SOURCES.join(", ")}`,
  );
}
