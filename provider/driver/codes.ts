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

const again = "then run the command again";
const nextSteps = new Map<number, string>([
  [
    status.INVALID_ARGUMENT,
    `correct the argument that the driver names, ${again} (some drivers answer so to a passing fault: then just run it again)`,
  ],
  [status.NOT_FOUND, "check that the bucket exists under this id"],
  [
    status.ALREADY_EXISTS,
    "the name is taken with other attributes: change the arguments back, choose another name, or take the bucket over by its id (existingBucketId)",
  ],
  [
    status.PERMISSION_DENIED,
    `ask the store's administrator to permit this to the driver's identity, ${again}`,
  ],
  [status.UNAUTHENTICATED, `correct or renew the driver's credentials, ${again}`],
  [status.FAILED_PRECONDITION, `bring the bucket into the state that the driver asks for, ${again}`],
  [status.OUT_OF_RANGE, `choose another value, ${again}`],
  [status.UNIMPLEMENTED, "this driver does not offer the call: check which contract it serves"],
  [status.DATA_LOSS, "look at the store before anything else: the driver reports lost data"],
  [status.ABORTED, "another call for this bucket is pending: run the command again later"],
  [status.RESOURCE_EXHAUSTED, `wait for capacity or raise the quota, ${again}`],
  [status.UNAVAILABLE, `check that the driver runs and reaches its store, ${again}`],
  [status.DEADLINE_EXCEEDED, `check that the driver runs and reaches its store, ${again}`],
  [status.CANCELLED, `check that the driver runs and reaches its store, ${again}`],
]);

/** What the user does about a code with which a call failed for good. */
export function nextStep(code: number): string {
  return nextSteps.get(code) ?? `look at the driver's log, ${again}`;
}
