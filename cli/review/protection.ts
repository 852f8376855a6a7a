import { sameValue } from "../../provider/dynamic/values";
import { isAdopted } from "./accounts";
import { policyOf } from "./data";
import { endOfData, endOfPlanned, mayBeDeleted, type EndOfData } from "./end-of-data";
import type { Finding } from "./finding";
import { predecessorsIn } from "./heirs";
import type { PlannedState, PlannedStep } from "./preview";
import { isHidden, knownProperties, readableText } from "./readings";
import { describeStep, driverOf, idOfData, isAccess, isData, nounOf } from "./resources";

/** What protected an object until now, and does so no more: by the resource that has it, or had it before. */
interface Lowered {
  readonly what: string;
  readonly why: string;
}

/** What is protected less from now on: by its policy, by `protectData`, or by an option of Pulumi's. */
export function protectionFindings(steps: readonly PlannedStep[]): Finding[] {
  const predecessors = predecessorsIn(steps);
  return steps.flatMap((step) => {
    const { after } = step;
    if (after === undefined) return [];
    if (isData(step)) return ofData(step, after, predecessors(step));
    return isAccess(step) && (step.op === "update" || step.op === "same") ? ofAccount(step, after) : [];
  });
}

function ofData(step: PlannedStep, after: PlannedState, predecessors: readonly PlannedStep[]): Finding[] {
  // What stays as it is has what only its outputs say, too.
  const is = step.op === "same" && step.before !== undefined ? endOfData(step.before) : endOfPlanned(after);
  if (!mayBeDeleted(is) || after.retainOnDelete) return [];
  const lowered = new Map<string, Finding>();
  for (const { urn, before } of predecessors) {
    if (before === undefined) continue;
    const isUnchanged = step.op === "same" && urn === step.urn;
    const object = idOfData({ before, name: step.name });
    const subject = `the ${nounOf(step)} ${object}`;
    const all = [
      ...byPolicy(subject, { before, is, isUnchanged }),
      ...byProtect(subject, before, after),
      ...byProtectData(subject, before, after, isUnchanged),
    ];
    for (const { what, why } of all) {
      lowered.set(what, { ...common(step, before, object), ...policyOf(is), what, why });
    }
  }
  return [...lowered.values()];
}

/** What its resource does to it when it goes. */
function byPolicy(
  subject: string,
  { before, is, isUnchanged }: { before: PlannedState; is: EndOfData; isUnchanged: boolean },
): Lowered[] {
  const was = endOfData(before);
  if (!before.retainOnDelete && (was === "deleted" || isUnchanged)) return [];
  const will = is === "deleted" ? "will" : "may";
  const what = `${subject} ${will} be deleted when its resource goes; until now it would be kept`;
  return [{ what, why: whyByPolicy(was, is, before.retainOnDelete) }];
}

function whyByPolicy(was: EndOfData, is: EndOfData, isRetained: boolean): string {
  if (is === "unreadable") return notShown("deletionPolicy");
  if (isRetained && (was === "deleted" || was === "unreadable")) return taken("retainOnDelete");
  if (was === "unreadable") return notShown("the deletionPolicy of before");
  return was === "not-ours"
    ? "until now it counts as there before, and is never deleted"
    : "deletionPolicy changes from Retain to Delete";
}

function byProtect(subject: string, before: PlannedState, after: PlannedState): Lowered[] {
  if (!before.links.isProtected || after.links.isProtected) return [];
  const what = `a later change or destroy may delete ${subject}; until now Pulumi refuses that`;
  return [{ what, why: taken("protect") }];
}

function byProtectData(
  subject: string,
  before: PlannedState,
  after: PlannedState,
  isUnchanged: boolean,
): Lowered[] {
  const unguarded = after.inputs["protectData"];
  const guarded = knownProperties(before)["protectData"];
  if (isUnchanged && sameValue(guarded, unguarded)) return [];
  if (guarded === false || !(unguarded === false || isHidden(unguarded))) return [];
  const what = `a later change may replace ${subject} and delete its data; until now that is refused`;
  return [{ what, why: unguarded === false ? "protectData changes to false" : notShown("protectData") }];
}

/** An account that an option of Pulumi's has kept alive. */
function ofAccount(step: PlannedStep, after: PlannedState): Finding[] {
  const { before } = step;
  if (before === undefined || after.retainOnDelete || isAdopted(after)) return [];
  const account = readableText(before, "accountId", "name") ?? step.name;
  const finding = (what: string, option: string): Finding => ({
    ...common(step, before, account),
    what,
    why: taken(option),
  });
  const isUnprotected = before.links.isProtected && !after.links.isProtected;
  return [
    ...(before.retainOnDelete
      ? [
          finding(
            `the account ${account} will be revoked when its resource goes; until now it would stay`,
            "retainOnDelete",
          ),
        ]
      : []),
    ...(isUnprotected
      ? [
          finding(
            `a later change or destroy may revoke the account ${account}; until now Pulumi refuses that`,
            "protect",
          ),
        ]
      : []),
  ];
}

function common(
  step: PlannedStep,
  before: PlannedState,
  object: string,
): Omit<Finding, "what" | "why" | "policy"> {
  return {
    category: "protection-lowered",
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(before),
    object,
  };
}

function taken(option: string): string {
  return `the option ${option} is taken away`;
}

/** What counts as the worst that it may be. */
function notShown(property: string): string {
  return `the preview does not show ${property}`;
}
