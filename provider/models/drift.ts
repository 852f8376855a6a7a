import type { Observation } from "./model";
import { warn } from "../run/warning";

/**
 * Tells the user what a refresh saw that the next `up` cannot restore.
 *
 * @returns What it can restore, for the state; `null` if nothing was changed.
 */
export function driftOf(seen: Observation | undefined): string[] | null {
  for (const { kind, name, text } of seen?.notes ?? []) warn(kind, name, text);
  return seen === undefined || seen.drift.length === 0 ? null : seen.drift;
}
