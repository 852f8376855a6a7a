import { createHash } from "node:crypto";
import { canonical } from "./values";

/**
 * A short key of a value, for what a run notes of each resource: the value itself, with its kubeconfig or the environment of its
 * driver, would fill the memory of the host. Equal values have equal keys, in whatever order theirs are.
 */
export function digest(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("base64url");
}
