import type { PlannedState, PlannedStep } from "./preview";

/** An option of Pulumi's because of which nobody is asked to delete what a resource stands for. */
export type KeepingOption = "retainOnDelete" | "deletedWith";

/** URNs of what goes in a preview, and is made nowhere again. */
export function urnsThatGo(steps: readonly PlannedStep[]): ReadonlySet<string> {
  return urnsOf(steps, ["delete"]);
}

/** The same, with what is replaced: what is deleted with that may go without a call, as the engine has the order of the run. */
export function urnsThatMayGo(steps: readonly PlannedStep[]): ReadonlySet<string> {
  return urnsOf(steps, ["delete", "replace"]);
}

function urnsOf(steps: readonly PlannedStep[], ops: readonly string[]): ReadonlySet<string> {
  return new Set(steps.filter(({ op }) => ops.includes(op)).map(({ urn }) => urn));
}

/**
 * The option because of which a resource goes out of the state alone; `undefined` where its provider is asked.
 *
 * @param state What it is until then.
 * @param going URNs of what goes with it.
 */
export function keepingOption(
  state: PlannedState | undefined,
  going: ReadonlySet<string>,
): KeepingOption | undefined {
  if (state?.retainOnDelete === true) return "retainOnDelete";
  const { deletedWith } = state?.links ?? {};
  return deletedWith !== undefined && going.has(deletedWith) ? "deletedWith" : undefined;
}
