import * as pulumi from "@pulumi/pulumi";
import { adopted, existingAccountProblem, takenAccount } from "./existing-account";
import { placeProblem, termsProblem } from "./permitted";
import { rememberGranted } from "./granted-secrets";
import { loginOf } from "./handed-out";
import { lineOf, planRotation, rotatedName, rotationProblem } from "./rotation";
import { credentialProtocols, inputKeys, type AccessInputs } from "./inputs";
import { askedAccount, ownedAccount, type AccessOutputs } from "./state";
import type { AuthenticationType } from "../contracts/contract";
import { contractProblem } from "../contracts/made-by";
import { knownContract, propertyName, wordsOf } from "../contracts/registry";
import { keepClassDriver } from "../driver-resource/class-driver";
import { judgeContract } from "../driver-resource/contract-change";
import {
  isOtherDriver,
  keepIdentity,
  referenceOutput,
  sameReference,
} from "../driver-resource/driver-reference";
import { CheckFailures } from "../dynamic/check-failures";
import { describeResource, keepClassCopy, keepParent } from "../dynamic/kept-inputs";
import { withSecretParameters } from "../dynamic/secret-input";
import { select } from "../dynamic/select";
import { containsUnknown, isUnknown, sameValue, withoutNulls } from "../dynamic/values";
import { identityChanges } from "../kubernetes/identity";
import { keepObjects } from "../models/objects";
import { computedName, nameProblem } from "../fields/naming";
import { senderProblem } from "../run/one-sender";
import { parametersProblem } from "../fields/parameters";
import { secretsOfRun } from "../run/one-secret";
import { driversOfRun } from "../run/drivers";
import { ownersOfRun } from "../run/owners";
import { rotationsOfRun, type RecordedRotation, type Rotation } from "../run/rotations";
import { revokeNotFoundMeanings } from "../run/revoke-outcome";
import { warnOfPlainId } from "../run/plain-id";
import { revokeWordsOfRun } from "../run/revoke-words";
import { successionsOfRun } from "../run/successions";
import { objectsOfRun } from "../run/objects-of-run";
import { accountsOfRun } from "../run/run-ownership";
import { warn } from "../run/warning";

const authenticationTypes: readonly AuthenticationType[] = ["Key", "IAM"];

/**
 * Judges the inputs and fills in what the program leaves out; what is in the state already stays.
 *
 * @param resourceKind What the program calls the kind of resource that the access is to.
 */
