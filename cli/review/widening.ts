import { isRecord } from "../../provider/dynamic/values";
import { moreAnonymousAccess } from "./anonymous";
import type { Finding } from "./finding";
import { widerModes } from "./mode";
import type { PlannedState, PlannedStep } from "./preview";
import { holdsHidden, readable, readableText } from "./readings";
import { describeStep, driverOf } from "./resources";

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
  if (after.isHidden) {
    const what = "further namespaces may use it too (the preview does not show all of them)";
    return [{ ...common(step), what, why: untilNow(before) }];
  }
  const more = after.names.filter((name) => !before.names.includes(name));
  if (more.length === 0) return [];
  return [
    {
      ...common(step),
      what: `the namespaces ${more.join(", ")} may use it too`,
      why: untilNow(before),
    },
  ];
}

function untilNow({ names, isHidden: hidden }: Namespaces): string {
  if (hidden) return "until now: the preview does not show it";
  return `until now: ${names.length === 0 ? "no other one" : names.join(", ")}`;
}

const namespaceFields = ["permittedNamespaces", "additionalPermittedNamespaces"];

/** Names in a list, and whether there may be others that the preview hides. */
interface Namespaces {
  readonly names: readonly string[];
  readonly isHidden: boolean;
}

function namespacesOf(state: PlannedState | undefined): Namespaces {
  const { inputs = {} } = state ?? {};
  const { spec } = inputs;
  const given = namespaceFields.map((field) => inputs[field] ?? (isRecord(spec) ? spec[field] : undefined));
  const entries = given.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  const names = entries.map((entry) => readable(isRecord(entry) ? entry["name"] : entry));
  return {
    names: names.filter((name) => name !== undefined),
    isHidden: holdsHidden(given),
  };
}

function common(step: PlannedStep): Omit<Finding, "what" | "why"> {
  return {
    category: "access-widening",
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(step.after ?? step.before),
    object: readableText(step.before, "bucketId", "deploymentId", "accountId", "name") ?? step.name,
  };
}
