import { status } from "@grpc/grpc-js";
import type { IssuedCredentials } from "./issued-credentials";
import type { IssuedCredential } from "../contracts/contract";
import { hasCode } from "../driver/call/outcome";
import { errorText } from "../dynamic/error-text";

/** Where it is noted which credentials of an account are revoked: Pulumi changes no state when a delete fails. */
export interface RevokeNotes {
  /** Positions of the credentials that are revoked by now. */
  revokedCredentials(): Promise<readonly number[]>;
  /** Notes all of them, after each revoke. */
  noteRevoked(positions: readonly number[]): Promise<void>;
}

/** Revokes one credential, the only one of the account where it is `undefined`. */
export type RevokeOne = (credential: IssuedCredential | undefined, which: string) => Promise<void>;

/** Some credentials of an account are revoked, and not all. The cause is the error that ended it. */
export class HalfRevokedError extends Error {
  override readonly name = "HalfRevokedError";

  /** @param revoked Positions of the credentials that are revoked. */
  constructor(
    cause: unknown,
    readonly revoked: readonly number[],
    count: number,
  ) {
    super(`${errorText(cause)} Of the ${count} credentials of the account, ${revoked.length} are revoked.`, {
      cause,
    });
  }
}

/**
 * Revokes an account by one call for each credential, in the order in which they were issued, and without those that
 * were revoked before; by one call without a credential if none was issued. NOT_FOUND for one may mean that an earlier
 * run has revoked it, so the others are revoked before it becomes the error.
 *
 * @param notes What outlives a run that fails. @default none: what the state says is all that is known
 * @throws HalfRevokedError if some are revoked; any other error means that none is.
 */
export async function revokeInTurn(
  { revoked = [], ...account }: IssuedCredentials,
  revokeOne: RevokeOne,
  notes?: RevokeNotes,
): Promise<void> {
  const issued = account.issued ?? [];
  if (issued.length === 0) return revokeOne(undefined, "");
  const done = new Set([...revoked, ...((await notes?.revokedCredentials()) ?? [])]);
  const missing: unknown[] = [];
  try {
    for (const [position, credential] of issued.entries()) {
      if (done.has(position)) continue;
      const which = issued.length === 1 ? "" : `, credential ${position + 1} of ${issued.length}`;
      try {
        await revokeOne(credential, which);
      } catch (error) {
        if (!saysNotFound(error)) throw error;
        missing.push(error);
        continue;
      }
      done.add(position);
      if (issued.length > 1) await notes?.noteRevoked([...done]);
    }
    if (missing.length > 0) throw missing[0];
  } catch (error) {
    throw done.size === 0 ? error : new HalfRevokedError(error, [...done], issued.length);
  }
}

/** The error itself says so, or one that explains it. */
function saysNotFound(error: unknown): boolean {
  return (
    hasCode(error, status.NOT_FOUND) || (error instanceof Error && hasCode(error.cause, status.NOT_FOUND))
  );
}

/** What the state has to say of an account whose revoke failed. */
export function revokedBy(error: unknown): Pick<IssuedCredentials, "revoked"> {
  return error instanceof HalfRevokedError ? { revoked: error.revoked } : {};
}
