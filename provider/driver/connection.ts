import { status } from "@grpc/grpc-js";
import type { Answer, Caller, CallTarget, DriverClient, UnaryMethod } from "../contracts/contract";
import { contractOf } from "../contracts/registry";
import { errorText } from "../dynamic/error-text";
import { canonical } from "../dynamic/values";
import { Channel, StatusError } from "./channel";
import { leavesOutcomeUnknown, recoveryOf } from "./codes";
import { DriverError } from "./driver-error";
import { isDriverName, sameDriverName, WrongDriverError } from "./driver-name";
import type { Endpoint } from "./endpoint";
import { ConnectFailure, endOf, locateDriver, untilReady, waitForSocket, type Located } from "./locate";
import { KeyedLock, Semaphore } from "./locks";
import { redact } from "./redaction";
import { pauseBeforeRetry, sleep } from "./retry";
import { secretMask } from "./secret-mask";
import { describeDriver, type ConnectionSettings } from "./settings";
import { stopSupervisedDrivers } from "./supervised-driver";
import { traceCall } from "./trace";

const attemptsOnUnknownFault = 3;

/** A connection that stands, to a driver that said who it is. */
interface Session {
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  readonly driverName: string;
}

/** What befell an attempt, in the terms of a status. */
interface Failure {
  readonly code: number;
  readonly reason: string;
  /** The driver answered OK, with something that cannot be read. */
  readonly undecodable: boolean;
}

/** One call in flight per bucket, whatever connection it goes through. */
const bucketLock = new KeyedLock();

/**
 * The connection to one driver: connects when first needed and again after a loss, asks for the driver's name first,
 * and makes calls with deadline, retries and guard.
 */
