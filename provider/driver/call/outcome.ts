import { status } from "@grpc/grpc-js";
import type { ContractName } from "../../contracts/contract";
import { contractOf } from "../../contracts/registry";
import { recoveryOf } from "./codes";
import { DriverError } from "./driver-error";
import { WrongDriverError } from "./wrong-driver-error";

/** True if a call ended so that nobody but the driver knows whether it had its effect. */
export function outcomeIsUnknown(error: unknown): boolean {
  return (error instanceof DriverError || error instanceof WrongDriverError) && error.outcomeUnknown;
}

/**
 * True if the driver ended the call with this code. A code that came before the call was sent, from DriverGetInfo, says
 * nothing of a bucket or an account.
 */
export function hasCode(error: unknown, ...codes: readonly number[]): error is DriverError {
  return error instanceof DriverError && error.details.verb !== undefined && codes.includes(error.code);
}

/** True for the answer that the name is taken, or an error that explains it. */
export function saysAlreadyExists(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((one) => hasCode(one, status.ALREADY_EXISTS));
}

/** Codes after which a create or grant has made nothing, whatever happened to its earlier attempts. */
const nothingMade = [status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.UNIMPLEMENTED] as const;

/**
 * True if the error proves that nothing was made: the object's own driver refuses an equal call as such (GRPC-054).
 *
 * UNIMPLEMENTED may be another's word. A proxy that speaks gRPC answers so, without a message, what it has no route for, and
 * any driver what is not of its contract: one that has no call for its name may be another contract's.
 *
 * @param driver What is asked.
 */
export function provesNothingMade(error: unknown, driver: { readonly contract: ContractName }): boolean {
  if (!hasCode(error, ...nothingMade)) return false;
  if (error.code !== status.UNIMPLEMENTED) return true;
  const saidItsName = contractOf(driver.contract).identify !== null;
  return saidItsName && error.details.reason !== "";
}

/**
 * True if a delete or revoke had its effect in an earlier attempt, whose answer was lost: the object is gone, or the
 * driver speaks of an earlier call. Source: COSI specification, Concurrency.
 */
export function isEarlySuccess(error: unknown): boolean {
  return hasCode(error, status.NOT_FOUND, status.ALREADY_EXISTS) && error.outcomeUnknown;
}

/** True for a failure that an equal call would end in too: by its code, or by an answer that cannot be used. */
export function isFinalFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DriverError) {
      return cause.details.verb !== undefined && recoveryOf(cause.code) === "final";
    }
  }
  return true;
}
