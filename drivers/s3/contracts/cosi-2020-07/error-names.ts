import { DriverError, type ErrorKind } from "../../../common/driver-error";
import { ForeignAccountError } from "../../core/accounts";

/** The RPCs, as the proposal's names for errors begin. */
export type Call = "CREATE" | "DELETE" | "GRANT" | "REVOKE";

const everywhere: Partial<Record<ErrorKind, string>> = {
  "invalid-argument": "INVALID_ARGUMENT",
  "out-of-range": "INVALID_ARGUMENT",
  "permission-denied": "INVALID_CREDENTIALS",
  unauthenticated: "INVALID_CREDENTIALS",
  internal: "INTERNAL_ERROR",
};

/**
 * The proposal's names by kind. A kind without one, such as a store that cannot be reached, is told by its gRPC code
 * alone: the nearest name would have callers give up.
 * Source: COSI proposal of 2020-07-08, gRPC Definitions.
 */
const suffixes: Readonly<Record<Call, Partial<Record<ErrorKind, string>>>> = {
  CREATE: { ...everywhere, "already-exists": "ALREADY_EXISTS" },
  DELETE: { ...everywhere, aborted: "DELETE_INPROGRESS" },
  GRANT: { ...everywhere, "not-found": "BUCKET_DOESNOT_EXIST" },
  REVOKE: everywhere,
};

/** A fault for which the proposal has a name of its own that its kind does not tell. */
export class NamedError extends DriverError {
  constructor(
    readonly errorName: string,
    message: string,
  ) {
    super("invalid-argument", message);
  }
}

/** The proposal's name for an error, if it has one. */
export function errorNamesOf(call: Call): (error: unknown, kind: ErrorKind) => string | undefined {
  return (error, kind) => {
    if (error instanceof NamedError) return error.errorName;
    if (error instanceof ForeignAccountError) return `${call}_INVALID_PRINCIPAL`;
    const suffix = suffixes[call][kind];
    return suffix === undefined ? undefined : `${call}_${suffix}`;
  };
}
