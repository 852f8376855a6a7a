import * as pulumi from "@pulumi/pulumi";
import {
  deletesInBackend,
  deletionPolicies,
  inputKeys,
  ownedBucket,
  type BucketInputs,
  type BucketOutputs,
} from "./bucket-state";
import { isOtherDriver, keepIdentity } from "./driver-reference";
import { CheckFailures } from "./dynamic/check-failures";
import { describeResource, keepClassCopy, keepParent } from "./dynamic/kept-inputs";
import { select } from "./dynamic/select";
import { containsUnknown, isUnknown, sameValue } from "./dynamic/values";
import { mapSizeProblem } from "./limits";
import { keepObjects } from "./models/objects";
import { computedName, nameProblem } from "./naming";
import { bucketsOfRun } from "./run-ownership";

/** Judges the inputs and fills in what the program leaves out; what is in the state already stays. */
export function check(
  olds: Partial<BucketInputs>,
  news: BucketInputs,
): pulumi.dynamic.CheckResult<BucketInputs> {
  const failures = new CheckFailures();
  const inputs: BucketInputs = {
    ...news,
    driver: keepIdentity(olds.driver, news.driver),
    logicalName: olds.logicalName ?? news.logicalName,
    protectData: news.protectData ?? true,
  };
  keepParent(olds, inputs);
  const objects = keepObjects(olds.objects, news.objects);
  if (objects !== undefined) inputs.objects = objects;
  keepClassCopy(olds, inputs, "bucketClassName", ["parameters", "deletionPolicy"]);
  inputs.deletionPolicy ??= "Retain";
  failures.judge("deletionPolicy", inputs.deletionPolicy, (value) =>
    deletionPolicies.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}, and the policies are: ${deletionPolicies.join(", ")}`,
  );
  failures.judge("parameters", inputs.parameters, (value) =>
    containsUnknown(value) ? undefined : mapSizeProblem(value),
  );
  failures.judge("existingBucketId", inputs.existingBucketId, (value) => {
    if (value === "") {
      return "is empty: give the id of the bucket that exists, or leave existingBucketId out to have one made";
    }
    return inputs.deletionPolicy === "Delete"
      ? 'is given with deletionPolicy "Delete", but a bucket that exists already is never deleted: use "Retain"'
      : undefined;
  });
  if (inputs.existingBucketId !== undefined && news.name !== undefined) {
    failures.add(
      "name",
      "is given beside existingBucketId, which names the bucket already: leave one of them out",
    );
  }
  failures.judge("name", news.name, nameProblem);
  const name = inputs.existingBucketId ?? news.name ?? olds.name ?? computeName(inputs);
  inputs.name = name;
  inputs.onDelete = onDelete(inputs);
  if (inputs.existingBucketId === undefined) judgeSender(failures, news, inputs);
  bucketsOfRun.register(select(inputs, inputKeys));
  return failures.result(inputs);
}

/** A driver answers an equal name with the same bucket, and each of two resources would think it its own. */
function judgeSender(
  failures: CheckFailures,
  { logicalName, parent }: BucketInputs,
  inputs: BucketInputs,
): void {
  const { driver, name } = inputs;
  if (containsUnknown([driver.seed, name, parent])) return;
  const other = bucketsOfRun.otherSender(driver, [String(name)], describeResource(logicalName, parent));
  if (other === undefined) return;
  failures.add(
    "name",
    `${JSON.stringify(name)} is sent to driver ${driver.driverName} by the bucket ${other} too: give one of them another name`,
  );
}

function computeName(inputs: BucketInputs): string {
  const { driver, logicalName, parent, parameters } = inputs;
  if (
    isUnknown(driver.seed) ||
    isUnknown(driver.driverName) ||
    isUnknown(parent) ||
    containsUnknown(parameters)
  ) {
    return pulumi.runtime.unknownValue;
  }
  return computedName(driver.seed, logicalName, { parent, driverName: driver.driverName, parameters });
}

function onDelete({ existingBucketId, deletionPolicy, name }: BucketInputs): string {
  if (existingBucketId !== undefined) return "keeps the bucket and its data (it existed before)";
  if (isUnknown(deletionPolicy)) return pulumi.runtime.unknownValue;
  if (deletionPolicy !== "Delete") return "keeps the bucket and its data (deletionPolicy Retain)";
  return isUnknown(name)
    ? pulumi.runtime.unknownValue
    : `DELETES the bucket ${String(name)} and what the driver deletes with it (deletionPolicy Delete)`;
}

/** Inputs of which a change cannot be made in place. */
function replacingInputs(olds: BucketOutputs, news: BucketInputs): string[] {
  const replaces: string[] = [];
  const unknownIdentity = isUnknown(news.name) && news.objects !== undefined;
  if (unknownIdentity || (!isUnknown(news.name) && news.name !== olds.name)) {
    replaces.push(news.existingBucketId === undefined ? "name" : "existingBucketId");
  }
  if (!isUnknown(news.existingBucketId) && !sameValue(olds.existingBucketId, news.existingBucketId)) {
    if (!replaces.includes("existingBucketId")) replaces.push("existingBucketId");
  }
  if (!containsUnknown(news.parameters) && !sameParameters(olds.parameters, news.parameters)) {
    replaces.push("parameters");
  }
  if (isOtherDriver(olds.driver, news.driver)) replaces.push("driver");
  return replaces;
}

/** An absent map and an empty one are the same on the wire. */
function sameParameters(
  olds: Record<string, string> | undefined,
  news: Record<string, string> | undefined,
): boolean {
  return sameValue(olds ?? {}, news ?? {});
}

/** Says what a change means, and refuses one that would delete data by the way. */
export function diff(olds: BucketOutputs, news: BucketInputs): pulumi.dynamic.DiffResult {
  const replaces = replacingInputs(olds, news);
  if (replaces.length > 0) {
    if (wouldDeleteData(olds)) throw new Error(refusal(olds, replaces));
    return { changes: true, replaces, deleteBeforeReplace: true };
  }
  if (bucketsOfRun.isRegistered(select(news, inputKeys))) bucketsOfRun.keep(ownedBucket(olds, olds.bucketId));
  return { changes: olds.bucketId === null || olds.drift !== null || !sameInputs(olds, news), replaces: [] };
}

function refusal(olds: BucketOutputs, replaces: readonly string[]): string {
  const keepData =
    olds.bucketClassName === undefined
      ? `to keep the data, set deletionPolicy to "Retain" and run pulumi up before this change (the old bucket can then be taken over by its id)`
      : `to keep the data, copy it out of the bucket first (an edit of the class ${olds.bucketClassName} changes no bucket that exists)`;
  return (
    `the bucket ${olds.name} of driver ${olds.driver.driverName} would be replaced because of ${replaces.join(", ")}, and its ` +
    `deletionPolicy Delete would delete its data. Next: ${keepData}; to give it up, set protectData to false and run ` +
    `pulumi up before this change.`
  );
}

function wouldDeleteData(olds: BucketOutputs): boolean {
  return deletesInBackend(olds) && olds.bucketId !== null && olds.protectData;
}

function sameInputs(olds: BucketOutputs, news: BucketInputs): boolean {
  return inputKeys.every((key) => {
    const value = news[key];
    if (key === "parameters" && !containsUnknown(value))
      return sameParameters(olds.parameters, news.parameters);
    return !containsUnknown(value) && sameValue(olds[key], value);
  });
}
