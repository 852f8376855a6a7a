import * as pulumi from "@pulumi/pulumi";
import {
  credentialProtocols,
  inputKeys,
  ownedAccount,
  type AccessInputs,
  type AccessOutputs,
} from "./bucket-access-state";
import type { AuthenticationType } from "./contracts/contract";
import { isOtherDriver, keepIdentity } from "./driver-reference";
import { CheckFailures } from "./dynamic/check-failures";
import { describeResource, keepClassCopy, keepParent } from "./dynamic/kept-inputs";
import { select } from "./dynamic/select";
import { containsUnknown, isUnknown, sameValue } from "./dynamic/values";
import { mapSizeProblem } from "./limits";
import { keepObjects } from "./models/objects";
import { computedName, nameProblem } from "./naming";
import { accountsOfRun } from "./run-ownership";

const authenticationTypes: readonly AuthenticationType[] = ["Key", "IAM"];

/** Judges the inputs and fills in what the program leaves out; what is in the state already stays. */
export function check(
  olds: Partial<AccessInputs>,
  news: AccessInputs,
): pulumi.dynamic.CheckResult<AccessInputs> {
  const failures = new CheckFailures();
  const inputs: AccessInputs = {
    ...news,
    driver: keepIdentity(olds.driver, news.driver),
    logicalName: olds.logicalName ?? news.logicalName,
  };
  keepParent(olds, inputs);
  keepBucket(olds, inputs);
  const objects = keepObjects(olds.objects, news.objects);
  if (objects !== undefined) inputs.objects = objects;
  keepClassCopy(olds, inputs, "bucketAccessClassName", ["parameters", "authenticationType"]);
  inputs.authenticationType = normalised(inputs.authenticationType);
  failures.judge("authenticationType", inputs.authenticationType, (value) =>
    authenticationTypes.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}, and the types are: ${authenticationTypes.join(", ")}`,
  );
  failures.judge("protocol", inputs.protocol, (value) =>
    credentialProtocols.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}, and the protocols are: ${credentialProtocols.join(", ")}`,
  );
  failures.judge("parameters", inputs.parameters, (value) =>
    containsUnknown(value) ? undefined : mapSizeProblem(value),
  );
  failures.judge("bucketId", inputs.bucketId, (value) =>
    value === "" ? "is empty: the access needs a bucket that exists" : undefined,
  );
  failures.judge("revokeNotFound", inputs.revokeNotFound, (value) =>
    ["fail", "ignore"].includes(value) ? undefined : `is ${JSON.stringify(value)}: give "fail" or "ignore"`,
  );
  failures.judge("name", news.name, nameProblem);
  inputs.name = news.name ?? olds.name ?? computeName(inputs);
  judgeSender(failures, news, inputs);
  accountsOfRun.register(select(inputs, inputKeys));
  return failures.result(inputs);
}

/** A driver answers an equal name with the same account, and each of two resources would think it its own. */
function judgeSender(
  failures: CheckFailures,
  { logicalName, parent }: AccessInputs,
  inputs: AccessInputs,
): void {
  const { driver, name } = inputs;
  if (containsUnknown([driver.seed, name, parent])) return;
  const other = accountsOfRun.otherSender(driver, [String(name)], describeResource(logicalName, parent));
  if (other === undefined) return;
  failures.add(
    "name",
    `${JSON.stringify(name)} is sent to driver ${driver.driverName} by the access ${other} too: give one of them another name`,
  );
}

/** An update of the bucket leaves its id unknown in the preview; under the same name it is the same bucket. */
function keepBucket(olds: Partial<AccessInputs>, inputs: AccessInputs): void {
  if (olds.bucketName === undefined || olds.bucketName !== inputs.bucketName) return;
  if (isUnknown(inputs.bucketId) && olds.bucketId !== undefined) inputs.bucketId = olds.bucketId;
  if (!containsUnknown(inputs.bucketInfo)) return;
  if (olds.bucketInfo === undefined) delete inputs.bucketInfo;
  else inputs.bucketInfo = olds.bucketInfo;
}

/** `KEY` and `key` are found in drivers' examples. */
function normalised(type: AuthenticationType | undefined): AuthenticationType {
  if (type === undefined) return "Key";
  if (typeof type !== "string") return type;
  return authenticationTypes.find((known) => known.toLowerCase() === type.toLowerCase()) ?? type;
}

/** Everything that the account's name depends on; a driver refuses a known name with other attributes. */
export function accessIdentity({
  driver,
  parent,
  bucketName,
  authenticationType,
  parameters,
}: AccessInputs): object {
  return { parent, driverName: driver.driverName, bucketName, authenticationType, parameters };
}

function computeName(inputs: AccessInputs): string {
  const identity = accessIdentity(inputs);
  const unknown = isUnknown(inputs.driver.seed) || containsUnknown(identity);
  return unknown
    ? pulumi.runtime.unknownValue
    : computedName(inputs.driver.seed, inputs.logicalName, identity);
}

/** Says what a change means. An access holds no data, so none is refused. */
export function diff(olds: AccessOutputs, news: AccessInputs): pulumi.dynamic.DiffResult {
  const replaces = replacingInputs(olds, news);
  if (replaces.length > 0) return { changes: true, replaces, deleteBeforeReplace: true };
  if (accountsOfRun.isRegistered(select(news, inputKeys))) {
    accountsOfRun.keep(ownedAccount(olds, olds.accountId));
  }
  return { changes: olds.granted === null || olds.drift !== null || !sameInputs(olds, news), replaces: [] };
}

function replacingInputs(olds: AccessOutputs, news: AccessInputs): string[] {
  const replaces: string[] = [];
  // The bucket is what the access belongs to: if it is not known which, the old account goes with the old bucket.
  if (isUnknown(news.bucketName) || news.bucketName !== olds.bucketName) replaces.push("bucketName");
  else if (!isUnknown(news.bucketId) && news.bucketId !== olds.bucketId) replaces.push("bucketId");
  const unknownOwner = isUnknown(news.name) && news.objects !== undefined;
  if (unknownOwner || (!isUnknown(news.name) && news.name !== olds.name)) replaces.push("name");
  if (!isUnknown(news.authenticationType) && news.authenticationType !== olds.authenticationType) {
    replaces.push("authenticationType");
  }
  if (!containsUnknown(news.parameters) && !sameValue(olds.parameters ?? {}, news.parameters ?? {})) {
    replaces.push("parameters");
  }
  if (!isUnknown(news.protocol) && !sameValue(olds.protocol, news.protocol)) replaces.push("protocol");
  if (isOtherDriver(olds.driver, news.driver)) replaces.push("driver");
  return replaces;
}

function sameInputs(olds: AccessOutputs, news: AccessInputs): boolean {
  return inputKeys.every((key) => {
    const [before, after] =
      key === "parameters" ? [olds.parameters ?? {}, news.parameters ?? {}] : [olds[key], news[key]];
    return !containsUnknown(after) && sameValue(before, after);
  });
}
