import * as grpc from "@grpc/grpc-js";
import type { Endpoint } from "./endpoint";

/** Largest reply that is read, in bytes. */
const maximumReplyBytes = 4 * 1024 * 1024;

/** A call that ended in a status other than OK. */
export class StatusError extends Error {
  override readonly name = "StatusError";

  constructor(
    readonly code: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** One gRPC channel to a driver's socket, for messages as bytes. */
export class Channel {
  readonly #client: grpc.Client;

  constructor(endpoint: Endpoint) {
    this.#client = new grpc.Client(`unix://${endpoint.path}`, grpc.credentials.createInsecure(), {
      // GRPC-090: no proxy stands between two processes of one host, and a socket has no host name of its own.
      "grpc.enable_http_proxy": 0,
      "grpc.default_authority": "localhost",
      "grpc.enable_retries": 0,
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 250,
      "grpc.max_receive_message_length": maximumReplyBytes,
      "grpc.use_local_subchannel_pool": 1,
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
  unary(path: string, request: Uint8Array, timeoutMilliseconds: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (bytes: Uint8Array) => Buffer.from(bytes),
        (bytes: Buffer) => bytes,
        request,
        { deadline: Date.now() + timeoutMilliseconds },
        (error: grpc.ServiceError | null, reply?: Buffer) => {
          if (error !== null) reject(new StatusError(error.code, error.details));
          else resolve(reply ?? Buffer.alloc(0));
        },
      );
    });
  }

  close(): void {
    this.#client.close();
  }
}
