import type { PlannedState } from "./preview";
import { isHidden, isNotKnownYet, knownProperties } from "./readings";

/**
 * What becomes of a bucket or a deployment when its resource is deleted. `not-ours`: it was there before, and its end is no
 * matter of the program. `unreadable`: the preview hides what its policy is, so that it may be deleted.
 */
export type EndOfData = "deleted" | "kept" | "not-ours" | "unreadable";

/** Reads what becomes of data, out of what the package says of it in words, and out of the policy where it says nothing. */
export function endOfData(state: Pick<PlannedState, "inputs" | "outputs">): EndOfData {
  const known = knownProperties(state);
  const existing = known["existingBucketId"] ?? known["existingDeploymentId"];
  // What is told at up only may be that there is none.
  const isGiven = (existing ?? "") !== "" && !isNotKnownYet(existing);
  if (isGiven || known["adopted"] === true) return "not-ours";
  return toldEnd(known["onDelete"]) ?? endByPolicy(known["deletionPolicy"] ?? "Retain");
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
