import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as grpc from "@grpc/grpc-js";

/** One call as the driver saw it. */
export interface RecordedCall {
  /** As the test spells it. */
  readonly path: string;
  readonly body: Buffer;
  readonly authority: string;
  /** What the caller said beside the message, by key. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Milliseconds of the epoch. */
  readonly at: number;
  /** Calls under way at the driver when this one came, itself included. */
  readonly inFlight: number;
  /** The caller has given the call up. */
  readonly cancelled: boolean;
}

/** How the driver answers one call: bytes, or a status. */
export type Answer = Uint8Array | { code: number; message?: string; metadata?: grpc.Metadata };

/** Decides the answer; called with the number of earlier calls of the same path. A promise delays the answer. */
export type Responder = (body: Buffer, earlier: number) => Answer | Promise<Answer>;

/**
 * A driver that records what it is sent and answers as it is told, at the level of paths and bytes, over real gRPC on
 * a real socket. It stores nothing: what a driver does with a bucket is tested with real drivers.
 *
 * @param onWire The path that is served for the one by which a test knows an RPC.
 */
export class FakeDriver {
  readonly calls: RecordedCall[] = [];
  readonly #responders = new Map<string, Responder>();
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "fake-driver-"));
  readonly socket = path.join(this.#folder, "cosi.sock");
  readonly endpoint = `unix://${this.socket}`;
  #server = new grpc.Server();
  #inFlight = 0;

  constructor(private readonly onWire: (path: string) => string = (path) => path) {}

  /** Answers calls of this path so; a path that nobody answers is UNIMPLEMENTED. */
  on(path: string, responder: Responder): this {
    this.#responders.set(path, responder);
    return this;
  }

  /** Paths of all calls in the order in which they came. */
  paths(): string[] {
    return this.calls.map((call) => call.path.slice(call.path.lastIndexOf("/") + 1));
  }

  /** Bodies of the calls of one RPC, in hex. */
  bodies(rpc: string): string[] {
    return this.calls
      .filter((call) => call.path.endsWith(`/${rpc}`))
      .map((call) => call.body.toString("hex"));
  }

  async start(): Promise<this> {
    this.#server = new grpc.Server();
    for (const [implementation, definition] of this.#services())
      this.#server.addService(definition, implementation);
    await new Promise<void>((resolve, reject) => {
      this.#server.bindAsync(this.endpoint, grpc.ServerCredentials.createInsecure(), (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
    return this;
  }

  /** Ends the server at once, as a crash would; the socket file goes with it. */
  kill(): void {
    this.#server.forceShutdown();
    fs.rmSync(this.socket, { force: true });
  }

  stop(): void {
    this.kill();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #services(): [grpc.UntypedServiceImplementation, grpc.ServiceDefinition][] {
    const methods = [...this.#responders.keys()];
    return methods.map((method) => {
      const definition: grpc.ServiceDefinition = {
        [method]: {
          path: this.onWire(method),
          requestStream: false,
          responseStream: false,
          requestSerialize: (bytes: Buffer) => bytes,
          requestDeserialize: (bytes: Buffer) => bytes,
          responseSerialize: (bytes: Buffer) => bytes,
          responseDeserialize: (bytes: Buffer) => bytes,
        },
      };
      const handler: grpc.handleUnaryCall<Buffer, Buffer> = (call, callback) => {
        void this.#answer(method, call, callback);
      };
      return [{ [method]: handler }, definition];
    });
  }

  async #answer(
    method: string,
    call: grpc.ServerUnaryCall<Buffer, Buffer>,
    callback: grpc.sendUnaryData<Buffer>,
  ): Promise<void> {
    this.#inFlight += 1;
    const earlier = this.calls.filter((known) => known.path === method).length;
    this.calls.push({
      path: method,
      body: call.request,
      authority: call.getHost(),
      metadata: call.metadata.getMap(),
      at: Date.now(),
      inFlight: this.#inFlight,
      get cancelled() {
        return call.cancelled;
      },
    });
    const responder = this.#responders.get(method);
    try {
      const answer = await (responder?.(call.request, earlier) ?? { code: grpc.status.UNIMPLEMENTED });
      if (answer instanceof Uint8Array) callback(null, Buffer.from(answer));
      else {
        const { code, message = "", metadata = new grpc.Metadata() } = answer;
        callback(Object.assign(new Error(message), { code, details: message, metadata }));
      }
    } finally {
      this.#inFlight -= 1;
    }
  }
}
