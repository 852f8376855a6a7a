import { status } from "@grpc/grpc-js";
import { hasCode } from "../driver/call/outcome";
import { errorText } from "../dynamic/error-text";
import { warn } from "./warning";

/** What NOT_FOUND means in answer to a revoke. */
export type RevokeNotFound = "fail" | "ignore";

export const revokeNotFoundMeanings: readonly string[] = ["fail", "ignore"] satisfies RevokeNotFound[];

/** Environment variable that takes NOT_FOUND as a done revoke, for a destroy, which runs no program. */
const revokeNotFoundVariable = "PULUMI_COSI_REVOKE_NOT_FOUND";

/** Whose account it is, for messages. */
export interface RevokedFrom {
  readonly kind: string;
  readonly name: string;
  /** @default "fail" */
  readonly revokeNotFound?: RevokeNotFound | undefined;
}

/**
 * Judges a revoke that was answered with an error (GRPC-075).
 *
 * @param unknown True if an attempt whose answer was lost may have revoked the account.
 * @throws the error, unless it says that the account is gone, by such an attempt or as the user says.
 */
export function requireRevoked(
  { kind, name, revokeNotFound }: RevokedFrom,
  unknown: boolean,
  error: unknown,
): void {
  const gone = hasCode(error, status.NOT_FOUND);
  if (unknown && (gone || hasCode(error, status.ALREADY_EXISTS))) {
    warn(
      kind,
      name,
      "the driver says that the account is gone; an attempt whose answer was lost has revoked it",
    );
    return;
  }
  if (!gone) throw error;
  if (revokeNotFound !== "ignore" && process.env[revokeNotFoundVariable] !== "ignore") {
    throw new Error(
      `${errorText(error)} Some drivers say so of a missing administrator's secret while the key lives on. If the account ` +
        `is gone, set revokeNotFound to "ignore", or ${revokeNotFoundVariable}=ignore for one destroy.`,
      { cause: error },
    );
  }
  warn(kind, name, "the driver says NOT_FOUND to the revoke, which counts as done as you asked");
}
