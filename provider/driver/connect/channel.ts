import * as grpc from "@grpc/grpc-js";
import { isLoopback, type Endpoint } from "./endpoint";
import type { ClientTls } from "./tls-settings";

/** Largest reply that is read, in bytes. */
const maximumReplyBytes = 4 * 1024 * 1024;

/** A call that ended in a status other than OK. */
export class StatusError extends Error {
  override readonly name = "StatusError";

  /** @param alone No other call was under way on the connection during this one. */
  constructor(
    readonly code: number,
    readonly reason: string,
    readonly alone = false,
  ) {
    super(reason);
  }
}

/** What is said of a reply that is compressed in a way that it does not name, or that nobody here knows. */
export const unknownCompression = "Received message in an unknown compression";

/** grpc-js ends a call with such a reply with neither a code nor words. */
function statusOf({ code, details = "" }: Partial<grpc.ServiceError>, alone: boolean): StatusError {
  return code === undefined
    ? new StatusError(grpc.status.INTERNAL, unknownCompression, alone)
    : new StatusError(code, details, alone);
}

/** A call under way, and whether another one was under way beside it. */
interface CallUnderWay {
  alone: boolean;
}

/** Where a channel leads, and what stands around its calls. */
export interface ChannelSettings {
  readonly endpoint: Endpoint;
  /** For an endpoint on the network, which is never spoken to without, unless it is a port of this machine. */
  readonly tls?: ClientTls;
  readonly interceptors?: readonly grpc.Interceptor[];
}

/** One gRPC channel to a driver, for messages as bytes. */
export class Channel {
  readonly #client: grpc.Client;
  readonly #underWay = new Set<CallUnderWay>();

  constructor({ endpoint, tls, interceptors = [] }: ChannelSettings) {
    this.#client = new grpc.Client(targetOf(endpoint), credentialsFor(endpoint, tls), {
      // GRPC-090: no proxy stands between caller and driver, and a socket has no host name of its own.
      "grpc.enable_http_proxy": 0,
      "grpc.default_authority": endpoint.kind === "socket" ? "localhost" : endpoint.host,
      ...(tls?.serverName === undefined ? {} : { "grpc.ssl_target_name_override": tls.serverName }),
      "grpc.service_config_disable_resolution": 1,
      "grpc.enable_retries": 0,
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 250,
      "grpc.max_receive_message_length": maximumReplyBytes,
      "grpc.use_local_subchannel_pool": 1,
      interceptors: [...interceptors],
    });
  }

  /** Resolves when the connection stands. @throws Error when it does not by `deadline` (milliseconds of the epoch). */
  ready(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.waitForReady(deadline, (error) => {
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  }

  /** Calls back once when the connection that stands now is gone. */
  onDisconnect(callback: () => void): void {
    const channel = this.#client.getChannel();
    channel.watchConnectivityState(grpc.connectivityState.READY, Number.POSITIVE_INFINITY, callback);
  }

  /** Sends one request. @throws StatusError */
  unary(
    path: string,
    request: Uint8Array,
    timeoutMilliseconds: number,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<Uint8Array> {
    const call: CallUnderWay = { alone: this.#underWay.size === 0 };
    for (const other of this.#underWay) other.alone = false;
    this.#underWay.add(call);
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (bytes: Uint8Array) => Buffer.from(bytes),
        (bytes: Buffer) => bytes,
        request,
        grpc.Metadata.fromHttp2Headers(metadata),
        { deadline: Date.now() + timeoutMilliseconds },
        (error: grpc.ServiceError | null, reply?: Buffer) => {
          this.#underWay.delete(call);
          if (error !== null) reject(statusOf(error, call.alone));
          else resolve(reply ?? Buffer.alloc(0));
        },
      );
    });
  }

  close(): void {
    this.#client.close();
  }
}

/** The endpoint in the form of gRPC, in which `localhost:9000` would be a scheme and a path. */
function targetOf(endpoint: Endpoint): string {
  return endpoint.kind === "socket" ? endpoint.address : `dns:///${endpoint.host}:${endpoint.port}`;
}

function credentialsFor(endpoint: Endpoint, tls: ClientTls | undefined): grpc.ChannelCredentials {
  if (endpoint.kind === "socket") return grpc.credentials.createInsecure();
  if (tls === undefined) {
    if (isLoopback(endpoint)) return grpc.credentials.createInsecure();
    throw new Error(`${endpoint.address} is on the network and needs tls`);
  }
  // Said here, as Node's default is what NODE_TLS_REJECT_UNAUTHORIZED says.
  return grpc.credentials.createFromSecureContext(tls.context, { rejectUnauthorized: true });
}
