import type {
  Answer,
  Caller,
  CallTarget,
  Contract,
  DriverClient,
  DriverIdentity,
  UnaryMethod,
} from "../contracts/contract";
import { contractOf } from "../contracts/registry";
import { warn } from "../run/warning";
import { attemptCall } from "./call/attempt";
import { recoveryOf } from "./call/codes";
import { ConnectFailure } from "./connect/connect-failure";
import { Course, type Ended } from "./call/course";
import { DriverError } from "./call/driver-error";
import { requireRightDriver } from "./call/guard";
import { Progress } from "./progress";
import { pauseBeforeRetry, sleep } from "./call/retry";
import { rpcName } from "./call/rpc-name";
import { inTurnOfBucket, inTurnOfDriver } from "./call/turns";
import { openSession, type Session } from "./session";
import { describeDriver, identifyMethod, type ConnectionSettings } from "./settings";

/** Least deadline of an attempt whose call has a limit, in milliseconds. */
const shortestAttempt = 100;

/**
 * The connection to one driver: connects when first needed and again after a loss, asks for the driver's name first,
 * and makes calls with deadline, retries and guard.
 */
export class Connection implements Caller {
  readonly client: DriverClient;
  readonly #settings: ConnectionSettings;
  readonly #contract: Contract;
  #session: Promise<Session> | undefined;
  /** What `#session` came to. */
  #standing: Session | undefined;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#contract = contractOf(settings.contract);
    this.client = this.#contract.client(this);
  }

  /**
   * What the driver says of itself; `null` if it cannot be asked.
   *
   * @throws DriverError if it cannot be reached within the connect wait.
   */
  async identity(): Promise<DriverIdentity | null> {
    return (await this.#connected()).identity;
  }

  async call<Request, Reply>(
    method: UnaryMethod<Request, Reply>,
    request: Request,
    target: CallTarget,
  ): Promise<Answer<Reply>> {
    return inTurnOfBucket(this.#settings, target.bucket, () => this.#attempts(method, request, target));
  }

  /** Closes the channel; the next call connects again. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    if (session !== undefined) this.#leave(session);
  }

  async #attempts<Request, Reply>(
    method: UnaryMethod<Request, Reply>,
    request: Request,
    target: CallTarget,
  ): Promise<Answer<Reply>> {
    const body = method.encode(request);
    const { retryBudgetSeconds } = this.#settings;
    const { limitSeconds = Infinity } = target;
    const course = new Course(
      method,
      target,
      Math.min(retryBudgetSeconds, limitSeconds),
      this.#contract.words,
    );
    const progress = new Progress();
    for (let round = 1; ; round += 1) {
      const result = await inTurnOfDriver(this.#settings, () => this.#inTurn(method, body, target, course));
      if ("reply" in result) return { reply: result.reply, repeatedAfterUnknown: course.outcomeUnknown };
      course.fail(result);
      const done = result.failure.reading?.done;
      if (done !== undefined) return doneBefore(method, target, course, `${done} [${result.driver}]`);
      const pause = pauseBeforeRetry(round, this.#settings.firstRetryDelayMilliseconds);
      if (!course.goesOnAfter(result.failure, pause)) throw course.error(result);
      const what = course.describe(result.failure);
      progress.report(course.elapsed, what);
      target.retrying?.(what);
      await sleep(pause);
    }
  }

  /** Milliseconds for the next attempt. */
  #deadlineOf({ limitSeconds = Infinity }: CallTarget, course: Course): number {
    const left = Math.max(limitSeconds * 1000 - course.elapsed, shortestAttempt);
    return Math.min(this.#settings.callTimeoutSeconds * 1000, left);
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
      session = await this.#connected(method, target.subject, course.outcomeUnknown);
      requireRightDriver(session, method, target, course.outcomeUnknown, this.#contract);
    } catch (error) {
      if (last === undefined || !(error instanceof DriverError)) throw error;
      const { code, reason } = error.details;
      // GRPC-078: a driver that was there and went away may come back while the budget lasts.
      const mayComeBack = recoveryOf(code) === "retry" && this.#settings.command === undefined;
      if (mayComeBack) {
        return { failure: { code, reason, undecodable: false }, driver: last.driver, sent: false };
      }
      throw new DriverError({ ...error.details, ...course.soFar() });
    }
    // The wait for the turn, or for the driver to come back, may have used up the budget.
    if (last !== undefined && course.isSpent()) throw course.error(last);
    const result = await attemptCall(
      {
        ...session,
        driverName: target.driverName,
        contract: this.#settings.contract,
        attempt: course.begin(),
        owner: target.owner,
        request: target.request,
        timeoutMilliseconds: this.#deadlineOf(target, course),
      },
      method,
      body,
    );
    if ("reply" in result) return result;
    // GRPC-078: on a connection that died without an end, each retry would wait for its deadline too.
    if (result.unanswered === true) this.#leave(session);
    const driver = `driver ${session.identity?.name ?? target.driverName} at ${session.endpoint.address}`;
    return { failure: result, driver, sent: true };
  }

  #connected(
    method: { path: string } = identifyMethod(this.#settings) ?? { path: "connecting" },
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
        words: this.#contract.words,
        driver: `driver at ${describeDriver(this.#settings)}`,
        attempts: 1,
        seconds: 0,
        outcomeUnknown,
      });
    });
  }

  async #connect(): Promise<Session> {
    const session = await openSession(this.#settings);
    this.#standing = session;
    session.channel.onDisconnect(() => {
      this.#leave(session);
    });
    return session;
  }

  /**
   * Makes no further call on a connection; calls under way on it may still end. The driver behind the next one may be
   * another, and is asked for its name (GRPC-010).
   */
  #leave(session: Session): void {
    if (this.#standing === session) {
      this.#standing = undefined;
      this.#session = undefined;
    }
    session.channel.close();
  }
}

/** The answer to a call that has nothing left to do, with a warning that says why. */
function doneBefore<Request, Reply>(
  method: UnaryMethod<Request, Reply>,
  { subject }: CallTarget,
  { outcomeUnknown }: Course,
  text: string,
): Answer<Reply> {
  const [, kind = "driver", name = subject] = /^(\S+) (.+)$/s.exec(subject) ?? [];
  warn(kind, name, text);
  return { reply: method.decode(new Uint8Array()), repeatedAfterUnknown: outcomeUnknown };
}
