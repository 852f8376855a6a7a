import type { RevokeNotes } from "./revoke-in-turn";
import type { AccessObserver } from "../models/model";

/** The notes of an account on its objects, or `undefined` if they can bear none. */
export function notesOf(
  observer: AccessObserver | undefined,
  { accountId }: { readonly accountId: string },
): RevokeNotes | undefined {
  if (observer?.revokedCredentials === undefined) return undefined;
  return {
    revokedCredentials: async () => (await observer.revokedCredentials?.({ accountId })) ?? [],
    noteRevoked: async (positions) => observer.noteRevoked?.({ accountId }, positions),
  };
}
