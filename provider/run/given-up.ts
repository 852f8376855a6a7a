/**
 * Claims (URNs of their components) for which the program of this run says `protectData: false`.
 *
 * Where an object will be replaced, the engine asks what goes with it before it asks for the program's word on it: `diff`
 * then gets the inputs of the state. The binding of a claim comes earlier in the run, and notes the word here.
 */
const givenUp = new Set<string>();

/** Notes what the program says of a claim. */
export function noteProtection(claim: string | undefined, protectData: boolean | undefined): void {
  if (claim === undefined) return;
  if (protectData === false) givenUp.add(claim);
  else givenUp.delete(claim);
}

/** True if the program of this run says `protectData: false` for the claim. */
export function isUnprotected(claim: string | undefined): boolean {
  return claim !== undefined && givenUp.has(claim);
}

/** Forgets everything, as a new process does. */
export function forgetProtection(): void {
  givenUp.clear();
}
