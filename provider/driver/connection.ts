import { status } from "@grpc/grpc-js";
import type { Answer, Caller, CallTarget, DriverClient, UnaryMethod } from "../contracts/contract";
import { contractOf } from "../contracts/registry";
import { errorText } from "../dynamic/error-text";
import { canonical } from "../dynamic/values";
import { StatusError } from "./channel";
import { codeName, leavesOutcomeUnknown, recoveryOf } from "./codes";
import { ConnectFailure } from "./connect-failure";
import { DriverError } from "./driver-error";
import { isDriverName, sameDriverName, WrongDriverError } from "./driver-name";
import type { Endpoint } from "./endpoint";
import { KeyedLock, Semaphore } from "./locks";
import { Progress, wholeSeconds } from "./progress";
import { redact } from "./redaction";
import { attemptsOnUnknownFault, pauseBeforeRetry, sleep } from "./retry";
import { rpcName } from "./rpc-name";
import { secretMask } from "./secret-mask";
import { openSession, type Session } from "./session";
import { describeDriver, type ConnectionSettings } from "./settings";
import { stopSupervisedDrivers } from "./supervised-driver";
import { traceCall } from "./trace";

/** What befell an attempt, in the terms of a status. */
interface Failure {
  readonly code: number;
  readonly reason: string;
  /** The driver answered OK, with something that cannot be read. */
  readonly undecodable: boolean;
}

/** An attempt that failed. */
interface Ended {
  readonly failure: Failure;
  /** The driver that it was made at, in words. */
  readonly driver: string;
  /** False if the driver was away, so that nothing left. */
  readonly sent: boolean;
}

/** What became of a call so far. */
interface Course {
  /** Attempts that were sent. */
  attempts: number;
  /** When the first one was sent, in milliseconds of the epoch. */
  started?: number;
  last?: Ended;
  outcomeUnknown: boolean;
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
    const course: Course = { attempts: 0, outcomeUnknown: false };
    const progress = new Progress();
    for (let round = 1; ; round += 1) {
      const result = await this.#semaphore.run(() => this.#inTurn(method, body, target, course));
      if ("reply" in result) return { reply: result.reply, repeatedAfterUnknown: course.outcomeUnknown };
      const { failure, sent } = result;
      course.last = result;
      course.outcomeUnknown ||= sent && (failure.undecodable || leavesOutcomeUnknown(failure.code));
      const pause = pauseBeforeRetry(round, this.#settings.firstRetryDelayMilliseconds);
      if (!this.#goesOn(method, failure, course.attempts, elapsed(course) + pause)) {
        throw callError(method, target, course, result);
      }
      progress.report(elapsed(course), this.#soFar(method, target, course, failure));
      await sleep(pause);
    }
  }

  /** One attempt. The session is looked up now: a driver that died since the last attempt has another one. */
  async #inTurn<Request, Reply>(
    method: UnaryMethod<Request, Reply>,
    body: Uint8Array,
    target: CallTarget,
    course: Course,
  ): Promise<{ reply: Reply } | Ended> {
    const { last } = course;
    let session: Session;
    try {
      session = await this.#guarded(method, target, course.outcomeUnknown);
    } catch (error) {
      if (last === undefined || !(error instanceof DriverError)) throw error;
      const { code, reason } = error.details;
      // GRPC-078: a driver that was there and went away may come back while the budget lasts.
      const mayComeBack = code === status.UNAVAILABLE && this.#settings.command === undefined;
      if (mayComeBack)
        return { failure: { code, reason, undecodable: false }, driver: last.driver, sent: false };
      throw new DriverError({
        ...error.details,
        attempts: course.attempts,
        seconds: elapsed(course) / 1000,
      });
    }
    // The wait for the turn, or for the driver to come back, may have used up the budget.
    if (last !== undefined && this.#isSpent(elapsed(course))) throw callError(method, target, course, last);
    course.started ??= Date.now();
    course.attempts += 1;
    const result = await this.#attempt(session, method, body, course.attempts);
    if ("reply" in result) return result;
    const driver = `driver ${session.driverName} at ${session.endpoint.address}`;
    return { failure: result, driver, sent: true };
  }

  #soFar(method: { path: string }, { subject }: CallTarget, course: Course, { code }: Failure): string {
    const time = `${wholeSeconds(elapsed(course))} of ${this.#settings.retryBudgetSeconds} s`;
    return `${rpcName(method)} for ${subject}: ${codeName(code)}, attempt ${course.attempts}, ${time}`;
  }

