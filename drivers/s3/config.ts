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
import { amazonS3Url, isAtAmazon } from "./aws-partition";
import { storeUrl } from "./store-url";

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

/** Where the driver listens (specification: Environment Variables). */
const ENDPOINT_VARIABLE = "COSI_ENDPOINT";

const DEFAULT_DRIVER_NAME = "s3.pulumi-cosi.dev";

/** Each of these tells the AWS SDK where it finds credentials that are not in the environment. */
const CREDENTIAL_SOURCES = [
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
];

/**
 * The variables by which the AWS SDK finds another store, and that of the driver for the same. The driver reads its own alone, as
 * it has to tell clients where the store is; one of the others alone stands for a store that it would not use.
 */
const OTHER_ENDPOINTS = [
  ["S3_DRIVER_S3_ENDPOINT", ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]],
  ["S3_DRIVER_IAM_ENDPOINT", ["AWS_ENDPOINT_URL_IAM"]],
] as const;

/**
 * Reads the whole configuration and checks it, so that a driver that starts can serve.
 * The variables are described in the README of the driver.
 *
 * @throws ConfigError naming the first variable that is missing or wrong.
 */
export function readConfig(env: Environment): Config {
  return {
    socket: readSocketConfig(env, ENDPOINT_VARIABLE, "S3_DRIVER_SOCKET_MODE"),
    driverName: driverName(env, "S3_DRIVER_NAME", DEFAULT_DRIVER_NAME),
    logLevel: choice(env, "S3_DRIVER_LOG_LEVEL", LOG_LEVELS, "info"),
    store: readStoreConfig(env),
  };
}

function readStoreConfig(env: Environment): StoreConfig {
  refuseOtherEndpoints(env);
  const region = required(env, "AWS_REGION", "set it to the store's region, for example us-east-1");
  const s3Endpoint = storeUrl(env, "S3_DRIVER_S3_ENDPOINT");
  const pathStyle = choice(env, "S3_DRIVER_PATH_STYLE", ["true", "false"], s3Endpoint ? "true" : "false");
  return {
    region,
    s3Endpoint,
    // An address of Amazon S3, such as one of a private network, has no IAM behind it.
    iamEndpoint:
      storeUrl(env, "S3_DRIVER_IAM_ENDPOINT") ??
      (s3Endpoint !== undefined && isAtAmazon(s3Endpoint) ? undefined : s3Endpoint),
    clientEndpoint: storeUrl(env, "S3_DRIVER_CLIENT_ENDPOINT") ?? s3Endpoint ?? amazonS3Url(region),
    pathStyle: pathStyle === "true",
    certificateAuthorities: certificateAuthorities(env, "S3_DRIVER_CA_FILE"),
    credentials: readCredentials(env),
  };
}

function refuseOtherEndpoints(env: Environment): void {
  for (const [own, others] of OTHER_ENDPOINTS) {
    if (optional(env, own) !== undefined) continue;
    const found = others.find((name) => optional(env, name) !== undefined);
    if (found === undefined) continue;
    throw new ConfigError(
      found,
      `is not read by this driver; give the URL as ${own}, or take the variable away`,
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
