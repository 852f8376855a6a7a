import { endOfData, type EndOfData } from "./end-of-data";
import type { Finding } from "./finding";
import { heirsIn, type HasHeir } from "./heirs";
import type { PlannedStep } from "./preview";
import { isHidden, knownProperties, readableText } from "./readings";
import { describeStep, driverOf, isData, nounOf, reasonOf } from "./resources";

/** What becomes of the data of the resources that go or are replaced, and of their protection. */
export function dataFindings(steps: readonly PlannedStep[]): Finding[] {
  const hasHeir = heirsIn(steps);
  return steps.filter(isData).flatMap((step) => {
    if (step.op === "delete" || step.op === "replace") return fateOf(step, hasHeir);
    return step.op === "update" ? loweredProtection(step) : [];
  });
}

function fateOf(step: PlannedStep, hasHeir: HasHeir): Finding[] {
  const { before } = step;
  if (before === undefined) return [];
  const end = endOfData(before);
  const isDeleted = end !== "kept" && !before.retainOnDelete;
  if (end === "not-ours" || hasHeir(step, isDeleted)) return [];
  const id = idOf(step);
  const driver = driverOf(before);
  const subject = `the ${nounOf(step)} ${id}`;
  const finding = (category: Finding["category"], what: string): Finding => ({
    resource: describeStep(step),
    urn: step.urn,
    driver,
    object: id,
    why: reasonOf(step),
    ...policyOf(end),
    category,
    what,
  });
  const forgotten = "nothing in the program knows it any more";
  if (before.retainOnDelete) {
    const what = `${subject} stays at ${driver}, as the option retainOnDelete says; ${forgotten}`;
    return [finding("orphaned-data", what)];
  }
  if (end === "kept")
    return [finding("orphaned-data", `${subject} stays at ${driver} with its data; ${forgotten}`)];
  const may = end === "deleted" ? "is" : "may be";
  const doubt = end === "deleted" ? "" : `: ${notShown("its deletionPolicy")}`;
  const anew = step.op === "replace" ? ", and another one is made in its place" : "";
  const what = `${subject} at ${driver} ${may} deleted, with what the driver deletes with it${anew}${doubt}`;
  return [finding("data-loss", what)];
}

/** The bucket or deployment by the driver's id, or by the name that was sent. */
function idOf({ before, name }: PlannedStep): string {
  return readableText(before, "bucketId", "deploymentId", "name") ?? name;
}

/** The policy as a finding has it; none where nobody can read it. */
function policyOf(end: EndOfData): Pick<Finding, "policy"> {
  if (end === "unreadable") return {};
  return { policy: end === "deleted" ? "Delete" : "Retain" };
}

function loweredProtection(step: PlannedStep): Finding[] {
  const { before, after } = step;
  if (before === undefined || after === undefined) return [];
  const is = endOfData({ inputs: after.inputs, outputs: {} });
  if (is !== "deleted" && is !== "unreadable") return [];
  const object = idOf(step);
  const subject = `the ${nounOf(step)} ${object}`;
  const finding = (what: string, why: string): Finding => ({
    category: "protection-lowered",
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(before),
    object,
    ...policyOf(is),
    what,
    why,
  });
  const findings: Finding[] = [];
  if (endOfData(before) !== "deleted") {
    const will = is === "deleted" ? "will" : "may";
    findings.push(
      finding(
        `${subject} ${will} be deleted when its resource goes; until now it would be kept`,
        is === "deleted" ? "deletionPolicy changes from Retain to Delete" : notShown("deletionPolicy"),
      ),
    );
  }
  const unguarded = after.inputs["protectData"];
  const isGuarded = knownProperties(before)["protectData"] !== false;
  if (isGuarded && (unguarded === false || isHidden(unguarded))) {
    findings.push(
      finding(
        `a later change may replace ${subject} and delete its data; until now that is refused`,
        unguarded === false ? "protectData changes to false" : notShown("protectData"),
      ),
    );
  }
  return findings;
}

/** What counts as the worst that it may be. */
function notShown(property: string): string {
  return `the preview does not show ${property}`;
}
