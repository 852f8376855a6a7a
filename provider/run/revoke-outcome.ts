import { status } from "@grpc/grpc-js";
import { hasCode } from "../driver/call/outcome";
import { errorText } from "../dynamic/error-text";
import { revokeWordsOfRun, type RevokeNotFound } from "./revoke-words";
import { warn } from "./warning";

export type { RevokeNotFound } from "./revoke-words";

export const revokeNotFoundMeanings: readonly string[] = ["fail", "ignore"] satisfies RevokeNotFound[];

/** Environment variable that takes NOT_FOUND as a done revoke, for what no program says anything of any more. */
const revokeNotFoundVariable = "PULUMI_COSI_REVOKE_NOT_FOUND";

/** Whose account it is, for messages. */
export interface RevokedFrom {
  readonly kind: string;
  readonly name: string;
  /** As the state has it; what the program of this run says comes before. @default "fail" */
  readonly revokeNotFound?: RevokeNotFound | undefined;
  /** What the entry is known by among those of which the program says something. */
  readonly entry: string;
}

/**
 * Judges a revoke that was answered with an error (GRPC-075).
 *
 * @param unknown True if an attempt whose answer was lost may have revoked the account.
 * @throws the error, unless it says that the account is gone, by such an attempt or as the user says.
 */
export function requireRevoked(
  { kind, name, revokeNotFound, entry }: RevokedFrom,
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
  const said = revokeWordsOfRun.of(entry) ?? revokeNotFound;
  if (said !== "ignore" && process.env[revokeNotFoundVariable] !== "ignore") {
    const byProgram = revokeWordsOfRun.canBeSaid(entry) ? 'revokeNotFound to "ignore", or ' : "";
    throw new Error(
      `${errorText(error)} Some drivers say this when an administrator's secret is missing, while the key lives on. If the account ` +
        `is gone, set ${byProgram}${revokeNotFoundVariable}=ignore for one command.`,
      { cause: error },
    );
  }
  warn(kind, name, "the driver says NOT_FOUND to the revoke, which counts as done as you asked");
}
