import type { CallTarget, ContractWords, UnaryMethod } from "../../contracts/contract";
import type { Failure } from "./failure";
import { codeName, leavesOutcomeUnknown } from "./codes";
import { DriverError } from "./driver-error";
import { wholeSeconds } from "../progress";
import { AttemptCodes } from "./retry";
import { rpcName } from "./rpc-name";

/** An attempt that failed. */
export interface Ended {
  readonly failure: Failure;
  /** The driver that it was made at, in words. */
  readonly driver: string;
  /** False if the driver was away, so that nothing left. */
  readonly sent: boolean;
}

type CourseMethod = Pick<UnaryMethod<never, unknown>, "verb" | "path">;

/** How long work that is under way at the driver is waited for, in seconds, unless the target says so. */
const patienceSeconds = 600;

const mendReply =
  "have the driver fixed, or use another release of it, as its reply breaks the contract; then run the command again";

/** What became of one call so far, over all its attempts: whether it goes on, and what its error says if it does not. */
export class Course {
  readonly #method: CourseMethod;
  readonly #target: CallTarget;
  readonly #budgetSeconds: number;
  readonly #words: ContractWords;
  /** When the first attempt was sent, in milliseconds of the epoch. */
  #started: number | undefined;
  /** Attempts that were sent. */
  #attempts = 0;
  readonly #codes = new AttemptCodes();
  /** The code of the last attempt allows another one. */
  #codeAllows = true;
  #last: Ended | undefined;
  #outcomeUnknown = false;
  /** The driver said that it is at work on what was asked for. */
  #underWay = false;

  constructor(method: CourseMethod, target: CallTarget, budgetSeconds: number, words: ContractWords) {
    this.#method = method;
    this.#target = target;
    this.#budgetSeconds = budgetSeconds;
    this.#words = words;
  }

  /** The attempt that failed last. */
  get last(): Ended | undefined {
    return this.#last;
  }

  /** True if an attempt so far may have had its effect. */
  get outcomeUnknown(): boolean {
    return this.#outcomeUnknown;
  }

  /** Milliseconds since the first attempt was sent; 0 before. */
  get elapsed(): number {
    return this.#started === undefined ? 0 : Date.now() - this.#started;
  }

  /** Notes that an attempt is sent now. @returns Its number, from 1. */
  begin(): number {
    this.#started ??= Date.now();
    this.#attempts += 1;
    return this.#attempts;
  }

  /** Notes how an attempt failed. */
  fail(ended: Ended): void {
    const { failure, sent } = ended;
    this.#last = ended;
    this.#codeAllows = this.#codes.allowAfter(failure.code);
    this.#underWay ||= failure.reading?.underWay === true;
    this.#outcomeUnknown ||= sent && (failure.undecodable || leavesOutcomeUnknown(failure.code));
  }

  /** True if the budget is used up in so many milliseconds from now. */
  isSpent(inMilliseconds = 0): boolean {
    return this.elapsed + inMilliseconds > this.#limitSeconds * 1000;
  }

  /** Time for the attempts, in seconds: work under way is no failure, and has a wait of its own. */
  get #limitSeconds(): number {
    return this.#underWay ? (this.#target.patienceSeconds ?? patienceSeconds) : this.#budgetSeconds;
  }

  /** True if the call is tried again after this failure and this pause, in milliseconds. */
  goesOnAfter(failure: Failure, pause: number): boolean {
    if (this.isSpent(pause)) return false;
    // GRPC-079: asking again would make another credential.
    return this.#codeAllows && failure.issued !== true && failure.final !== true;
  }

  /** One line for the user who waits. */
  describe({ code }: Failure): string {
    const time = `${wholeSeconds(this.elapsed)} of ${this.#limitSeconds} s`;
    return `${rpcName(this.#method)} for ${this.#target.subject}: ${codeName(code)}, attempt ${this.#attempts}, ${time}`;
  }

  /** The error with which the call ends for good. */
  error({ failure, driver }: Ended): DriverError {
    return new DriverError({
      rpc: rpcName(this.#method),
      verb: this.#method.verb,
      code: failure.code,
      errorName: failure.reading?.name,
      reason: failure.reason,
      next: failure.undecodable ? mendReply : (failure.next ?? failure.reading?.next),
      subject: this.#target.subject,
      words: this.#words,
      driver,
      ...this.soFar(),
    });
  }

  /** What an error of this call says of its attempts. */
  soFar(): { attempts: number; seconds: number; outcomeUnknown: boolean } {
    return {
      attempts: this.#attempts,
      seconds: this.elapsed / 1000,
      outcomeUnknown: this.#outcomeUnknown,
    };
  }
}
