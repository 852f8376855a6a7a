import type { PlannedState } from "./preview";
import { isByObject } from "./july";
import { isHidden, isNotKnownYet, knownProperties } from "./readings";

/**
 * What becomes of a bucket or a deployment when its resource is deleted. `not-ours`: it was there before, and its end is no
 * matter of the program. `unreadable`: nobody can read what its policy is, so that it may be deleted. `by-object`: it is kept,
 * unless its object in the cluster says otherwise by then.
 */
export type EndOfData = "deleted" | "kept" | "not-ours" | "unreadable" | "by-object";

/** Reads what becomes of data that is there, as the state has it. A state always has the policy: without one it is no whole state. */
export function endOfData(state: Pick<PlannedState, "inputs" | "outputs">): EndOfData {
  return endBy(state, undefined);
}

/** The same, of what the program asks for, which may leave the policy out. */
export function endOfPlanned({ inputs }: Pick<PlannedState, "inputs">): EndOfData {
  return endBy({ inputs, outputs: {} }, "Retain");
}

/** True where it is deleted, or nobody can read that it is not. */
export function mayBeDeleted(end: EndOfData): boolean {
  return end === "deleted" || end === "unreadable";
}

function endBy(state: Pick<PlannedState, "inputs" | "outputs">, policy: string | undefined): EndOfData {
  const known = knownProperties(state);
  const existing = known["existingBucketId"] ?? known["existingDeploymentId"];
  // What is told at up only may be that there is none.
  const isGiven = (existing ?? "") !== "" && !isNotKnownYet(existing);
  if (isGiven || known["adopted"] === true) return "not-ours";
  const end = toldEnd(known["onDelete"]) ?? endByPolicy(known["deletionPolicy"] ?? policy);
  return end === "kept" && isByObject(known) ? "by-object" : end;
}

/** By what `onDelete` of a bucket says, whose policy may be a secret. */
function toldEnd(told: unknown): EndOfData | undefined {
  if (typeof told !== "string" || isHidden(told)) return undefined;
  const [, does, why] = /^(?:revokes its account, )?(DELETES|keeps) .*\(([^()]*)\)$/s.exec(told) ?? [];
  if (does === "DELETES") return "deleted";
  if (does !== "keeps") return undefined;
  return why === "it existed before" ? "not-ours" : "kept";
}

function endByPolicy(policy: unknown): EndOfData {
  if (policy === "Retain") return "kept";
  return policy === "Delete" ? "deleted" : "unreadable";
}
