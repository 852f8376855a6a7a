import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState } from "./preview";
import { isNotKnownYet } from "./readings";

/** True for an account that was taken over as it is, and that no rotation has replaced yet. */
export function isAdopted(state: PlannedState | undefined): boolean {
  const { existingAccount, rotation } = state?.inputs ?? {};
  // What is told at up only may be that there is none.
  if ((existingAccount ?? null) === null || isNotKnownYet(existingAccount)) return false;
  const generation = isRecord(rotation) ? rotation["generation"] : undefined;
  return typeof generation !== "number" || generation === 0;
}

/** True where a grant did not come to its end: it is asked for again. */
export function hasNoAccount(state: PlannedState | undefined): boolean {
  return state?.outputs["accountId"] === null;
}

/** True for an account without keys: it is revoked, and another one granted. */
export function hasNoKeys(state: PlannedState | undefined): boolean {
  return state?.outputs["granted"] === null && !hasNoAccount(state);
}
