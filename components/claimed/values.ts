import { normalised, ProblemError, quoted, type Normalised } from "../kubernetes/problem";

const deletionPolicies = ["Retain", "Delete"] as const;
const authenticationTypes = ["Key", "IAM"] as const;

/** OS1-008, DEP-091: other spellings would mean nothing to whoever reads them. */
export function deletionPolicy(text: string): (typeof deletionPolicies)[number] {
  const policy = deletionPolicies.find((known) => known === text);
  if (policy !== undefined) return policy;
  throw new ProblemError(`deletionPolicy is ${JSON.stringify(text)}: give ${quoted(deletionPolicies)}`);
}

/** OS1-013, DEP-005: `KEY` and `key` stand in examples of drivers. */
export function authenticationType(text: string): Normalised<(typeof authenticationTypes)[number]> {
  const type = authenticationTypes.find((known) => known.toLowerCase() === text.toLowerCase());
  if (type === undefined) {
    throw new ProblemError(
      `authenticationType is ${JSON.stringify(text)}: give ${quoted(authenticationTypes)}`,
    );
  }
  return normalised("authenticationType", text, type);
}
