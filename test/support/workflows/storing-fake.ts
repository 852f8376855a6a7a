import { CallScript, type Moment, type When } from "../call-script";
import { FakeDriver, type Answer, type RecordedCall } from "../fake-driver";

/** The RPCs of every contract, whatever they are called there. */
export type Rpc = "create" | "delete" | "grant" | "revoke";

const rpcs: readonly Rpc[] = ["create", "delete", "grant", "revoke"];

/** A contract's request of each RPC. */
export type RequestsByRpc = Readonly<Record<Rpc, unknown>>;

/** A call, decoded. */
export type CallOf<Requests extends RequestsByRpc> = {
  [Name in Rpc]: { readonly rpc: Name; readonly request: Requests[Name] };
}[Rpc];

/** Where a contract's calls go, and how they are read. */
export type Codecs<Requests extends RequestsByRpc> = {
  readonly [Name in Rpc]: { readonly path: string; readonly decode: (body: Buffer) => Requests[Name] };
};

/**
 * A driver over real gRPC that keeps what it makes in memory. It records what it is sent, answers as it is told, and lets a
 * test act while a call is under way.
 */
export abstract class StoringFake<Requests extends RequestsByRpc> {
  readonly fake: FakeDriver;
  readonly #codecs: Codecs<Requests>;
  readonly #script = new CallScript<CallOf<Requests>>();

  /** @param fake What it answers through. @default under the names of its contract's own package */
  constructor(codecs: Codecs<Requests>, fake = new FakeDriver()) {
    this.fake = fake;
    this.#codecs = codecs;
    for (const rpc of rpcs) this.fake.on(codecs[rpc].path, (body) => this.#handle(rpc, body));
  }

  /** What the driver does with a call, and its answer. */
  protected abstract work(call: CallOf<Requests>, recorded: RecordedCall | undefined): Answer;

  async start(): Promise<this> {
    await this.fake.start();
    return this;
  }

  /** Has something done in every call. @returns what takes it back. */
  on(when: When, moment: Moment<CallOf<Requests>>): () => void {
    return this.#script.on(when, moment);
  }

  /** Answers the next calls of an RPC so, one each, and does nothing for them. */
  refuse(rpc: Rpc, ...given: readonly Answer[]): void {
    this.#script.refuse(rpc, ...given);
  }

  /** Calls of these RPCs so far, in their order. */
  calls(): CallOf<Requests>[] {
    return this.fake.calls.flatMap(({ path, body }) => {
      const rpc = rpcs.find((name) => this.#codecs[name].path === path);
      return rpc === undefined ? [] : [this.#decoded(rpc, body)];
    });
  }

  /** Names of the RPCs so far, in their order. */
  rpcs(): Rpc[] {
    return this.calls().map(({ rpc }) => rpc);
  }

  /** Requests of each RPC so far, in their order. */
  requests(): { readonly [Name in Rpc]: readonly Requests[Name][] } {
    const all = <Name extends Rpc>(rpc: Name): Requests[Name][] => {
      const { path, decode } = this.#codecs[rpc];
      return this.fake.calls.filter((call) => call.path === path).map(({ body }) => decode(body));
    };
    return { create: all("create"), delete: all("delete"), grant: all("grant"), revoke: all("revoke") };
  }

  /** Forgets what was called so far, not what it stores. */
  forget(): void {
    this.fake.calls.length = 0;
  }

  #handle(rpc: Rpc, body: Buffer): Promise<Answer> {
    const recorded = this.fake.calls.at(-1);
    const call = this.#decoded(rpc, body);
    return this.#script.answer(call, () => this.work(call, recorded));
  }

  #decoded(rpc: Rpc, body: Buffer): CallOf<Requests> {
    // The compiler does not see that name and request are of the same RPC.
    return { rpc, request: this.#codecs[rpc].decode(body) };
  }
}
