import type { Finding } from "./finding";
import type { PlannedState, PlannedStep } from "./preview";
import { describeStep, driverOf, isData, isUnknownText, nounOf, reasonOf, textOf } from "./resources";

/** What becomes of the data of the resources that go or are replaced, and of their protection. */
export function dataFindings(steps: readonly PlannedStep[]): Finding[] {
  const taken = takenIds(steps);
  return steps.filter(isData).flatMap((step) => {
    if (step.op === "delete" || step.op === "replace") return fateOf(step, taken);
    return step.op === "update" ? loweredProtection(step) : [];
  });
}

/** Ids that the program takes over, and names that it asks for: what has one of them stays with another resource. */
function takenIds(steps: readonly PlannedStep[]): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const step of steps.filter(isData)) {
    if (step.op === "delete" || step.after === undefined) continue;
    const existing = textOf({ ...step.after, outputs: {} }, "existingBucketId", "existingDeploymentId");
    if (existing !== undefined) taken.set(existing, describeStep(step));
  }
  return taken;
}

function fateOf(step: PlannedStep, taken: ReadonlyMap<string, string>): Finding[] {
  const { before } = step;
  const id = textOf(before, "bucketId", "deploymentId") ?? textOf(before, "name") ?? step.name;
  const noun = nounOf(step);
  const common = {
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(before),
    object: id,
    why: reasonOf(step),
  };
  if (wasThereBefore(before)) return [];
  const heir = taken.get(id);
  if (heir !== undefined) return [];
  const policy = textOf(before, "deletionPolicy") ?? "Retain";
  if (before?.retainOnDelete === true) {
    return [
      {
        ...common,
        policy,
        category: "orphaned-data",
        what: `the ${noun} ${id} stays at ${common.driver}, as the option retainOnDelete says; nothing in the program knows it any more`,
      },
    ];
  }
  if (policy === "Delete") {
    const anew = step.op === "replace" ? ", and another one is made in its place" : "";
    return [
      {
        ...common,
        policy,
        category: "data-loss",
        what: `the ${noun} ${id} at ${common.driver} is deleted, with what the driver deletes with it${anew}`,
      },
    ];
  }
  return [
    {
      ...common,
      policy,
      category: "orphaned-data",
      what: `the ${noun} ${id} stays at ${common.driver} with its data; nothing in the program knows it any more`,
    },
  ];
}

/** True for what this package has not made: its end is no matter of this program. */
function wasThereBefore(state: PlannedState | undefined): boolean {
  const existing = textOf(state, "existingBucketId", "existingDeploymentId");
  return existing !== undefined || state?.outputs["adopted"] === true;
}

function loweredProtection(step: PlannedStep): Finding[] {
  const { before, after } = step;
  const [was, is] = [before, after].map((state) => textOf(inputsOnly(state), "deletionPolicy"));
  const findings: Finding[] = [];
  const common = {
    category: "protection-lowered" as const,
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(before),
    object: textOf(before, "bucketId", "deploymentId") ?? step.name,
    ...(is === undefined ? {} : { policy: is }),
  };
  if (was !== "Delete" && is === "Delete") {
    findings.push({
      ...common,
      what: `the ${nounOf(step)} ${common.object} will be deleted when its resource goes; until now it would be kept`,
      why: "deletionPolicy changes from Retain to Delete",
    });
  }
  const [guarded, unguarded] = [before, after].map((state) => state?.inputs["protectData"]);
  if (guarded !== false && unguarded === false && is === "Delete") {
    findings.push({
      ...common,
      what: `a later change may replace the ${nounOf(step)} ${common.object} and delete its data; until now that is refused`,
      why: "protectData changes to false",
    });
  }
  return findings;
}

function inputsOnly(state: PlannedState | undefined): PlannedState | undefined {
  if (state === undefined) return undefined;
  const policy = state.inputs["deletionPolicy"];
  return typeof policy === "string" && isUnknownText(policy) ? undefined : { ...state, outputs: {} };
}
