import * as http2 from "node:http2";
import * as net from "node:net";

/** Where a server listens: a socket's path, or a port of an address. */
export type Address = { readonly path: string } | { readonly host: string; readonly port: number };

/** What came back for one request, as it was on the wire. */
export interface WireReply {
  /** The trailer `grpc-status`; `undefined` if none came. */
  readonly code: number | undefined;
  /** The trailer `grpc-message`, decoded. */
  readonly message: string;
  /** True if the trailer `grpc-status-details-bin` came. */
  readonly details: boolean;
  /** Bytes of the reply message. */
  readonly body: Buffer | undefined;
  /** Why there is no status, in words. */
  readonly lost: string | undefined;
  /** True if there was no status when the wait was over. */
  readonly late: boolean;
  /** True if nobody can have read the request: there was no connection, or it was closing. */
  readonly neverSent: boolean;
}

const prefixBytes = 5;
/** Far above what the contract allows in a reply, so that a driver without bounds does not exhaust the memory. */
const maximumReplyBytes = 16 * 1024 * 1024;

/**
 * Unary gRPC calls over HTTP/2, below a gRPC library: a library turns a reset stream, a missing status and a passed
 * deadline into status codes of its own, and what the driver itself sent is what a conformance check judges.
 * Source: gRPC over HTTP/2 protocol.
 */
export class Wire {
  #session: http2.ClientHttp2Session | undefined;
  /** Sessions that somebody has taken. */
  readonly #connections = new WeakSet<http2.ClientHttp2Session>();

  constructor(private readonly address: Address) {}

  /** Sends one request and waits for its end, at most `patience` milliseconds, or until `signal` is given. */
  unary(path: string, message: Uint8Array, patience: number, signal?: AbortSignal): Promise<WireReply> {
    return new Promise((resolve) => {
      const session = this.#connected();
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
        te: "trailers",
        "grpc-timeout": `${Math.max(1, Math.round(patience))}m`,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      let headers: http2.IncomingHttpHeaders = {};
      let lost: string | undefined;
      let late = false;
      const giveUp = (why: string): void => {
        lost ??= why;
        stream.close(http2.constants.NGHTTP2_CANCEL);
      };
      const timer = setTimeout(() => {
        late = lost === undefined;
        giveUp(`no answer within ${patience / 1000} s`);
      }, patience);
      const interrupt = (): void => {
        giveUp("the run was interrupted");
      };
      signal?.addEventListener("abort", interrupt);
      const merge = (more: http2.IncomingHttpHeaders): void => {
        headers = { ...headers, ...more };
      };
      stream.on("response", merge);
      stream.on("trailers", merge);
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maximumReplyBytes) giveUp(`the reply has more than ${maximumReplyBytes} bytes`);
        else chunks.push(chunk);
      });
      stream.on("error", (error: Error) => {
        lost ??= error.message;
      });
      stream.on("close", () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", interrupt);
        const reply = readReply(headers, Buffer.concat(chunks), lost, stream.rstCode);
        resolve({
          ...reply,
          late: late && reply.lost !== undefined,
          // HTTP/2 allows this code only where nobody has looked at the request.
          neverSent:
            !this.#connections.has(session) || stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM,
        });
      });
      stream.end(frame(message));
    });
  }

  close(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  #connected(): http2.ClientHttp2Session {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed)
      return this.#session;
    const { address } = this;
    const session = http2.connect("http://localhost", {
      createConnection: () =>
        "path" in address ? net.connect(address.path) : net.connect(address.port, address.host),
    });
    // What a broken connection means to a call is told by the call's own stream.
    session.on("error", () => undefined);
    session.once("connect", () => this.#connections.add(session));
    this.#session = session;
    return session;
  }
}

function frame(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function readReply(
  headers: http2.IncomingHttpHeaders,
  data: Buffer,
  lost: string | undefined,
  rstCode: number,
): Omit<WireReply, "late" | "neverSent"> {
  const status = headers["grpc-status"];
  const code = typeof status === "string" && /^\d+$/.test(status) ? Number(status) : undefined;
  const whole = data.length >= prefixBytes && data.length - prefixBytes === data.readUInt32BE(1);
  return {
    code,
    message: percentDecoded(String(headers["grpc-message"] ?? "")),
    details: headers["grpc-status-details-bin"] !== undefined,
    body: whole ? data.subarray(prefixBytes) : undefined,
    lost: code === undefined ? (lost ?? withoutStatus(headers, rstCode)) : undefined,
  };
}

function withoutStatus(headers: http2.IncomingHttpHeaders, rstCode: number): string {
  const http = headers[":status"];
  if (http === undefined) return `the stream ended without a reply (HTTP/2 code ${rstCode})`;
  const sent = headers["grpc-status"];
  const status = sent === undefined ? "no grpc-status" : `grpc-status ${JSON.stringify(sent)}`;
  return `the reply has ${status} (HTTP status ${String(http)}, HTTP/2 code ${rstCode})`;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
