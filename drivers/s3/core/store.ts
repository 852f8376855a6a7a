import { IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
import type { StoreConfig } from "../config";
import type { Log } from "../../common/log";

/** The clients of the store's two APIs. */
export interface Store {
  readonly s3: S3Client;
  readonly iam: IAMClient;
  /** Sends each request once: for creates, whose repeat would hide or double the work of a lost reply. */
  readonly once: { readonly s3: S3Client; readonly iam: IAMClient };
}

const CONNECTION_TIMEOUT_MS = 5_000;

/** Well below the minute that callers give a whole call. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Clients for the store of the configuration. No request is sent yet. */
export function connectStore(config: StoreConfig, log: Log): Store {
  const common = {
    region: config.region,
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
  const s3 = (maxAttempts: number) => {
    const client = new S3Client({
      ...common,
      maxAttempts,
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
  const iam = (maxAttempts: number) => {
    const client = new IAMClient({
      ...common,
      maxAttempts,
      ...(config.iamEndpoint === undefined ? {} : { endpoint: config.iamEndpoint }),
    });
    client.middlewareStack.add(
      (next, context) => (args) => logged(log, context.commandName, () => next(args)),
      { step: "initialize", name: "logRequest" },
    );
    return client;
  };
  return { s3: s3(3), iam: iam(3), once: { s3: s3(1), iam: iam(1) } };
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
