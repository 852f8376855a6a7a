import type { ContractWords, Verb } from "../../contracts/contract";
import { codeName, recoveryOf } from "./codes";
import { nextStep } from "./next-step";

/** What is known of a failed call. */
export interface DriverErrorDetails {
  /** Name of the RPC, `DriverCreateBucket`. */
  readonly rpc: string;
  /**
   * What the RPC is for. Absent if the call was not sent, as the driver could not be reached or did not say who it is:
   * the code is then not an answer to the call.
   */
  readonly verb?: Verb;
  /** gRPC status code, also one that gRPC does not name. */
  readonly code: number;
  /** The contract's name for the error, where it has one. */
  readonly errorName?: string | undefined;
  /** What the contract calls things. */
  readonly words: ContractWords;
  /** The driver's own words, secrets masked. */
  readonly reason: string;
  /** Bucket or account, as the user knows it. */
  readonly subject: string;
  /** Driver name and endpoint. */
  readonly driver: string;
  /** What the user does about it, where that is known better than by the code. */
  readonly next?: string | undefined;
  readonly attempts: number;
  readonly seconds: number;
  /** True if at least one attempt may have had its effect. */
  readonly outcomeUnknown: boolean;
}

/** A call to a driver that failed for good, with what the user needs to go on. */
export class DriverError extends Error {
  override readonly name = "DriverError";
  readonly code: number;
  readonly outcomeUnknown: boolean;

  constructor(readonly details: DriverErrorDetails) {
    const { rpc, verb, code, errorName, reason, subject, driver, next, words } = details;
    const said = reason === "" ? "the driver gave no reason" : reason;
    const named = errorName === undefined || reason.includes(errorName) ? "" : ` (${errorName})`;
    super(
      `${rpc}: ${codeName(code)}${named}: ${said}${tries(details)} [${subject}, ${driver}]. Next: ${next ?? nextStep(code, words, verb)}.`,
    );
    this.code = code;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}

/** How often, and for how long; nothing of a call that one attempt decided, or that was never sent. */
function tries({ verb, code, attempts, seconds }: DriverErrorDetails): string {
  if (attempts <= 1 && (verb === undefined || recoveryOf(code) === "final")) return "";
  return ` (${attempts} ${attempts === 1 ? "attempt" : "attempts"} in ${seconds.toFixed(1)} s)`;
}
