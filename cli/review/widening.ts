import { isRecord } from "../../provider/dynamic/values";
import { moreAnonymousAccess } from "./anonymous";
import type { Finding } from "./finding";
import { widerModes } from "./mode";
import type { PlannedState, PlannedStep } from "./preview";
import { describeStep, driverOf, textOf } from "./resources";

/** What gets more access than before, as far as the words are known. */
export function wideningFindings(steps: readonly PlannedStep[]): Finding[] {
  return steps.flatMap((step) => [...ofAnonymous(step, steps), ...ofMode(step), ...ofNamespaces(step)]);
}

/** Callers without credentials. */
function ofAnonymous(step: PlannedStep, steps: readonly PlannedStep[]): Finding[] {
  const more = moreAnonymousAccess(step, steps);
  if (more === undefined) return [];
  const until = more.before.length === 0 ? "nobody might" : `anybody might ${more.before.join(" and ")}`;
  return [
    {
      ...common(step),
      what: more.what,
      why: step.op === "create" ? "the program asks for it" : `until now ${until}`,
    },
  ];
}

function ofMode(step: PlannedStep): Finding[] {
  return widerModes(step).map((wider) => ({ ...common(step), ...wider }));
}

/** Namespaces that may use what belongs to the cluster; a list that is empty, or left out, permits no further one. */
function ofNamespaces(step: PlannedStep): Finding[] {
  if (step.op !== "update" && step.op !== "replace") return [];
  const [before, after] = [namespacesOf(step.before), namespacesOf(step.after)];
  const more = after.filter((name) => !before.includes(name));
  if (more.length === 0) return [];
  return [
    {
      ...common(step),
      what: `the namespaces ${more.join(", ")} may use it too`,
      why: `until now: ${before.length === 0 ? "no other one" : before.join(", ")}`,
    },
  ];
}

const namespaceFields = ["permittedNamespaces", "additionalPermittedNamespaces"];

function namespacesOf(state: PlannedState | undefined): string[] {
  const { inputs = {} } = state ?? {};
  const spec = isRecord(inputs["spec"]) ? inputs["spec"] : {};
  return namespaceFields.flatMap((field) => {
    const value = inputs[field] ?? spec[field];
    if (!Array.isArray(value)) return [];
    return value.map((entry) => (isRecord(entry) ? String(entry["name"]) : String(entry)));
  });
}

function common(step: PlannedStep): Omit<Finding, "what" | "why"> {
  return {
    category: "access-widening",
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(step.after ?? step.before),
    object: textOf(step.before, "bucketId", "deploymentId", "accountId", "name") ?? step.name,
  };
}