  #isSpent(milliseconds: number): boolean {
    return milliseconds > this.#settings.retryBudgetSeconds * 1000;
  }

  #goesOn(method: { verb: string }, failure: Failure, attempts: number, elapsed: number): boolean {
    if (this.#isSpent(elapsed)) return false;
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
    { channel, endpoint }: Pick<Session, "channel" | "endpoint">,
    method: UnaryMethod<Request, Reply>,
    body: Uint8Array,
    attempt: number,
    timeoutMilliseconds = this.#settings.callTimeoutSeconds * 1000,
  ): Promise<{ reply: Reply } | Failure> {
    const started = Date.now();
    let failure: Failure | undefined;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await channel.unary(method.path, body, timeoutMilliseconds);
      return { reply: this.#read(method, bytes) };
    } catch (error) {
      failure = toFailure(error);
      return failure;
    } finally {
      traceCall({
        contract: this.#settings.contract,
        method,
        endpoint: endpoint.address,
        attempt,
        request: body,
        reply: bytes,
        code: failure?.code ?? status.OK,
        reason: failure?.reason,
        milliseconds: Date.now() - started,
      });
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
        next: error.next,
        subject,
        driver: `driver at ${describeDriver(this.#settings)}`,
        attempts: 1,
        seconds: 0,
        outcomeUnknown,
      });
    });
  }

  async #connect(): Promise<Session> {
    const { identify } = contractOf(this.#settings.contract);
    const body = identify.encode();
    const session = await openSession(this.#settings, (at, attempt, timeoutMilliseconds) =>
      this.#attempt(at, identify, body, attempt, timeoutMilliseconds),
    );
    const standing = this.#session;
    session.channel.onDisconnect(() => {
      // GRPC-010: behind the next connection may be another driver.
      if (this.#session === standing) this.#session = undefined;
      session.channel.close();
    });
    return session;
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
    next: "mend the driver, then run the command again",
    subject: "the driver itself",
    driver: `driver at ${endpoint.address}`,
    attempts: 1,
    seconds: 0,
    outcomeUnknown,
  });
}

/** What grpc-js makes of an OK that did not come with exactly one reply of at most 4 MiB. */
const unreadableReplies = new Map<number, RegExp>([
  [status.RESOURCE_EXHAUSTED, /^Received message larger than max/],
  [status.UNIMPLEMENTED, /^(No message|Too many responses) received$/],
]);

function toFailure(error: unknown): Failure {
  if (error instanceof StatusError) {
    if (unreadableReplies.get(error.code)?.test(error.reason) === true) {
      // The driver did the work: it is not out of capacity, and has the call, whatever the code says.
      const reason = `the driver answered OK, but its reply cannot be read: ${error.reason}`;
      return { code: status.INTERNAL, reason, undecodable: true };
    }
    return { code: error.code, reason: secretMask.apply(error.reason), undecodable: false };
  }
  if (error instanceof UndecodableReply) {
    return { code: status.INTERNAL, reason: error.message, undecodable: true };
  }
  // The channel was closed under the call, since its connection is gone; whether the request left is not known.
  return { code: status.UNAVAILABLE, reason: secretMask.apply(errorText(error)), undecodable: false };
}

function elapsed({ started }: Course): number {
  return started === undefined ? 0 : Date.now() - started;
}

const mendReply =
  "have the driver mended, or use another release of it, as its reply breaks the contract; then run the command again";

function callError(
  method: Pick<UnaryMethod<never, unknown>, "verb" | "path">,
  { subject }: CallTarget,
  course: Course,
  { failure, driver }: Ended,
): DriverError {
  return new DriverError({
    rpc: rpcName(method),
    verb: method.verb,
    code: failure.code,
    reason: failure.reason,
    next: failure.undecodable ? mendReply : undefined,
    subject,
    driver,
    attempts: course.attempts,
    seconds: elapsed(course) / 1000,
    outcomeUnknown: course.outcomeUnknown,
  });
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
