import { setMaxListeners } from "node:events";
import { status } from "@grpc/grpc-js";
import {
  AuthenticationType,
  type DriverCreateBucketRequest,
  type DriverCreateBucketResponse,
  type DriverDeleteBucketRequest,
  type DriverGetInfoResponse,
  type DriverGrantBucketAccessRequest,
  type DriverGrantBucketAccessResponse,
  type DriverRevokeBucketAccessRequest,
} from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { DriverGetDeploymentStatusResponse } from "../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { leavesOutcomeUnknown } from "../provider/driver/call/codes";
import { BusyWaits } from "./busy-waits";
import { openingValues, secretValues, unloggableValues } from "./credentials";
import { DriverStartError, type DriverControl } from "./driver-control";
import { exchangeOf, type Exchange } from "./exchange";
import { Ledger, type AccessRequest, type BucketRequest } from "./ledger";
import { Names } from "./names";
import { NotJudgedError } from "./not-judged-error";
import type { ConformanceOptions } from "./options";
import { pause } from "./pause";
import { ReportMask } from "./report-mask";
import type { Rpc } from "./rpc";
import { isWordOf, testedContract, type TestedContract } from "./tested-contract";
import { Wire, type WireReply } from "./wire";

/** How to send one call. */
export interface CallOptions {
  /** Give up after so many milliseconds, on purpose: no answer is then no fault of the driver. */
  readonly giveUpAfter?: number;
  /** The driver is ended during the call, so that no answer is no fault of it. */
  readonly interrupted?: boolean;
  /** Delete a bucket on which the outcome of a grant is unknown: nobody will repeat it. */
  readonly despiteDoubt?: boolean;
}

/** So often in a row may an RPC stay without an answer before the run stops to wait for it. */
const patienceCalls = 3;
/** A shorter part of an id, such as that of a region, may be that of many objects. */
const shortestPart = 8;

/** Calls to a driver under test, what they made, and what all of them have shown. */
export class DriverCalls {
  readonly names: Names;
  readonly ledger = new Ledger();
  readonly mask = new ReportMask();
  /** All calls so far. */
  readonly exchanges: Exchange[] = [];
  /** Replies of all calls so far. */
  readonly replies: {
    readonly infos: DriverGetInfoResponse[];
    readonly buckets: DriverCreateBucketResponse[];
    readonly grants: DriverGrantBucketAccessResponse[];
  } = { infos: [], buckets: [], grants: [] };
  /** Creates and grants that were answered with a message. */
  readonly made: {
    readonly creates: Exchange<DriverCreateBucketResponse>[];
    readonly grants: Exchange<DriverGrantBucketAccessResponse>[];
  } = { creates: [], grants: [] };
  /** Credentials that were issued and must not be in the driver's log. */
  readonly issued = new Set<string>();
  readonly contract: TestedContract;
  /** Why the driver that the run has started could not be started again. */
  startFailure: string | undefined;
  readonly #lostCalls = new Map<string, number>();
  readonly #busyWaits: BusyWaits;
  /** The names that were sent for ids. */
  readonly #sentNames = new Map<string, string>();
  readonly #wire: Wire;
  #interrupt: AbortSignal;

  constructor(
    readonly options: ConformanceOptions,
    socketPath: string,
    /** The driver's process, if the run has started it. */
    readonly control: DriverControl | undefined,
    interrupt: AbortSignal,
  ) {
    this.#interrupt = interrupt;
    // Each call under way listens, and some checks send many at once.
    setMaxListeners(0, interrupt);
    this.contract = testedContract(options.contract);
    this.names = new Names(options.prefix);
    this.#wire = new Wire({ path: socketPath });
    this.#busyWaits = new BusyWaits(this.patience, (milliseconds) => this.pause(milliseconds));
    const { parameters, otherParameters, accessParameters, otherAccessParameters } = options;
    for (const map of [parameters, otherParameters, accessParameters, otherAccessParameters]) {
      for (const value of map?.values() ?? []) this.mask.rememberParameter(value);
    }
  }

