import { IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
import { iamRegion } from "../aws-partition";
import type { StoreConfig } from "../config";
import type { Log } from "../../common/log";
import { type Attempts, ONCE } from "./attempts";

/** The clients of the store's two APIs. */
export interface Store {
  readonly s3: S3Client;
  readonly iam: IAMClient;
  /**
   * Sends each request once, or once more if it was refused for the clock of this machine: for creates, whose repeat would hide
   * or double the work of a lost reply.
   */
  readonly once: { readonly s3: S3Client; readonly iam: IAMClient };
}

const CONNECTION_TIMEOUT_MS = 5_000;

/** Well below the minute that callers give a whole call. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Clients for the store of the configuration. No request is sent yet. */
export function connectStore(config: StoreConfig, log: Log): Store {
  const common = {
    // What is not documented must not move the driver: clients are told the endpoint of its own configuration.
    ignoreConfiguredEndpointUrls: true,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    ...(config.credentials === undefined ? {} : { credentials: config.credentials }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      ...(config.certificateAuthorities === undefined
        ? {}
        : { httpsAgent: { ca: config.certificateAuthorities, keepAlive: true } }),
    },
  };
  const s3 = (attempts: Attempts) => {
    const client = new S3Client({
      ...common,
      ...attempts,
      region: config.region,
      forcePathStyle: config.pathStyle,
      // Stores other than Amazon's know the checksums that are required, and not always the newer ones.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      ...(config.s3Endpoint === undefined ? {} : { endpoint: config.s3Endpoint }),
    });
    client.middlewareStack.add(
      (next, context) => (args) => logged(log, context.commandName, () => next(args)),
      { step: "initialize", name: "logRequest" },
    );
    return client;
  };
  const iam = (attempts: Attempts) => {
    const client = new IAMClient({
      ...common,
      ...attempts,
      region: iamRegion(config),
      ...(config.iamEndpoint === undefined ? {} : { endpoint: config.iamEndpoint }),
    });
    client.middlewareStack.add(
      (next, context) => (args) => logged(log, context.commandName, () => next(args)),
      { step: "initialize", name: "logRequest" },
    );
    return client;
  };
  const several = { maxAttempts: 3 };
  return { s3: s3(several), iam: iam(several), once: { s3: s3(ONCE), iam: iam(ONCE) } };
}

/** Logs name, duration and outcome of a request, and nothing of what it carries. */
async function logged<T>(log: Log, command: string | undefined, send: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let outcome = "ok";
  try {
    return await send();
  } catch (error) {
    outcome = error instanceof Error ? error.name : "error";
    throw error;
  } finally {
    log.debug("store request", { command, outcome, ms: Math.round(performance.now() - start) });
  }
}
