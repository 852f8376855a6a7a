import * as fs from "node:fs";
import * as http2 from "node:http2";
import * as os from "node:os";
import * as path from "node:path";

/** One request as it came over the wire, whatever path it asked for. */
export interface RecordedRequest {
  readonly path: string;
  readonly body: Buffer;
}

/** A server below gRPC: it records every request, also one that no service knows, and answers OK with given bytes. */
export class Http2Recorder {
  readonly requests: RecordedRequest[] = [];
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "http2-recorder-"));
  readonly #server = http2.createServer();
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  readonly endpoint = `unix://${path.join(this.#folder, "cosi.sock")}`;

  constructor(replies: Readonly<Record<string, Uint8Array>>) {
    this.#server.on("session", (session) => this.#sessions.add(session));
    this.#server.on("stream", (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const asked = headers[":path"] ?? "";
        this.requests.push({ path: asked, body: Buffer.concat(chunks).subarray(5) });
        const reply = replies[asked] ?? Buffer.alloc(0);
        const prefix = Buffer.alloc(5);
        prefix.writeUInt32BE(reply.length, 1);
        stream.respond(
          { ":status": 200, "content-type": "application/grpc+proto" },
          { waitForTrailers: true },
        );
        stream.on("wantTrailers", () => {
          stream.sendTrailers({ "grpc-status": "0" });
        });
        stream.end(Buffer.concat([prefix, reply]));
      });
    });
  }

  start(): Promise<this> {
    return new Promise((resolve) => {
      this.#server.listen(this.endpoint.slice("unix://".length), () => {
        resolve(this);
      });
    });
  }

  stop(): void {
    for (const session of this.#sessions) session.destroy();
    this.#server.close();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
