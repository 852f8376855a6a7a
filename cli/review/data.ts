import { endOfData, type EndOfData } from "./end-of-data";
import type { Finding } from "./finding";
import { heirsIn, type HasHeir } from "./heirs";
import { isOfGuest } from "./july";
import { keepingOption, urnsThatGo, type KeepingOption } from "./options";
import type { PlannedState, PlannedStep } from "./preview";
import { readableText } from "./readings";
import { describeStep, driverOf, idOfData, isAccess, isData, nounOf, reasonOf } from "./resources";

/** What becomes of the data of the resources that go or are replaced. */
export function dataFindings(steps: readonly PlannedStep[]): Finding[] {
  const hasHeir = heirsIn(steps);
  const going = urnsThatGo(steps);
  return steps
    .filter(({ op }) => op === "delete" || op === "replace")
    .flatMap((step) => {
      const { before } = step;
      if (before === undefined) return [];
      const option = keepingOption(before, going);
      if (isData(step)) return fateOf(step, before, option, hasHeir);
      return isAccess(step) && option === undefined ? fateByGuest(step, before) : [];
    });
}

function fateOf(
  step: PlannedStep,
  before: PlannedState,
  option: KeepingOption | undefined,
  hasHeir: HasHeir,
): Finding[] {
  const end = endOfData(before);
  const isDeleted = end !== "kept" && option === undefined;
  if (end === "not-ours" || hasHeir(step, isDeleted)) return [];
  const id = idOfData(step);
  const driver = driverOf(before);
  const subject = `the ${nounOf(step)} ${id}`;
  const finding = (category: Finding["category"], what: string): Finding => ({
    ...common(step, before, id),
    ...policyOf(end),
    category,
    what,
  });
  const forgotten = "nothing in the program knows it any more";
  if (option !== undefined) {
    const what = `${subject} stays at ${driver}, as the option ${option} says; ${forgotten}`;
    return [finding("orphaned-data", what)];
  }
  if (end === "kept")
    return [finding("orphaned-data", `${subject} stays at ${driver} with its data; ${forgotten}`)];
  const may = end === "deleted" ? "is" : "may be";
  const anew = step.op === "replace" ? ", and another one is made in its place" : "";
  const what = `${subject} at ${driver} ${may} deleted, with what the driver deletes with it${anew}${doubtOf(end)}`;
  return [finding("data-loss", what)];
}

/** COSI proposal of 2020-07-08: the last that is bound to a bucket deletes it, where its owner has gone before. */
function fateByGuest(step: PlannedStep, before: PlannedState): Finding[] {
  if (!isOfGuest(before)) return [];
  const id = readableText(before, "bucketId", "bucketName") ?? step.name;
  const what =
    `the bucket ${id} at ${driverOf(before)} may be deleted, with what the driver deletes with it: it is deleted if its owner is gone ` +
    "and nobody else is bound to it, which the preview does not show";
  return [{ ...common(step, before, id), category: "data-loss", what }];
}

function common(
  step: PlannedStep,
  before: PlannedState,
  object: string,
): Omit<Finding, "category" | "what" | "policy"> {
  return {
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(before),
    object,
    why: reasonOf(step),
  };
}

function doubtOf(end: EndOfData): string {
  if (end === "deleted") return "";
  const field = end === "by-object" ? "the releasePolicy of its Bucket in the cluster" : "its deletionPolicy";
  return `: the preview does not show ${field}`;
}

/** The policy as a finding has it; none where nobody can read it. */
export function policyOf(end: EndOfData): Pick<Finding, "policy"> {
  if (end === "unreadable") return {};
  return { policy: end === "deleted" ? "Delete" : "Retain" };
}