export class Connection implements Caller {
  readonly client: DriverClient;
  readonly #settings: ConnectionSettings;
  readonly #semaphore: Semaphore;
  #session: Promise<Session> | undefined;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#semaphore = new Semaphore(settings.maxConcurrentCalls);
    this.client = contractOf(settings.contract).client(this);
  }

  /** The name that the driver gives itself. @throws DriverError if it cannot be reached within the connect wait. */
  async driverName(): Promise<string> {
    return (await this.#connected()).driverName;
  }

  async call<Request, Reply>(
    method: UnaryMethod<Request, Reply>,
    request: Request,
    target: CallTarget,
  ): Promise<Answer<Reply>> {
    const key = canonical([describeDriver(this.#settings), target.bucket]);
    return bucketLock.run(key, () => this.#attempts(method, request, target));
  }

  /** Closes the channel; the next call connects again. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    session?.channel.close();
  }

  async #attempts<Request, Reply>(
    method: UnaryMethod<Request, Reply>,
    request: Request,
    target: CallTarget,
  ): Promise<Answer<Reply>> {
    const body = method.encode(request);
    let started: number | undefined;
    let outcomeUnknown = false;
    for (let attempt = 1; ; attempt += 1) {
      // The session is looked up when the turn has come: a driver that died meanwhile has another one.
      const { session, result } = await this.#semaphore.run(async () => {
        const current = await this.#guarded(method, target, outcomeUnknown);
        started ??= Date.now();
        return { session: current, result: await this.#attempt(current, method, body) };
      });
      if ("reply" in result) return { reply: result.reply, repeatedAfterUnknown: outcomeUnknown };
      outcomeUnknown ||= result.undecodable || leavesOutcomeUnknown(result.code);
      const pause = pauseBeforeRetry(attempt, this.#settings.firstRetryDelayMilliseconds);
      const elapsed = Date.now() - (started ?? Date.now());
      if (!this.#goesOn(method, result, attempt, elapsed + pause)) {
        throw new DriverError({
          rpc: rpcName(method),
          code: result.code,
          reason: result.reason,
          subject: target.subject,
          driver: `driver ${session.driverName} at ${session.endpoint.address}`,
          attempts: attempt,
          seconds: elapsed / 1000,
          outcomeUnknown,
        });
      }
      await sleep(pause);
    }
  }

  #goesOn(method: { verb: string }, failure: Failure, attempts: number, elapsed: number): boolean {
    if (elapsed > this.#settings.retryBudgetSeconds * 1000) return false;
    // GRPC-079: a grant that answered OK made a credential; asking again would make another.
    if (failure.undecodable && method.verb === "grant") return false;
    switch (recoveryOf(failure.code)) {
      case "retry":
        return true;
      case "three-attempts":
        return attempts < attemptsOnUnknownFault;
      case "final":
        return false;
    }
  }

  /** The session, if the driver behind it is the one that the object belongs to. */
  async #guarded(
    method: { verb: string; path: string },
    target: CallTarget,
    outcomeUnknown: boolean,
  ): Promise<Session> {
    const session = await this.#connected(method, target.subject, outcomeUnknown);
    const { driverName, endpoint } = session;
    const makes = method.verb === "create" || method.verb === "grant";
    if (makes && !isDriverName(driverName)) throw illFormedName(driverName, endpoint, outcomeUnknown);
    if (!sameDriverName(driverName, target.driverName)) {
      throw new WrongDriverError(
        rpcName(method),
        target.subject,
        target.driverName,
        driverName,
        endpoint.address,
        outcomeUnknown,
      );
    }
    return session;
  }

  async #attempt<Request, Reply>(
    session: Pick<Session, "channel">,
    method: UnaryMethod<Request, Reply>,
    body: Uint8Array,
  ): Promise<{ reply: Reply } | Failure> {
    const started = Date.now();
    let code: number = status.OK;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await session.channel.unary(method.path, body, this.#settings.callTimeoutSeconds * 1000);
      return { reply: this.#read(method, bytes) };
    } catch (error) {
      const failure = toFailure(error);
      code = failure.code;
      return failure;
    } finally {
      traceCall(this.#settings.contract, method, body, bytes, code, Date.now() - started);
    }
  }

  #read<Request, Reply>(method: UnaryMethod<Request, Reply>, bytes: Uint8Array): Reply {
    try {
      const reply = method.decode(bytes);
      for (const secret of redact(this.#settings.contract, method.replyType, bytes).secrets) {
        secretMask.remember(secret);
      }
      return reply;
    } catch {
      // The parser's own text may quote what it could not read.
      throw new UndecodableReply(bytes.length);
    }
  }

  #connected(
    method: { path: string } = contractOf(this.#settings.contract).identify,
    subject = "the driver itself",
    outcomeUnknown = false,
  ): Promise<Session> {
    this.#session ??= this.#connect();
    return this.#session.catch((error: unknown) => {
      this.#session = undefined;
      if (!(error instanceof ConnectFailure)) throw error;
      throw new DriverError({
        rpc: rpcName(method),
        code: error.code,
        reason: error.message,
        subject,
        driver: `driver at ${describeDriver(this.#settings)}`,
        attempts: 1,
        seconds: 0,
        outcomeUnknown,
      });
    });
  }

  async #connect(): Promise<Session> {
    const wait = this.#settings.connectTimeoutSeconds;
    const deadline = Date.now() + wait * 1000;
    const driver = await locateDriver(this.#settings);
    await waitForSocket(driver, wait, deadline);
    const channel = new Channel(driver.endpoint);
    try {
      await untilReady(channel, driver, wait, deadline);
      const driverName = await this.#identify(channel, driver, deadline);
      const session: Session = { channel, endpoint: driver.endpoint, driverName };
      const standing = this.#session;
      channel.onDisconnect(() => {
        // GRPC-010: behind the next connection may be another driver.
        if (this.#session === standing) this.#session = undefined;
        channel.close();
      });
      return session;
    } catch (error) {
      channel.close();
      throw error;
    }
  }

  /** The driver's name, asked for until the connect wait ends. */
  async #identify(channel: Channel, driver: Located, deadline: number): Promise<string> {
    const { identify } = contractOf(this.#settings.contract);
    const body = identify.encode();
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#attempt({ channel }, identify, body);
      if ("reply" in result) return result.reply.name;
      const { code, reason } = result;
      if (code === status.UNIMPLEMENTED) {
        throw new ConnectFailure(
          `the process at ${driver.endpoint.address} does not serve ${this.#settings.contract}: it has no ` +
            `${rpcName(identify)}, so it is no COSI driver, or one of another release of the contract`,
          code,
        );
      }
      const recovery = recoveryOf(code);
      const pause = pauseBeforeRetry(attempt, this.#settings.firstRetryDelayMilliseconds);
      const spent = recovery === "three-attempts" && attempt >= attemptsOnUnknownFault;
      if (recovery === "final" || spent || Date.now() + pause > deadline || endOf(driver) !== undefined) {
        throw new ConnectFailure(`${rpcName(identify)} failed: ${endOf(driver) ?? reason}`, code);
      }
      await sleep(pause);
    }
  }
}

class UndecodableReply extends Error {
  constructor(bytes: number) {
    super(`the driver answered OK, but its reply of ${bytes} bytes cannot be decoded`);
  }
}

function illFormedName(driverName: string, endpoint: Endpoint, outcomeUnknown: boolean): DriverError {
  return new DriverError({
    rpc: "DriverGetInfo",
    code: status.INVALID_ARGUMENT,
    reason: `the driver calls itself ${JSON.stringify(driverName)}, which is no driver name (1 to 63 letters, digits, dashes and dots, letters or digits at the ends)`,
    subject: "the driver itself",
    driver: `driver at ${endpoint.address}`,
    attempts: 1,
    seconds: 0,
    outcomeUnknown,
  });
}

function toFailure(error: unknown): Failure {
  if (error instanceof StatusError) {
    // A reply above the limit came with OK, so the driver did the work.
    const tooLarge = error.code === status.RESOURCE_EXHAUSTED && /larger than max/i.test(error.reason);
    return { code: error.code, reason: secretMask.apply(error.reason), undecodable: tooLarge };
  }
  if (error instanceof UndecodableReply) {
    return { code: status.INTERNAL, reason: error.message, undecodable: true };
  }
  // The channel was closed under the call, since its connection is gone; whether the request left is not known.
  return { code: status.UNAVAILABLE, reason: secretMask.apply(errorText(error)), undecodable: false };
}

function rpcName(method: { readonly path: string }): string {
  return method.path.slice(method.path.lastIndexOf("/") + 1);
}

const connections = new Map<string, Connection>();

/** The connection for these settings; one per process, however many resources use it. */
export function connectionTo(settings: ConnectionSettings): Connection {
  const key = canonical(settings);
  let connection = connections.get(key);
  if (connection === undefined) {
    connection = new Connection(settings);
    connections.set(key, connection);
  }
  return connection;
}

/** Closes all connections and ends the drivers that were started for them. */
export async function closeConnections(): Promise<void> {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  connections.clear();
  await stopSupervisedDrivers();
}