export function check(
  olds: Partial<AccessInputs>,
  { nameIsSecret, ...program }: AccessInputs,
  resourceKind = "cosi.Bucket",
): pulumi.dynamic.CheckResult<AccessInputs> {
  const failures = new CheckFailures();
  const news = withoutNestedNulls(program);
  const inputs: AccessInputs = {
    ...news,
    driver: keepIdentity(olds.driver, news.driver),
    logicalName: olds.logicalName ?? news.logicalName,
  };
  keepParent(olds, inputs);
  noteEntry(olds, news, inputs);
  keepBucket(olds, inputs);
  const objects = keepObjects(olds.objects, news.objects);
  if (objects !== undefined) inputs.objects = objects;
  keepClassCopy(olds, inputs, "bucketAccessClassName", ["parameters", "authenticationType", "policyActions"]);
  const keepsDriver = keepClassDriver(olds, inputs, "bucketAccessClassName");
  judgeContract(failures, olds, inputs.driver, true);
  const given = inputs.authenticationType;
  inputs.authenticationType = normalised(given);
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
  failures.judge("parameters", inputs.parameters, (value) => parametersProblem(value, inputs.driver));
  const { driver: asked, policyActions } = inputs;
  failures.judge("parameters", inputs.parameters, (parameters) =>
    placeProblem({ driver: asked, parameters }),
  );
  failures.judge(
    "policyActions",
    policyActions ?? undefined,
    () => termsProblem(inputs) ?? placeProblem({ driver: asked, policyActions: policyActions ?? null }),
  );
  failures.judge("serviceAccount", inputs.serviceAccount ?? undefined, () => termsProblem(inputs));
  const madeOtherwise = contractProblem(inputs.driver, resourceKind, true);
  if (madeOtherwise !== undefined) failures.add("driver", madeOtherwise);
  judgeBucket(failures, inputs);
  if (knownContract(inputs.driver.contract)?.grantsAtCreate === true) {
    failures.add(
      "driver",
      `has the contract ${inputs.driver.contract}, where an account comes with its cosi.Bucket, as the output credentials: use ` +
        "that one, and for a further account another cosi.Bucket with existingBucketId",
    );
  }
  failures.judge("revokeNotFound", inputs.revokeNotFound, (value) =>
    revokeNotFoundMeanings.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}: give "fail" or "ignore"`,
  );
  // One that is an object's has that one's limit, and the contract has none.
  if (inputs.objects?.account === undefined)
    failures.judge("name", news.name, (value) => nameProblem(value, inputs.driver));
  failures.judge("rotation", news.rotation, rotationProblem);
  failures.judge("existingAccount", news.existingAccount, (value) => existingAccountProblem(value, inputs));
  const name = nameAccount(olds, news, inputs);
  inputs.name = name;
  if (nameIsSecret === true && olds.name !== name) warnOfPlainId("access", news.logicalName, "name");
  sayRevokeWord(olds, inputs);
  const { driver, authenticationType } = inputs;
  // A driver answers an equal name with the same account.
  const problem = senderProblem(accountsOfRun, "access", { driver, name, resource: news });
  if (problem !== undefined) failures.add("name", problem);
  // What the resource is called in the state it keeps until it is replaced.
  const names = [
    describeResource(news.logicalName, news.parent),
    describeResource(inputs.logicalName, inputs.parent),
  ] as const;
  if (adopted(inputs) === undefined) accountsOfRun.want(askedAccount({ ...inputs, name }), ...names);
  takeGivenAccount(inputs, names);
  failures.judge("objects", inputs.objects, (known) => secretsOfRun.problem(known, news));
  const isNew = olds.authenticationType !== authenticationType;
  if (isNew && typeof given === "string" && given !== authenticationType) {
    warn(
      "access",
      news.logicalName,
      `authenticationType ${JSON.stringify(given)} is taken as "${authenticationType}"`,
    );
  }
  objectsOfRun.want(inputs.objects, names);
  accountsOfRun.register(select(inputs, inputKeys));
  const kept = keepsDriver ? { ...inputs, driver: referenceOutput(inputs.driver) } : inputs;
  return failures.result(withSecretParameters(kept));
}

/** Keeps the account that a program takes by its id: an entry of this run that goes, be it the resource's own, leaves it. */
function takeGivenAccount(
  { driver, bucketId, existingAccount }: AccessInputs,
  takers: readonly string[],
): void {
  if (existingAccount === undefined || isUnknown(existingAccount)) return;
  accountsOfRun.take({ driver, ids: [[bucketId, existingAccount.accountId]] }, takers);
}

/** What is `null` within an input is left out, as an input is that is `null` itself. */
function withoutNestedNulls({ rotation, existingAccount, ...inputs }: AccessInputs): AccessInputs {
  return {
    ...inputs,
    ...(rotation === undefined ? {} : { rotation: withoutTrigger(rotation) }),
    ...(existingAccount === undefined
      ? {}
      : { existingAccount: isUnknown(existingAccount) ? existingAccount : withoutNulls(existingAccount) }),
  };
}

/** A trigger of `null` is none. An age is left as it is: one that is no number comes as `null` too. */
function withoutTrigger(rotation: Rotation): Rotation {
  if (isUnknown(rotation) || !sameValue(rotation.trigger, null)) return rotation;
  const given = { ...rotation };
  delete given.trigger;
  return given;
}

/** Has the run know what the program says of NOT_FOUND, for what the state has of this access too. */
function sayRevokeWord(olds: Partial<AccessInputs>, inputs: AccessInputs): void {
  if (isUnknown(inputs.revokeNotFound)) return;
  const lines = [lineOf(inputs)];
  if (olds.driver !== undefined) lines.push(lineOf({ ...olds, driver: olds.driver }));
  revokeWordsOfRun.say(lines, inputs.revokeNotFound);
}

/** Has the run know where the driver is, and whether the state has the resource, or it is made anew. */
function noteEntry(olds: Partial<AccessInputs>, news: AccessInputs, inputs: AccessInputs): void {
  driversOfRun.note(inputs.driver);
  const resource = describeResource(news.logicalName, news.parent);
  const entry = olds.name === undefined ? undefined : describeResource(inputs.logicalName, inputs.parent);
  accountsOfRun.enter(inputs.driver, resource, entry);
}

/**
 * The account's name, with how far its rotation has come. For a replacement the engine asks a second time, then without
 * the state, and means the same rotation; for an access that goes with its bucket it asks only so.
 */
function nameAccount(olds: Partial<AccessInputs>, news: AccessInputs, inputs: AccessInputs): string {
  const resource = describeResource(news.logicalName, news.parent);
  const exists = olds.name !== undefined;
  const before = exists ? undefined : rotationsOfRun.retiring(resource);
  const kept = olds.rotation?.firstName ?? olds.name ?? before?.firstName;
  const firstName = news.name ?? kept ?? computeName(inputs);
  // Whoever has asked for the first account asks for those of its rotations.
  inputs.driver = ownersOfRun.keep(inputs.driver, [resource, firstName], exists);
  if (isUnknown(news.rotation)) return olds.name ?? firstName;
  if (exists) rotationsOfRun.record(resource, recordedRotation(olds));
  const rotation = planRotation(rotationsOfRun.recorded(resource), news.rotation, new Date());
  if (rotation === undefined) return firstName;
  if (exists) {
    const entry = describeResource(inputs.logicalName, inputs.parent);
    rotationsOfRun.plan(resource, { ...rotation, kept: entry, name: olds.name ?? firstName });
  }
  const { since: began, ...schedule } = rotation;
  const planned = exists ? undefined : rotationsOfRun.planned(resource);
  const { generation } = planned ?? rotation;
  inputs.rotation = { ...schedule, generation, firstName };
  inputs.rotationSince = planned?.since ?? began;
  return rotatedName(firstName, generation);
}

/** How far a rotation has come, and when. */
function recordedRotation({ rotation, rotationSince }: Partial<AccessInputs>): RecordedRotation {
  return rotation === undefined ? {} : { rotation: { ...rotation, since: rotationSince } };
}

/** GRPC-013: no grant without the id that a create told. */
function judgeBucket(
  failures: CheckFailures,
  { driver, bucketId, bucketName }: Pick<AccessInputs, "driver"> & Partial<AccessInputs>,
): void {
  const { object } = wordsOf(driver);
  const idProperty = propertyName(driver, "bucketId");
  if (bucketId === undefined) {
    failures.add(
      idProperty,
      `is missing: the ${object} ${JSON.stringify(bucketName)} has no id yet, as its create did not succeed; run pulumi up ` +
        `with the ${object} first`,
    );
  }
  failures.judge(idProperty, bucketId, (value) =>
    value === "" ? `is empty: the access needs a ${object} that exists` : undefined,
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
function accessIdentity({
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
  rememberGranted(olds);
  const replaces = replacingInputs(olds, news);
  if (replaces.length > 0) {
    rotationsOfRun.record(describeResource(olds.logicalName, olds.parent), recordedRotation(olds));
    successionsOfRun.endFirst(lineOf(olds), olds.name);
    objectsOfRun.replace(olds.objects);
    return { changes: true, replaces, deleteBeforeReplace: true };
  }
  if (rotates(olds, news)) {
    // The old account is revoked at the end of the run, when everything has taken to the new one.
    const { name, accountId } = olds;
    const firstName = olds.rotation?.firstName ?? name;
    const account = { name, firstName, accountId, adopted: takenAccount(olds) !== undefined };
    rotationsOfRun.retire(describeResource(olds.logicalName, olds.parent), account);
    return { changes: true, replaces: ["rotation"], deleteBeforeReplace: false };
  }
  if (accountsOfRun.isRegistered(select(news, inputKeys))) {
    accountsOfRun.keep(ownedAccount(olds, olds.accountId), describeResource(olds.logicalName, olds.parent));
    objectsOfRun.use(olds.objects);
    if (olds.granted === null) successionsOfRun.await(lineOf(olds), olds.name);
    else successionsOfRun.serve(lineOf(olds), olds.name, loginOf(olds.granted));
  }
  return {
    changes: olds.granted === null || (olds.drift ?? null) !== null || !sameInputs(olds, news),
    replaces: [],
  };
}

function rotates({ rotation: before }: AccessInputs, { rotation: after }: AccessInputs): boolean {
  return !isUnknown(after) && (after?.generation ?? 0) !== (before?.generation ?? 0);
}

function replacingInputs(olds: AccessOutputs, news: AccessInputs): string[] {
  const replaces: string[] = [];
  // The bucket is what the access belongs to: if it is not known which, the old account goes with the old bucket.
  if (isUnknown(news.bucketName) || news.bucketName !== olds.bucketName) replaces.push("bucketName");
  else if (!isUnknown(news.bucketId) && news.bucketId !== olds.bucketId) replaces.push("bucketId");
  const [before, after] = isUnknown(news.rotation)
    ? [olds.name, news.name]
    : [firstNameOf(olds), firstNameOf(news)];
  const unknownOwner = isUnknown(after) && news.objects !== undefined;
  if (unknownOwner || (!isUnknown(after) && after !== before)) replaces.push("name");
  if (!isUnknown(news.authenticationType) && news.authenticationType !== olds.authenticationType) {
    replaces.push("authenticationType");
  }
  if (!containsUnknown(news.parameters) && !sameValue(olds.parameters ?? {}, news.parameters ?? {})) {
    replaces.push("parameters");
  }
  if (!isUnknown(news.protocol) && !sameValue(olds.protocol, news.protocol)) replaces.push("protocol");
  for (const key of ["policyActions", "serviceAccount"] as const) {
    if (!containsUnknown(news[key]) && !sameValue(olds[key], news[key])) replaces.push(key);
  }
  if (isOfOtherRequest(olds, news)) replaces.push("objects");
  if (isOtherDriver(olds.driver, news.driver)) replaces.push("driver");
  if (!rotates(olds, news) && isOtherAccount(olds, news)) replaces.push("existingAccount");
  return replaces;
}

/** True where a request asks for the account, whose name says nothing of that one's UID, and it is another one. */
function isOfOtherRequest({ objects: before }: AccessOutputs, { objects: after }: AccessInputs): boolean {
  if (before?.account === undefined || before.account === null || after === undefined) return false;
  const isBoundElsewhere = !containsUnknown(after.claim) && !sameValue(before.claim, after.claim);
  return (
    isBoundElsewhere ||
    identityChanges({ access: before.access }, { access: after.access }, ["access"]).length > 0
  );
}

/** True if the access goes to another account that exists, or from one to one of the driver's, or back. */
function isOtherAccount(olds: AccessInputs, news: AccessInputs): boolean {
  const [before, after] = [adopted(olds), adopted(news)];
  return !isUnknown(after) && !isUnknown(after?.accountId) && before?.accountId !== after?.accountId;
}

/** A rotation changes the name of the account, and not which access it is of. */
function firstNameOf({ name, rotation }: AccessInputs): string | undefined {
  return rotation?.firstName ?? name;
}

function sameInputs(olds: AccessOutputs, news: AccessInputs): boolean {
  return inputKeys.every((key) => {
    const value = news[key];
    if (containsUnknown(value)) return false;
    if (key === "driver") return sameReference(olds.driver, news.driver);
    return key === "parameters"
      ? sameValue(olds.parameters ?? {}, news.parameters ?? {})
      : sameValue(olds[key], value);
  });
}
