import { uidOf, type RecordedClaim } from "./recorded-claim";

/**
 * Claims (their UIDs) for which the program of this run says `protectData: false`.
 *
 * Where an object will be replaced, the engine asks what goes with it before it asks for the program's word on it: `diff`
 * then gets the inputs of the state. The binding of a claim comes earlier in the run, and notes the word here.
 *
 * Binding and bucket have the UID in the state, as it was when they were made. What the program calls a component changes
 * with the stack's name, by `pulumi state move` and by an alias, and each of the two may have recorded another such name.
 */
const givenUp = new Set<string>();

/** Notes what the program says of a claim. @param claim What the state has; of one that is new there is nothing to note. */
export function noteProtection(claim: RecordedClaim, protectData: boolean | null | undefined): void {
  const uid = uidOf(claim);
  if (uid === undefined) return;
  if (protectData === false) givenUp.add(uid);
  else givenUp.delete(uid);
}

/** True if the program of this run says `protectData: false` for the claim. @param claim What the state has. */
export function isUnprotected(claim: RecordedClaim): boolean {
  const uid = uidOf(claim);
  return uid !== undefined && givenUp.has(uid);
}

/** Forgets everything, as a new process does. */
export function forgetProtection(): void {
  givenUp.clear();
}
