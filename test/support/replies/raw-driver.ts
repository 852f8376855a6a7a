import * as fs from "node:fs";
import * as http2 from "node:http2";
import * as os from "node:os";
import * as path from "node:path";
import type { RawAnswer } from "./raw-answer";

/** A call as it came over the wire. */
export interface RawCall {
  /** `/cosi.v1alpha1.Identity/DriverGetInfo` */
  readonly path: string;
  /** The message without its frame. */
  readonly body: Buffer;
}

/** Decides what goes over the wire in answer to a call. */
export type RawResponder = (call: RawCall) => RawAnswer;

const frameHeaderBytes = 5;

/**
 * A driver on the level of HTTP/2: it sends what it is told, and nothing in it keeps a reply well-formed. What speaks
 * proper gRPC is FakeDriver.
 */
export class RawDriver {
  /** Decides all answers. */
  respond: RawResponder;
  readonly endpoint: string;
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "raw-driver-"));
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  readonly #server = http2.createServer();

  constructor(respond: RawResponder) {
    this.respond = respond;
    this.endpoint = `unix://${path.join(this.#folder, "cosi.sock")}`;
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("error", () => undefined);
      session.on("close", () => this.#sessions.delete(session));
    });
    this.#server.on("stream", (stream, headers) => {
      this.#serve(stream, headers[":path"] ?? "");
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.endpoint.slice("unix://".length), resolve));
    return this;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    for (const session of this.#sessions) session.destroy();
    await closed;
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #serve(stream: http2.ServerHttp2Stream, called: string): void {
    const chunks: Buffer[] = [];
    stream.on("error", () => undefined);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const body = Buffer.concat(chunks).subarray(frameHeaderBytes);
      send(stream, this.respond({ path: called, body }));
    });
  }
}

function send(stream: http2.ServerHttp2Stream, { headers, body, trailers, end }: RawAnswer): void {
  if (stream.destroyed) return;
  if (end === "cut" && headers === undefined) {
    stream.session?.destroy();
    return;
  }
  if (headers !== undefined) {
    stream.on("wantTrailers", () => {
      stream.sendTrailers(trailers);
    });
    // Without a body the trailers are the headers, as a server that refuses at once sends them.
    if (body === undefined && end === "trailers") {
      stream.respond({ ...headers, ...trailers }, { endStream: true });
      return;
    }
    stream.respond(headers, { waitForTrailers: end === "trailers" });
  }
  if (end === "trailers") stream.end(body);
  else {
    if (body !== undefined) stream.write(body);
    if (end === "cut") stream.session?.destroy();
    else stream.close(end.reset);
  }
}
