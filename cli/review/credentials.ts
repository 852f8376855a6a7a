import { hasNoAccount, hasNoKeys, isAdopted } from "./accounts";
import type { Category, Finding } from "./finding";
import { keepingOption, urnsThatMayGo, type KeepingOption } from "./options";
import type { PlannedState, PlannedStep } from "./preview";
import { readable, readableText } from "./readings";
import { comesWithAccount, describeStep, driverOf, isAccess, isData, nounOf, reasonOf } from "./resources";
import { secretFindings, secretsIn, type SecretOf } from "./secrets";

/** What a finding of an account needs to know of the rest of the preview. */
interface Surroundings {
  readonly secretOf: SecretOf;
  /** URNs of what goes, or is replaced: that an account may live on is worse than that it is revoked. */
  readonly going: ReadonlySet<string>;
}

/** Why an account is not revoked: it was there before, an option of Pulumi's, or the new one has its name by then. */
type LeftBy = "existing" | KeepingOption | "successor";

/** What becomes of accounts and their credentials, and which Secrets that reaches. */
export function credentialFindings(steps: readonly PlannedStep[]): Finding[] {
  const around: Surroundings = { secretOf: secretsIn(steps), going: urnsThatMayGo(steps) };
  const ofAccounts = steps.flatMap((step) => {
    if (isAccess(step)) return findingsOfAccess(step, around);
    // By this contract a bucket comes with its account.
    if (isData(step) && (comesWithAccount(step.before) || comesWithAccount(step.after))) {
      return findingsOfBucket(step, around);
    }
    return [];
  });
  return [...ofAccounts, ...secretFindings(steps)];
}

function findingsOfAccess(step: PlannedStep, around: Surroundings): Finding[] {
  const { op, before, after } = step;
  const minted = (): Finding => finding(step, "credential-minted", after, around);
  switch (op) {
    case "create":
      return isAdopted(after) ? [] : [minted()];
    case "delete":
      return [ended(step, around)];
    case "replace":
      if (isRotation(step)) {
        // One that is not revoked gives way to nobody: its keys are as good as they were.
        return leftBy(step, around) === undefined
          ? [finding(step, "credential-rotated", before, around)]
          : [ended(step, around), minted()];
      }
      return [ended(step, around), ...(isAdopted(after) ? [] : [minted()])];
    case "update":
      if (hasNoAccount(before)) return [minted()];
      // One whose keys were lost serves nobody: it is revoked first.
      return hasNoKeys(before) ? [finding(step, "credential-rotated", before, around)] : [];
    default:
      return [];
  }
}

function findingsOfBucket(step: PlannedStep, around: Surroundings): Finding[] {
  const { op, before, after } = step;
  const minted = finding(step, "credential-minted", after, around);
  if (op === "create") return [minted];
  if (op === "delete") return [ended(step, around)];
  if (op === "replace") return [ended(step, around), minted];
  return op === "update" && before?.outputs["credentials"] === null ? [minted] : [];
}

/** An account that goes: revoked, or left where the program or its origin says so. */
function ended(step: PlannedStep, around: Surroundings): Finding {
  const isLeft = leftBy(step, around) !== undefined;
  return finding(step, isLeft ? "credential-left" : "credential-revoked", step.before, around);
}

function leftBy(step: PlannedStep, { going }: Surroundings): LeftBy | undefined {
  if (isAdopted(step.before)) return "existing";
  return keepingOption(step.before, going) ?? (isSucceeded(step) ? "successor" : undefined);
}

/** True for a replacement that takes the name over before the old account goes: that is then another resource's. */
function isSucceeded(step: PlannedStep): boolean {
  const { op, before, after, createsFirst } = step;
  if (op !== "replace" || !createsFirst || !isAccess(step) || isRotation(step)) return false;
  const [was, is] = [before, after].map((state) => readable(state?.inputs["name"]));
  return was === undefined || is === undefined || was === is;
}

function isRotation({ replaceReasons }: PlannedStep): boolean {
  return replaceReasons.some(isOfRotation);
}

/** The input as a whole, or a part of it. */
function isOfRotation(reason: string): boolean {
  return reason === "rotation" || reason.startsWith("rotation.");
}

function finding(
  step: PlannedStep,
  category: Category,
  state: PlannedState | undefined,
  around: Surroundings,
): Finding {
  const secret = around.secretOf(state);
  const account = readableText(state, "accountId", "name");
  const target = readableText(state, "bucketName", "deploymentName", "bucketId", "deploymentId");
  const noun = nounOf(step);
  const whose = target === undefined ? `its ${noun}` : `the ${noun} ${target}`;
  const where =
    secret === undefined ? "the outputs of the stack" : `the Secret ${secret}, and whatever reads it there`;
  const named = account === undefined ? "an account" : `the account ${account}`;
  // That of one which is made first has answered by then.
  const unless = step.createsFirst ? ", unless the driver gives the new one the same credentials" : "";
  const what: Partial<Record<Category, string>> = {
    "credential-minted": `${named} for ${whose} is granted; its credentials reach ${where}`,
    "credential-revoked": `${named} of ${whose} is revoked${unless}; what uses ${where} loses its access`,
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
    why: whyOf(step, category, around),
    ...(secret === undefined ? {} : { secret }),
  };
}

const leftReasons: Readonly<Record<LeftBy, string>> = {
  existing: "it was there before, and is never revoked",
  retainOnDelete: "the option retainOnDelete",
  deletedWith: "the option deletedWith",
  successor: "it is replaced under its own name, and the new one is made first",
};

function whyOf(step: PlannedStep, category: Category, around: Surroundings): string {
  if (category === "credential-minted") {
    return step.op === "create" ? "the program asks for it" : reasonOf(step);
  }
  const left = category === "credential-left" ? leftBy(step, around) : undefined;
  if (left !== undefined) return leftReasons[left];
  return hasNoKeys(step.before) && step.op === "update" ? "its keys were lost" : reasonOf(step);
}
