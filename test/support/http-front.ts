import * as fs from "node:fs";
import * as http2 from "node:http2";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";

/** An answer below gRPC. */
export interface HttpAnswer {
  /** @default 200 */
  readonly status?: number;
  /** @default those of gRPC */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default empty */
  readonly body?: Uint8Array;
  /** What comes behind the body. @default nothing */
  readonly trailers?: Readonly<Record<string, string>>;
}

/** When an answer takes the place of the driver's: the call has not reached it yet, or it has had its effect. */
export type HttpStage = "before" | "after";

/** What stands between a caller and a driver and speaks HTTP/2: an ingress, which may answer in the driver's place. */
export class HttpFront {
  /** Paths of all calls in the order in which they came. */
  readonly paths: string[] = [];
  at: (path: string, stage: HttpStage) => HttpAnswer | undefined = () => undefined;
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "http-front-"));
  readonly #socket = path.join(this.#folder, "cosi.sock");
  readonly endpoint = `unix://${this.#socket}`;
  readonly #server = http2.createServer();
  readonly #sessions = new Set<http2.ServerHttp2Session>();

  /** @param driver Path of the driver's socket. */
  constructor(driver: string) {
    this.#server.on("session", (session) => this.#sessions.add(session));
    this.#server.on("stream", (stream, headers) => {
      // The caller may have given up.
      stream.on("error", () => undefined);
      void bodyOf(stream).then(async (body) => {
        const asked = headers[":path"] ?? "";
        this.paths.push(asked);
        const instead = this.at(asked, "before");
        const answer = instead ?? (await forward(driver, headers, body));
        send(stream, (instead === undefined ? this.at(asked, "after") : undefined) ?? answer);
      });
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#socket, resolve));
    return this;
  }

  stop(): void {
    for (const session of this.#sessions) session.destroy();
    this.#server.close();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A message as gRPC frames it. @param isCompressed What the frame says of it. */
export function framed(message: Uint8Array, isCompressed = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(isCompressed ? 1 : 0);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

async function bodyOf(stream: http2.Http2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => stream.on("end", resolve));
  return Buffer.concat(chunks);
}

async function forward(
  driver: string,
  headers: http2.IncomingHttpHeaders,
  body: Buffer,
): Promise<HttpAnswer> {
  const session = http2.connect("http://localhost", { createConnection: () => net.connect(driver) });
  session.on("error", () => undefined);
  try {
    const onward = session.request(headers);
    onward.on("error", () => undefined);
    let answer: HttpAnswer = { status: 503, headers: {} };
    onward.on("response", ({ ":status": status, ...rest }: http2.IncomingHttpHeaders) => {
      answer = { ...answer, status: Number(status ?? 200), headers: texts(rest) };
    });
    onward.on("trailers", (trailers: http2.IncomingHttpHeaders) => {
      answer = { ...answer, trailers: texts(trailers) };
    });
    onward.end(body);
    const closed = new Promise((resolve) => onward.on("close", resolve));
    const reply = await Promise.race([bodyOf(onward), closed.then(() => Buffer.alloc(0))]);
    await closed;
    return reply.length === 0 ? answer : { ...answer, body: reply };
  } finally {
    session.close();
  }
}

function texts(headers: http2.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

function send(
  stream: http2.ServerHttp2Stream,
  { status = 200, headers = { "content-type": "application/grpc" }, body, trailers }: HttpAnswer,
): void {
  if (stream.destroyed) return;
  const endStream = body === undefined && trailers === undefined;
  stream.respond({ ":status": status, ...headers }, { endStream, waitForTrailers: trailers !== undefined });
  if (endStream) return;
  stream.on("wantTrailers", () => {
    stream.sendTrailers({ ...trailers });
  });
  stream.end(body);
}
