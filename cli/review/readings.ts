import { isRecord, isSecretOutput } from "../../provider/dynamic/values";
import type { PlannedState } from "./preview";

/** How a preview writes what it does not know. */
const unknownTexts = ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "[unknown]", ""];

export function isUnknownText(text: string): boolean {
  return unknownTexts.includes(text);
}

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

/** A text that can be read; `undefined` for what is hidden, empty, or no text. */
export function readable(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !isHidden(value) ? value : undefined;
}

/** A text among the properties of a resource, by the first of these names that it has. */
export function textOf(state: PlannedState | undefined, ...names: readonly string[]): string | undefined {
  for (const from of [state?.outputs, state?.inputs]) {
    for (const name of names) {
      const value = from?.[name];
      if (typeof value === "string" && value !== "") return value;
    }
  }
  return undefined;
}

/** The first of these texts of a resource that can be read. */
export function readableText(
  state: PlannedState | undefined,
  ...names: readonly string[]
): string | undefined {
  return names.map((name) => readable(textOf(state, name))).find((text) => text !== undefined);
}

/** What is known of a resource that is there: its outputs, and what only its inputs say. */
export function knownProperties({
  inputs,
  outputs,
}: Pick<PlannedState, "inputs" | "outputs">): PlannedState["inputs"] {
  return { ...inputs, ...outputs };
}
