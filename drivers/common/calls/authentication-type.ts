import { DriverError } from "../driver-error";

/** Numbers of `AuthenticationType`, the same in all contracts that have it. */
const UNKNOWN = 0;
const KEY = 1;
const IAM = 2;

/**
 * Checks how an account is to prove who it is: the drivers of this repository offer keys.
 *
 * @throws DriverError `invalid-argument` for any other way, and where none is given.
 */
export function checkAuthenticationType(type: number): void {
  switch (type) {
    case KEY:
      return;
    case UNKNOWN:
      throw new DriverError("invalid-argument", "authentication_type is required and was not given");
    case IAM:
      throw new DriverError("invalid-argument", "authentication_type IAM is not offered, only Key");
    default:
      throw new DriverError("invalid-argument", `authentication_type ${type} is unknown`);
  }
}
