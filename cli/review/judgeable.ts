import { isUnheardOf } from "./known-types";
import { PreviewError, type PlannedStep } from "./preview";
import { describeStep, isAccess, isData } from "./resources";

/** What a step of data or of an account needs, to be judged. Those without a part need none. */
const neededParts: Readonly<Partial<Record<string, readonly ("before" | "after")[]>>> = {
  create: ["after"],
  update: ["before", "after"],
  replace: ["before", "after"],
  delete: ["before"],
  same: [],
  refresh: [],
  // Of a replacement whose old resource is gone already, the entry in the state.
  "remove-pending-replace": [],
};

/**
 * Refuses a preview of which a part cannot be judged: it would look as if nothing happened there.
 *
 * @throws PreviewError that names the first such step.
 */
export function requireJudgeable(steps: readonly PlannedStep[]): void {
  for (const step of steps) {
    const problem = problemOf(step);
    if (problem === undefined) continue;
    throw new PreviewError(`what the preview does to ${describeStep(step)} cannot be said: ${problem}`);
  }
}

function problemOf(step: PlannedStep): string | undefined {
  const { type, op, before, after } = step;
  const isCustom = [before, after].some((state) => state !== undefined && !state.links.isComponent);
  if (isUnheardOf(type, isCustom)) {
    return `this version of pulumi-cosi has no ${type}. Next: review with the version that the program has`;
  }
  if (!isData(step) && !isAccess(step)) return undefined;
  const needed = neededParts[op];
  if (needed === undefined) return `${JSON.stringify(op)} is no step that it is known to have`;
  const missing = needed.filter((part) => step[part] === undefined);
  if (missing.length === 0) return undefined;
  const states = missing.map((part) => (part === "before" ? "oldState" : "newState")).join(" and ");
  return `${states} is missing. Next: give the whole of what pulumi preview --json writes`;
}
