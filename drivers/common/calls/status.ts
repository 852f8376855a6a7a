import { status } from "@grpc/grpc-js";
import type { ErrorKind } from "../driver-error";

/** The gRPC code of each kind of error (specification, "Error Scheme"). */
export const STATUS_CODE: Readonly<Record<ErrorKind, status>> = {
  "invalid-argument": status.INVALID_ARGUMENT,
  "out-of-range": status.OUT_OF_RANGE,
  "not-found": status.NOT_FOUND,
  "already-exists": status.ALREADY_EXISTS,
  "failed-precondition": status.FAILED_PRECONDITION,
  "permission-denied": status.PERMISSION_DENIED,
  unauthenticated: status.UNAUTHENTICATED,
  "resource-exhausted": status.RESOURCE_EXHAUSTED,
  aborted: status.ABORTED,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
};
