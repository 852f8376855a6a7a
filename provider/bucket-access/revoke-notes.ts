import type { RevokeNotes } from "./revoke-in-turn";
import type { AccessObserver } from "../models/model";

/**
 * The observer of a model whose objects can bear the notes of {@link RevokeNotes}. `granted` and `revoked` take them off,
 * since positions are those of one grant.
 */
export interface NotingObserver extends AccessObserver {
  revokedCredentials?(account: { accountId: string }): Promise<readonly number[]>;
  noteRevoked?(account: { accountId: string }, positions: readonly number[]): Promise<void>;
}

/** The notes of an account on its objects, or `undefined` if they can bear none. */
export function notesOf(
  observer: NotingObserver | undefined,
  { accountId }: { readonly accountId: string },
): RevokeNotes | undefined {
  if (observer?.revokedCredentials === undefined) return undefined;
  return {
    revokedCredentials: async () => (await observer.revokedCredentials?.({ accountId })) ?? [],
    noteRevoked: async (positions) => observer.noteRevoked?.({ accountId }, positions),
  };
}
