import { isRecord, sameValue } from "../../provider/dynamic/values";
import { moreAnonymousAccess } from "./anonymous";
import type { Finding } from "./finding";
import type { PlannedState, PlannedStep } from "./preview";
import { describeStep, driverOf, isAccess, textOf } from "./resources";

/** What somebody may do, by a word of the package or of a driver that comes with it. */
const rightsOf: Readonly<Record<string, readonly string[]>> = {
  private: [],
  ro: ["read"],
  wo: ["write"],
  rw: ["read", "write"],
  readonly: ["read"],
  readwrite: ["read", "write"],
  admin: ["read", "write", "administer"],
};

/** Keys of parameters that our drivers take for what an account may do, and what they do without one. */
const modeKeys = ["accessMode", "mode"];

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

/** What an account may do. A change of it always replaces the account. */
function ofMode(step: PlannedStep): Finding[] {
  if (step.op !== "replace") return [];
  const pairs: (readonly [string, string | undefined, string | undefined])[] = [
    ["accessMode", given(step.before, "accessMode"), given(step.after, "accessMode")],
    ...(isAccess(step)
      ? modeKeys.map((key) => [key, parameter(step.before, key), parameter(step.after, key)] as const)
      : []),
  ];
  return pairs.flatMap(([key, before, after]) => {
    // Without a word the drivers that come with the package let an account read and write.
    const [was, is] = [before ?? "rw", after ?? "rw"];
    if (before === after || !isWider(was, is)) return [];
    return [
      {
        ...common(step),
        what: `the account may ${(rightsOf[is] ?? []).join(" and ")} (${key} ${after ?? "is left out"})`,
        why: `${key} was ${before ?? "left out"}`,
      },
    ];
  });
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

function isWider(before: string, after: string): boolean {
  const [was, is] = [rightsOf[before], rightsOf[after]];
  return was !== undefined && is?.some((right) => !was.includes(right)) === true;
}

function given(state: PlannedState | undefined, field: string): string | undefined {
  const value = state?.inputs[field];
  return typeof value === "string" ? value : undefined;
}

function parameter(state: PlannedState | undefined, key: string): string | undefined {
  const parameters = state?.inputs["parameters"];
  const value = isRecord(parameters) ? parameters[key] : undefined;
  return typeof value === "string" && !sameValue(value, "[secret]") ? value : undefined;
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
