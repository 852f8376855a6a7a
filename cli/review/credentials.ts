import { isRecord } from "../../provider/dynamic/values";
import type { Category, Finding } from "./finding";
import type { PlannedState, PlannedStep } from "./preview";
import {
  comesWithAccount,
  describeStep,
  driverOf,
  isAccess,
  isData,
  isUnknownText,
  nounOf,
  reasonOf,
  secretOf,
  textOf,
} from "./resources";

/** What becomes of accounts and their credentials, and which Secrets that reaches. */
export function credentialFindings(steps: readonly PlannedStep[]): Finding[] {
  return steps.flatMap((step) => {
    if (isAccess(step)) return findingsOfAccess(step);
    // By this contract a bucket comes with its account.
    if (isData(step) && (comesWithAccount(step.before) || comesWithAccount(step.after))) {
      return findingsOfBucket(step);
    }
    return [];
  });
}

function findingsOfAccess(step: PlannedStep): Finding[] {
  const { op, before, after, replaceReasons } = step;
  switch (op) {
    case "create":
      return isAdopted(after) ? [] : [finding(step, "credential-minted", after)];
    case "delete":
      return [ended(step)];
    case "replace":
      if (replaceReasons.some(isOfRotation)) {
        // One that is not revoked gives way to nobody: its keys are as good as they were.
        return isLeft(before)
          ? [ended(step), finding(step, "credential-minted", after)]
          : [finding(step, "credential-rotated", before)];
      }
      return [ended(step), ...(isAdopted(after) ? [] : [finding(step, "credential-minted", after)])];
    case "update":
      // A grant that did not come to its end is asked for again.
      return hasNoAccount(before) ? [finding(step, "credential-minted", after)] : [];
    default:
      return [];
  }
}

function findingsOfBucket(step: PlannedStep): Finding[] {
  const { op, before, after } = step;
  const minted = finding(step, "credential-minted", after);
  if (op === "create") return [minted];
  if (op === "delete") return [ended(step)];
  if (op === "replace") return [ended(step), minted];
  return op === "update" && before?.outputs["credentials"] === null ? [minted] : [];
}

/** An account that goes: revoked, or left where the program or its origin says so. */
function ended(step: PlannedStep): Finding {
  const { before } = step;
  return finding(step, isLeft(before) ? "credential-left" : "credential-revoked", before);
}

function isLeft(state: PlannedState | undefined): boolean {
  return isAdopted(state) || state?.retainOnDelete === true;
}

/** The input as a whole, or a part of it. */
function isOfRotation(reason: string): boolean {
  return reason === "rotation" || reason.startsWith("rotation.");
}

/** True for an account that was taken over as it is, and that no rotation has replaced yet. */
function isAdopted(state: PlannedState | undefined): boolean {
  const { existingAccount, rotation } = state?.inputs ?? {};
  const generation = isRecord(rotation) ? rotation["generation"] : undefined;
  return (existingAccount ?? null) !== null && (typeof generation !== "number" || generation === 0);
}

function hasNoAccount(state: PlannedState | undefined): boolean {
  return state?.outputs["accountId"] === null;
}

function finding(step: PlannedStep, category: Category, state: PlannedState | undefined): Finding {
  const secret = secretOf(state);
  const account = known(textOf(state, "accountId") ?? textOf(state, "name"));
  const target = known(textOf(state, "bucketName", "deploymentName", "bucketId", "deploymentId"));
  const noun = nounOf(step);
  const whose = target === undefined ? `its ${noun}` : `the ${noun} ${target}`;
  const where =
    secret === undefined ? "the outputs of the stack" : `the Secret ${secret}, and whatever reads it there`;
  const named = account === undefined ? "an account" : `the account ${account}`;
  const what: Partial<Record<Category, string>> = {
    "credential-minted": `${named} for ${whose} is granted; its credentials reach ${where}`,
    "credential-revoked": `${named} of ${whose} is revoked; what uses ${where} loses its access`,
    "credential-rotated": `${named} of ${whose} gives way to a new one, whose credentials reach ${where}`,
    "credential-left": `${named} of ${whose} stays alive at the driver; nothing in the program knows it any more`,
  };
  return {
    category,
    resource: describeStep(step),
    urn: step.urn,
    driver: driverOf(state),
    object: account ?? "an account that is named at up",
    what: what[category] ?? "",
    why: whyOf(step, category, state),
    ...(secret === undefined ? {} : { secret }),
  };
}

function whyOf(step: PlannedStep, category: Category, state: PlannedState | undefined): string {
  if (category === "credential-minted") {
    return step.op === "create" ? "the program asks for it" : reasonOf(step);
  }
  if (category === "credential-left") {
    return isAdopted(state) ? "it was there before, and is never revoked" : "the option retainOnDelete";
  }
  return reasonOf(step);
}

function known(text: string | undefined): string | undefined {
  return text === undefined || isUnknownText(text) ? undefined : text;
}
