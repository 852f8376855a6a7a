import { isRecord, isSecretOutput } from "../../provider/dynamic/values";
import type { PlannedState } from "./preview";
import { isUnknownText, textOf } from "./resources";

/** True for what a preview does not know before the up. */
export function isNotKnownYet(value: unknown): boolean {
  return typeof value === "string" && value !== "" && isUnknownText(value);
}

/** True for what nobody can read in a preview: a secret, in either form that Pulumi has for it, or what it does not know yet. */
export function isHidden(value: unknown): boolean {
  return value === "[secret]" || isSecretOutput(value) || isNotKnownYet(value);
}

/** The same, of what holds such a value at any depth. */
export function holdsHidden(value: unknown): boolean {
  if (isHidden(value)) return true;
  if (Array.isArray(value)) return value.some(holdsHidden);
  return isRecord(value) && Object.values(value).some(holdsHidden);
}

/** The first of these texts of a resource that can be read. */
export function readableText(
  state: PlannedState | undefined,
  ...names: readonly string[]
): string | undefined {
  return names.map((name) => textOf(state, name)).find((text) => text !== undefined && !isHidden(text));
}

/** What is known of a resource that is there: its outputs, and what only its inputs say. */
export function knownProperties({
  inputs,
  outputs,
}: Pick<PlannedState, "inputs" | "outputs">): PlannedState["inputs"] {
  return { ...inputs, ...outputs };
}
