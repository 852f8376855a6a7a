/**
 * What went wrong, in words that fit every contract. Each contract turns a kind into its own code.
 *
 * - `invalid-argument`: the caller's text is wrong
 * - `out-of-range`: well-formed, but not to be had at this backend
 * - `not-found`, `already-exists`, `failed-precondition`: the state of the backend forbids it
 * - `permission-denied`: the administrator is known to the backend and may not do it
 * - `unauthenticated`: the administrator's keys are refused
 * - `resource-exhausted`: the backend asks to slow down, or a quota is used up
 * - `aborted`: another operation on the same object is under way
 * - `unavailable`: the backend cannot be reached or has a fault of its own; the same call later may succeed
 * - `internal`: a fault of the driver
 */
export type ErrorKind =
  | "invalid-argument"
  | "out-of-range"
  | "not-found"
  | "already-exists"
  | "failed-precondition"
  | "permission-denied"
  | "unauthenticated"
  | "resource-exhausted"
  | "aborted"
  | "unavailable"
  | "internal";

/**
 * A call that cannot be served. The message is the reason, for people and without a secret; which call and which
 * object it was about is added where the call is answered.
 */
export class DriverError extends Error {
  override readonly name = "DriverError";

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
