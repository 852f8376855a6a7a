import { status } from "@grpc/grpc-js";

/** What the caller does after a status code. */
export type Recovery = "retry" | "three-attempts" | "final";

/** The name of a gRPC code, or its number where gRPC has none. */
export function codeName(code: number): string {
  return status[code] ?? `code ${code}`;
}

const recoveries = new Map<number, Recovery>([
  [status.CANCELLED, "retry"],
  [status.DEADLINE_EXCEEDED, "retry"],
  [status.RESOURCE_EXHAUSTED, "retry"],
  [status.ABORTED, "retry"],
  [status.UNAVAILABLE, "retry"],
  [status.INVALID_ARGUMENT, "final"],
  [status.NOT_FOUND, "final"],
  [status.ALREADY_EXISTS, "final"],
  [status.PERMISSION_DENIED, "final"],
  [status.FAILED_PRECONDITION, "final"],
  [status.OUT_OF_RANGE, "final"],
  [status.UNIMPLEMENTED, "final"],
  [status.DATA_LOSS, "final"],
  [status.UNAUTHENTICATED, "final"],
]);

/**
 * How to go on after a code, the same on all RPCs but for what the resources read into NOT_FOUND and
 * ALREADY_EXISTS. UNKNOWN, INTERNAL and numbers that gRPC does not name get three attempts.
 * Source: COSI specification, Error Scheme.
 */
export function recoveryOf(code: number): Recovery {
  return recoveries.get(code) ?? "three-attempts";
}

const unknownOutcomes = new Set<number>([
  status.CANCELLED,
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.UNAVAILABLE,
]);

/** True if, after this code, nobody but the driver knows whether the call had its effect. */
export function leavesOutcomeUnknown(code: number): boolean {
  return unknownOutcomes.has(code) || status[code] === undefined;
}