  /** Given when the user ends the run. */
  get interrupt(): AbortSignal {
    return this.#interrupt;
  }

  get patience(): number {
    return this.options.timeoutSeconds * 1000;
  }

  getInfo(options: CallOptions = {}): Promise<Exchange<DriverGetInfoResponse>> {
    return this.#settled(options, () => this.#getInfo(options));
  }

  async #getInfo(options: CallOptions): Promise<Exchange<DriverGetInfoResponse>> {
    const exchange = await this.#call(this.contract.rpcs.getInfo, {}, [], options);
    if (exchange.reply !== undefined) this.replies.infos.push(exchange.reply);
    return exchange;
  }

  create(
    fields: Partial<DriverCreateBucketRequest>,
    options: CallOptions = {},
  ): Promise<Exchange<DriverCreateBucketResponse>> {
    return this.#settled(options, () => this.#create(fields, options));
  }

  async #create(
    fields: Partial<DriverCreateBucketRequest>,
    options: CallOptions,
  ): Promise<Exchange<DriverCreateBucketResponse>> {
    this.#requireCallable(this.contract.rpcs.create);
    const request: BucketRequest = { name: "", parameters: new Map(), ...fields };
    const inDoubt = this.ledger.doubtfulBuckets.some(({ name }) => name === request.name);
    this.ledger.bucketDoubtful(request);
    const exchange = await this.#call(this.contract.rpcs.create, fields, [request.name], options);
    if (exchange.reply !== undefined) {
      this.replies.buckets.push(exchange.reply);
      this.made.creates.push(exchange);
      this.#sentNames.set(exchange.reply.bucketId, request.name);
      this.ledger.bucketMade(request, exchange.reply.bucketId);
    } else if (existsAlready(exchange) && !this.ledger.buckets.some(({ name }) => name === request.name)) {
      this.ledger.bucketExists(request);
    } else if (refusedForSure(exchange) || (exchange.neverSent && !inDoubt)) {
      this.ledger.bucketRefused(request);
    }
    return exchange;
  }

  /**
   * @throws NotJudgedError while the outcome of a grant on the bucket is unknown: repeated on a bucket that is gone,
   * it would not tell the account that is to be revoked.
   */
  delete(fields: Partial<DriverDeleteBucketRequest>, options: CallOptions = {}): Promise<Exchange> {
    return this.#settled(options, () => this.#delete(fields, options));
  }

  async #delete(fields: Partial<DriverDeleteBucketRequest>, options: CallOptions): Promise<Exchange> {
    const doubtful = this.ledger.doubtfulAccesses.find(({ bucketId }) => bucketId === fields.bucketId);
    if (doubtful !== undefined && options.despiteDoubt !== true) {
      throw new NotJudgedError(
        `the grant of ${doubtful.name} on ${this.contract.object} ${doubtful.bucketId} ended without an answer`,
      );
    }
    const exchange = await this.#call(this.contract.rpcs.delete, fields, [fields.bucketId ?? ""], options);
    if (exchange.code === status.OK) this.ledger.bucketRemoved(fields.bucketId ?? "");
    return exchange;
  }

  grant(
    fields: Partial<DriverGrantBucketAccessRequest>,
    options: CallOptions = {},
  ): Promise<Exchange<DriverGrantBucketAccessResponse>> {
    return this.#settled(options, () => this.#grant(fields, options));
  }

  async #grant(
    fields: Partial<DriverGrantBucketAccessRequest>,
    options: CallOptions,
  ): Promise<Exchange<DriverGrantBucketAccessResponse>> {
    const request: AccessRequest = {
      bucketId: "",
      name: "",
      parameters: new Map(),
      authenticationType: AuthenticationType.UnknownAuthenticationType,
      ...fields,
    };
    this.#requireCallable(this.contract.rpcs.grant);
    const ofSame = ({ bucketId, name }: AccessRequest): boolean =>
      name === request.name && bucketId === request.bucketId;
    const inDoubt = this.ledger.doubtfulAccesses.some(ofSame);
    this.ledger.accessDoubtful(request);
    const objects = [request.bucketId, request.name];
    const exchange = await this.#call(this.contract.rpcs.grant, fields, objects, options);
    if (exchange.reply !== undefined) {
      this.replies.grants.push(exchange.reply);
      this.made.grants.push(exchange);
      this.#sentNames.set(exchange.reply.accountId, request.name);
      this.#remember(exchange.reply, objects);
      this.ledger.accountMade(request, exchange.reply.accountId);
    } else if (existsAlready(exchange) && !this.ledger.accounts.some(({ name }) => name === request.name)) {
      this.ledger.accessExists(request);
    } else if (refusedForSure(exchange) || (exchange.neverSent && !inDoubt)) {
      this.ledger.accessRefused(request);
    }
    return exchange;
  }

  revoke(fields: Partial<DriverRevokeBucketAccessRequest>, options: CallOptions = {}): Promise<Exchange> {
    return this.#settled(options, () => this.#revoke(fields, options));
  }

  async #revoke(fields: Partial<DriverRevokeBucketAccessRequest>, options: CallOptions): Promise<Exchange> {
    const { bucketId = "", accountId = "" } = fields;
    const exchange = await this.#call(this.contract.rpcs.revoke, fields, [bucketId, accountId], options);
    if (exchange.code === status.OK) this.ledger.accountRemoved(bucketId, accountId);
    return exchange;
  }

  /** Asks how far a deployment is. */
  status(deploymentId: string): Promise<Exchange<DriverGetDeploymentStatusResponse>> {
    return this.#settled({}, () =>
      this.#call(this.contract.rpcs.status, { deploymentId }, [deploymentId], {}),
    );
  }

  /**
   * True if the driver answered so because it does not have the RPC at all, as it may (delete, grant and revoke are
   * not REQUIRED): it has not answered OK to it in this run.
   */
  leavesOut({ rpc, code }: Exchange): boolean {
    if (code !== status.UNIMPLEMENTED) return false;
    return !this.exchanges.some((earlier) => earlier.rpc === rpc && earlier.code === status.OK);
  }

  /** True if the driver has the RPC and did not do what it was asked for. */
  failed(exchange: Exchange): boolean {
    return exchange.code !== status.OK && !this.leavesOut(exchange);
  }

  /** Calls a method that the contract may not have. */
  method(path: string): Promise<WireReply> {
    return this.#wire.unary(path, Buffer.alloc(0), this.patience, this.#interrupt);
  }

  /** Repeats a call that the driver cannot do now, unless the caller itself makes an answer impossible. */
  #settled<Reply>(
    { giveUpAfter, interrupted = false }: CallOptions,
    call: () => Promise<Exchange<Reply>>,
  ): Promise<Exchange<Reply>> {
    return giveUpAfter !== undefined || interrupted ? call() : this.#busyWaits.settled(call);
  }

  /** Drops the connection; the next call makes a new one. */
  disconnect(): void {
    this.#wire.close();
  }

  /** Lets calls of RPCs through again that stayed without an answer too often. */
  forgetLostCalls(): void {
    this.#lostCalls.clear();
    this.startFailure = undefined;
  }

  /** From now on calls go through although the run was interrupted: what it made is to be removed. */
  ignoreInterrupt(): void {
    this.#interrupt = new AbortController().signal;
    this.control?.ignoreInterrupt();
  }

  /** Waits so many milliseconds. @throws NotJudgedError as soon as the run is interrupted. */
  pause(milliseconds: number): Promise<void> {
    return pause(milliseconds, this.#interrupt);
  }

  /** @throws NotJudgedError if the run has been interrupted. */
  throwIfInterrupted(): void {
    if (this.#interrupt.aborted) throw new NotJudgedError("the run was interrupted");
  }

  /** Starts a driver again that has died of a call. @throws NotJudgedError if it does not serve. */
  async revive(): Promise<void> {
    if (this.control === undefined) return;
    if (this.startFailure === undefined) {
      try {
        await this.control.revive();
        return;
      } catch (error) {
        if (!(error instanceof DriverStartError)) throw error;
        this.noteStartFailure(error);
      }
    }
    throw new NotJudgedError(`the driver does not start again: ${this.startFailure ?? ""}`);
  }

  /** Notes that the driver does not start again; it is not tried before each further check. */
  noteStartFailure(error: DriverStartError): string {
    this.startFailure = this.mask.applyToDriverText(error.message);
    return this.startFailure;
  }

  /** @returns how often in a row it stayed without an answer. @throws NotJudgedError if the RPC is called no more */
  #requireCallable({ name }: { readonly name: string }): number {
    this.throwIfInterrupted();
    const lost = this.#lostCalls.get(name) ?? 0;
    if (lost < patienceCalls) return lost;
    throw new NotJudgedError(`${name} stayed without an answer ${lost} times in a row`);
  }

  async #call<Request, Reply>(
    rpc: Rpc<Request, Reply>,
    fields: Partial<Request>,
    objects: readonly string[],
    { giveUpAfter, interrupted = false }: CallOptions,
  ): Promise<Exchange<Reply>> {
    const lost = this.#requireCallable(rpc);
    const bytes = rpc.encode(fields);
    const wire = await this.#wire.unary(rpc.path, bytes, giveUpAfter ?? this.patience, this.#interrupt);
    const reply = readable(rpc, wire);
    const deliberate = giveUpAfter !== undefined || interrupted || this.#interrupt.aborted;
    const words = objects.flatMap((object) => this.#wordsFor(object));
    const exchange = exchangeOf(rpc, { bytes, objects: words, deliberate }, wire, reply, this.mask);
    if (exchange.lost === undefined) this.#lostCalls.delete(rpc.name);
    else if (!deliberate) {
      this.#lostCalls.set(rpc.name, lost + 1);
      await this.control?.noticeEnd();
    }
    this.exchanges.push(exchange);
    return exchange;
  }

  /** By what a message may name an object: its name or id, the name that was sent for it, or a long part of its id. */
  #wordsFor(object: string): string[] {
    if (object === "") return [];
    const parts = object.split(/[^A-Za-z0-9.-]+/).filter((part) => part.length >= shortestPart);
    return [object, this.#sentNames.get(object) ?? object, ...parts];
  }

  /**
   * What is an object's name too, or a part of the run's own words, stays readable, or nobody could find what is left. If
   * it opens something, it is masked where the driver says it.
   */
  #remember(granted: DriverGrantBucketAccessResponse, objects: readonly string[]): void {
    const shown = [...objects, granted.accountId];
    const opening = new Set(openingValues(granted));
    for (const secret of secretValues(granted)) {
      if (shown.includes(secret)) continue;
      const isOwn = this.names.holds(secret) || isWordOf(this.contract, secret);
      if (opening.has(secret)) {
        if (isOwn) this.mask.rememberWord(secret);
        else this.mask.remember(secret);
      } else if (!isOwn && !shown.some((text) => text.includes(secret))) this.mask.remember(secret);
    }
    for (const secret of unloggableValues(granted)) this.issued.add(secret);
  }
}

function readable<Request, Reply>(rpc: Rpc<Request, Reply>, { code, body }: WireReply): Reply | undefined {
  if (code !== status.OK || body === undefined) return undefined;
  try {
    return rpc.decode(body);
  } catch {
    return undefined;
  }
}

function refusedForSure({ code }: Exchange): boolean {
  return code !== undefined && code !== status.OK && !leavesOutcomeUnknown(code);
}

/** A call before it has made what exists: one of which nobody knows what became, or that was refused. */
function existsAlready({ code }: Exchange): boolean {
  return code === status.ALREADY_EXISTS;
}
