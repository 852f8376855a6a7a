import * as grpc from "@grpc/grpc-js";
import { ownerMetadata, requestMetadata } from "../../../provider/driver/call/owner";
import { paths } from "../cosi-v1alpha1";
import { FakeDriver, type Answer } from "../fake-driver";

/** An RPC of the contract, by its short name. */
export type RpcName = keyof typeof paths;

/** Where a contract has its RPCs; one without an identity call has fewer. */
export type RpcPaths = Readonly<Partial<Record<RpcName, string>>>;

/** When something may befall a call: it has not reached the driver yet, or it has had its effect. */
export type RpcStage = "before" | "after";

/** A point of a call. */
export interface RpcPoint {
  readonly rpc: RpcName;
  readonly stage: RpcStage;
  /** Calls of this RPC that came before, in the life of the proxy. */
  readonly earlier: number;
  /** What the driver has replied, as bytes, unless it was an error. */
  readonly reply?: Uint8Array;
}

/** What happens at a point; an answer takes the place of the driver's. A promise delays the call. */
export type AtRpcPoint = (point: RpcPoint) => Answer | undefined | Promise<Answer | undefined>;

/** A network between a caller and a real driver, in which a test acts at every point of every call. */
export class RpcProxy {
  /** What the caller is told to connect to; it records all calls. */
  readonly front = new FakeDriver();
  at: AtRpcPoint = () => undefined;
  readonly #driver: grpc.Client;

  /**
   * @param driverEndpoint Where the real driver listens.
   * @param rpcPaths The RPCs that pass. @default those of `cosi.v1alpha1`
   */
  constructor(driverEndpoint: string, rpcPaths: RpcPaths = paths) {
    this.#driver = new grpc.Client(driverEndpoint, grpc.credentials.createInsecure(), {
      "grpc.initial_reconnect_backoff_ms": 50,
      "grpc.max_reconnect_backoff_ms": 100,
    });
    for (const [rpc, path] of Object.entries(rpcPaths) as [RpcName, string][]) {
      this.front.on(path, async (body, earlier) => {
        // The last one that came is this one, until something is awaited.
        const beside = ownMetadata(this.front.calls.at(-1)?.metadata ?? {});
        const instead = await this.at({ rpc, stage: "before", earlier });
        if (instead !== undefined) return instead;
        const answer = await this.#forward(path, body, beside);
        const told = answer instanceof Uint8Array ? { reply: answer } : {};
        return (await this.at({ rpc, stage: "after", earlier, ...told })) ?? answer;
      });
    }
  }

  get endpoint(): string {
    return this.front.endpoint;
  }

  async start(): Promise<this> {
    await this.front.start();
    return this;
  }

  stop(): void {
    this.#driver.close();
    this.front.stop();
  }

  #forward(path: string, body: Buffer, beside: grpc.Metadata): Promise<Answer> {
    const same = (bytes: Buffer): Buffer => bytes;
    const deadline = Date.now() + 60_000;
    return new Promise((resolve) => {
      this.#driver.makeUnaryRequest(path, same, same, body, beside, { deadline }, (error, reply) => {
        if (error === null) resolve(reply ?? Buffer.alloc(0));
        else resolve({ code: error.code, message: error.details });
      });
    });
  }
}

/** What the package says beside a message; all else of a call is the connection's own. */
function ownMetadata(metadata: Readonly<Record<string, unknown>>): grpc.Metadata {
  const own = new grpc.Metadata();
  for (const key of [ownerMetadata, requestMetadata]) {
    const value = metadata[key];
    if (typeof value === "string") own.set(key, value);
  }
  return own;
}
