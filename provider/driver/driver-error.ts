import { codeName, nextStep } from "./codes";

/** What is known of a failed call. */
export interface DriverErrorDetails {
  /** Name of the RPC, `DriverCreateBucket`. */
  readonly rpc: string;
  /** gRPC status code, also one that gRPC does not name. */
  readonly code: number;
  /** The driver's own words, secrets masked. */
  readonly reason: string;
  /** Bucket or account, as the user knows it. */
  readonly subject: string;
  /** Driver name and endpoint. */
  readonly driver: string;
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
    const { rpc, code, reason, subject, driver, attempts, seconds } = details;
    const said = reason === "" ? "the driver gave no reason" : reason;
    const tries = attempts > 1 ? ` (${attempts} attempts in ${seconds.toFixed(1)} s)` : "";
    super(`${rpc}: ${codeName(code)}: ${said}${tries} [${subject}, ${driver}]. Next: ${nextStep(code)}.`);
    this.code = code;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}
