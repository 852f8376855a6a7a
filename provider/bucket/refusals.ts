import { propertyName, wordsOf } from "../contracts/registry";
import { isUnknown } from "../dynamic/values";
import { wayToKeepData as wayToKeepDataOf } from "../models/registry";
import { untoldClaim } from "../run/untold-claims";
import type { BucketInputs, BucketOutputs } from "./state";

/** What replaces without that `diff` is asked. */
export const byOption = "the option replacementTrigger, or a similar one";

/** OBC-076: a change that no call makes. */
export function parametersRefusal({ name, driver: { driverName }, adopted }: BucketOutputs): string {
  const what = `the parameters of the bucket ${name} of driver ${driverName} were changed, and COSI has no call that changes a bucket`;
  return adopted
    ? `${what}; it was taken over as it was, and nothing is sent for it. Next: take the change back`
    : `${what}. Next: configChange "resend" of the claim sends its create again under the same name, for a driver that is ` +
        "documented to take it; or take the change back";
}

/** What a refusal tells of. */
type Replaced = Pick<BucketOutputs, "name" | "driver" | "bucketId"> &
  Partial<Pick<BucketOutputs, "objects" | "bucketClassName" | "lostClaim">>;

/** GRPC-016: a driver answers the name of a bucket that lives with that bucket, or not at all. */
export function nameRefusal(olds: Replaced, replaces: readonly string[]): string {
  const { driver, bucketId } = olds;
  const { object } = wordsOf(driver);
  const existingId = propertyName(driver, "existingBucketId");
  const wayOn =
    bucketId === null
      ? `look for the old one in the backend, and use pulumi state delete if it is not there or ${existingId} if it is`
      : `take the old one over as it is (${existingId} ${JSON.stringify(bucketId)}, and no name)`;
  return (
    `${replacement(olds, replaces)}, and stays in the backend, so the new one cannot have its name. Next: give the new ` +
    `${object} another name, or none to have one computed; or ${wayOn}.`
  );
}

/** What is to be replaced, and why. */
function replacement({ name, driver, bucketId }: Replaced, replaces: readonly string[]): string {
  const doubt = bucketId === null ? ", which may exist as the outcome of its create is not known," : "";
  return (
    `the ${wordsOf(driver).object} ${name} of driver ${driver.driverName}${doubt} would be replaced because of ` +
    replaces.map((property) => propertyName(driver, property)).join(", ")
  );
}

/** The refusal where nothing is known but that the state has lost the claim; `undefined` where more is. */
export function untoldRefusal(
  olds: BucketOutputs,
  news: BucketInputs,
  replaces: readonly string[],
): string | undefined {
  const claim = isUnknown(news.name) ? untoldClaim(olds.objects?.claim) : undefined;
  if (claim === undefined || (olds.lostClaim ?? null) !== null) return undefined;
  if (replaces.some((property) => property !== "name")) return undefined;
  return (
    `${replacement(olds, replaces)} if its claim is a different one by now, and its deletionPolicy Delete would delete its data: ` +
    `the state has lost ${claim}, as a refresh at another cluster does, so no preview can know that. Next: ` +
    "`pulumi up --skip-preview` takes the claim into the state again if it is there, and changes nothing else; if it is not, " +
    "that up stops before anything is deleted."
  );
}

/** A replacement that would delete data. */
export function refusal(olds: Replaced, replaces: readonly string[], isSameName: boolean): string {
  const { lostClaim = null } = olds;
  const reason = lostClaim === null ? "" : `: ${lostClaim}, for which it was made, is gone`;
  const giveUp =
    lostClaim === null
      ? "set protectData to false and run pulumi up before this change"
      : "set protectData to false and run pulumi up";
  return (
    `${replacement(olds, replaces)}${reason}, and its deletionPolicy Delete would delete its data. Next: ` +
    `${wayToKeepData(olds, isSameName)}; to give it up, ${giveUp}.`
  );
}

function wayToKeepData(
  { driver, objects, bucketClassName, lostClaim = null }: Replaced,
  isSameName: boolean,
): string {
  const { object } = wordsOf(driver);
  if (lostClaim !== null) return `to keep the data, copy it out of the ${object} first`;
  if (objects !== undefined) return `to keep the data, ${wayToKeepDataOf(objects.model)}`;
  const renaming = isSameName ? `, which then needs another name for the new ${object}` : "";
  return bucketClassName === undefined
    ? `to keep the data, set deletionPolicy to "Retain" and run pulumi up before this change${renaming} (the old ${object} can then be taken over by its id)`
    : `to keep the data, copy it out of the ${object} first (editing the class ${bucketClassName} changes no existing ${object})`;
}

/** A bucket that may be somebody else's is never deleted. */
export function adoptionRefusal({ name, driver }: BucketOutputs): string {
  return (
    `the ${wordsOf(driver).object} ${name} of driver ${driver.driverName} was there before its create was answered and was taken over by ` +
    'nameAsId, so it may be somebody else\'s and is never deleted. Next: set deletionPolicy to "Retain".'
  );
}
