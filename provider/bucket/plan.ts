import * as pulumi from "@pulumi/pulumi";
import { computeBucketName } from "./naming";
import {
  deletesInBackend,
  deletionPolicies,
  inputKeys,
  ownedBucket,
  type BucketInputs,
  type BucketOutputs,
} from "./state";
import {
  adoptionRefusal,
  byOption,
  nameRefusal,
  parametersRefusal,
  refusal,
  untoldRefusal,
} from "./refusals";
import { ownedAccountOf, revokedEntry } from "./account-state";
import type { AccessMode, AnonymousAccess, Protocol } from "../contracts/contract";
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
import { containsUnknown, isUnknown, sameValue } from "../dynamic/values";
import { warnOfLongId } from "../fields/issued";
import { keepObjects } from "../models/objects";
import { takesGrantsAtCreate } from "../models/registry";
import { nameProblem } from "../fields/naming";
import { AskedReplacements } from "../run/asked-replacements";
import { driversOfRun } from "../run/drivers";
import { isUnprotected } from "../run/given-up";
import { nextNamesOfRun } from "../run/next-names";
import { senderProblem } from "../run/one-sender";
import { ownersOfRun } from "../run/owners";
import { parametersProblem } from "../fields/parameters";
import { revokeNotFoundMeanings } from "../run/revoke-outcome";
import { warnOfPlainId } from "../run/plain-id";
import { revokeWordsOfRun } from "../run/revoke-words";
import { warnOfUnknownIdentity } from "../run/unknown-identity";
import { objectsOfRun } from "../run/objects-of-run";
import { accountsOfRun, bucketsOfRun } from "../run/run-ownership";

/**
 * Judges the inputs and fills in what the program leaves out; what is in the state already stays.
 *
 * @param resourceKind What the program calls the kind of resource.
 */
export function check(
  olds: Partial<BucketInputs>,
  { nameIsSecret, ...news }: BucketInputs,
  resourceKind = "cosi.Bucket",
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
  keepExisting(olds, inputs);
  const own = olds.ownDeletionPolicy === true || news.ownDeletionPolicy === true;
  const withAccount = knownContract(inputs.driver.contract)?.grantsAtCreate === true;
  keepClassCopy(olds, inputs, "bucketClassName", [
    "parameters",
    ...(own ? [] : (["deletionPolicy"] as const)),
    // What a class tells of a bucket that exists.
    ...(withAccount && objects !== undefined
      ? (["accessMode", "bucketIdentifier", "existingBucketId"] as const)
      : []),
  ]);
  driversOfRun.note(inputs.driver);
  const keepsDriver = keepClassDriver(olds, inputs, "bucketClassName");
  judgeContract(failures, olds, inputs.driver);
  const { object } = wordsOf(inputs.driver);
  const existingId = propertyName(inputs.driver, "existingBucketId");
  const madeOtherwise = contractProblem(inputs.driver, resourceKind);
  if (madeOtherwise !== undefined) failures.add("driver", madeOtherwise);
  inputs.deletionPolicy ??= "Retain";
  failures.judge("deletionPolicy", inputs.deletionPolicy, (value) =>
    deletionPolicies.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}, and the policies are: ${deletionPolicies.join(", ")}`,
  );
  failures.judge("parameters", inputs.parameters, (value) => parametersProblem(value, inputs.driver));
  failures.judge("protocol", inputs.protocol, (value) => protocolProblem(value, inputs.driver));
  failures.judge("anonymousAccess", inputs.anonymousAccess, (value) => accessProblem(value, inputs.driver));
  for (const key of ["deleteTimeoutSeconds", "readyTimeoutSeconds"] as const) {
    failures.judge(key, inputs[key], (value) =>
      Number.isFinite(value) && value > 0 ? undefined : `is ${value}: give a number above 0`,
    );
  }
  failures.judge(existingId, inputs.existingBucketId, (value) => {
    if (value === "") {
      return `is empty: give the id of the ${object} that exists, or leave ${existingId} out to have one made`;
    }
    return inputs.deletionPolicy === "Delete"
      ? `is given with deletionPolicy "Delete", but a ${object} that exists already is never deleted: use "Retain"`
      : undefined;
  });
  judgeAccount(failures, inputs);
  // That of a component is the name that a new bucket would have.
  if (inputs.existingBucketId !== undefined && news.name !== undefined && objects === undefined) {
    failures.add(
      "name",
      `is given beside ${existingId}, which names the ${object} already: leave one of them out`,
    );
  }
  failures.judge("name", news.name, (value) => nameProblem(value, inputs.driver));
  inputs.name = inputs.existingBucketId ?? news.name ?? olds.name ?? computeBucketName(inputs);
  keepOriginOfName(olds, inputs, news.name);
  if (nameIsSecret === true && olds.name !== inputs.name) {
    const property = news.name === undefined ? existingId : "name";
    warnOfPlainId(object, news.logicalName, property);
  }
  if (withAccount) sayRevokeWord(olds, inputs);
  const resource = describeResource(news.logicalName, news.parent);
  inputs.driver = ownersOfRun.keep(inputs.driver, [resource, inputs.name], olds.name !== undefined);
  inputs.onDelete = onDelete(inputs);
  const kept = describeResource(inputs.logicalName, inputs.parent);
  const entry = entryOf(inputs.driver, resource);
  if (olds.driver !== undefined) {
    replacementsOfRun.enter(entry, entryOf(olds.driver, kept), { ...olds, driver: olds.driver });
  } else judgeUnasked(failures, inputs, replacementsOfRun.unasked(entry));
  noteEntry(inputs.driver, resource, olds.name === undefined ? undefined : kept);
  if (inputs.existingBucketId === undefined) {
    const { driver, name } = inputs;
    // A driver answers an equal name with the same bucket.
    const problem = senderProblem(bucketsOfRun, object, { driver, name, resource: news });
    if (problem !== undefined) failures.add("name", problem);
    // What the resource is called in the state it keeps until it is replaced.
    bucketsOfRun.want(ownedBucket({ ...inputs, name }, null), resource, kept);
  } else {
    takeGivenId(inputs.existingBucketId, inputs.driver, inputs.existingBucketId !== olds.existingBucketId);
  }
  objectsOfRun.want(inputs.objects, [resource, kept]);
  bucketsOfRun.register(select(inputs, inputKeys));
  if (objects === undefined) {
    nextNamesOfRun.note(select(inputs, inputKeys), news.name ?? computeBucketName(news));
  }
  const checked = keepsDriver ? { ...inputs, driver: referenceOutput(inputs.driver) } : inputs;
  return failures.result(withSecretParameters(checked));
}

/** What the state has of a bucket whose replacement `diff` is not asked about. */
type UnaskedEntry = Partial<BucketInputs> & Pick<BucketInputs, "driver">;

/** Of this process: Pulumi starts one host per preview and one per update. */
export const replacementsOfRun = new AskedReplacements<UnaskedEntry>();

/** A bucket and a deployment may have one name in the program. */
function entryOf(driver: BucketInputs["driver"], resource: string): string {
  return `${wordsOf(driver).object} ${resource}`;
}

/** Refuses a replacement that an option of the resource asks for as `diff` refuses one of an input. */
function judgeUnasked(failures: CheckFailures, inputs: BucketInputs, before: UnaskedEntry | undefined): void {
  if (before?.name === undefined || before.existingBucketId !== undefined) return;
  // With another Driver it is another bucket, of which `diff` is asked.
  if (before.driver.seed !== inputs.driver.seed) return;
  const { name, protectData = true, deletionPolicy } = before;
  const entry = { ...before, name, bucketId: name };
  const isSameName = inputs.name === name && inputs.existingBucketId === undefined;
  if (deletionPolicy === "Delete") {
    if (protectData) failures.add("protectData:", refusal(entry, [byOption], isSameName));
  } else if (isSameName && inputs.objects === undefined) {
    failures.add("name:", nameRefusal(entry, [byOption]));
  }
}

/** Has the run know whether the state has the resource, with its account, or it is made anew. */
function noteEntry(driver: BucketInputs["driver"], resource: string, entry: string | undefined): void {
  bucketsOfRun.enter(driver, resource, entry);
  accountsOfRun.enter(driver, accountEntry(resource), entry === undefined ? undefined : accountEntry(entry));
}

/** Among the accounts of the run, which are those of accesses too, the names of these may be equal. */
function accountEntry(bucket: string): string {
  return `account of ${bucket}`;
}

/** Has the run know what the program says of NOT_FOUND, for the account that the state has too. */
function sayRevokeWord(olds: Partial<BucketInputs>, inputs: BucketInputs): void {
  if (isUnknown(inputs.revokeNotFound)) return;
  const entries = [revokedEntry(inputs)];
  if (olds.driver !== undefined) entries.push(revokedEntry({ ...olds, driver: olds.driver }));
  revokeWordsOfRun.say(entries, inputs.revokeNotFound);
}

/**
 * Keeps what the state knows of whether the bucket was there before, where a component will be told only at `up`: it is the
 * same bucket as long as the name that belongs to it is.
 */
function keepExisting(olds: Partial<BucketInputs>, inputs: BucketInputs): void {
  const isTold = inputs.objects === undefined || !isUnknown(inputs.existingBucketId);
  if (isTold || olds.name === undefined || isUnknown(inputs.name)) return;
  if (olds.existingBucketId === undefined) delete inputs.existingBucketId;
  else inputs.existingBucketId = olds.existingBucketId;
}

/** Records whether the name is a computed one. One that is in the state stays what it was when it came there. */
function keepOriginOfName(
  olds: Partial<BucketInputs>,
  inputs: BucketInputs,
  given: string | undefined,
): void {
  if (inputs.existingBucketId !== undefined) return;
  if (olds.name === undefined || olds.name !== inputs.name) inputs.nameComputed = given === undefined;
  else if (olds.nameComputed !== undefined) inputs.nameComputed = olds.nameComputed;
}

/**
 * Keeps the bucket that a program takes by its id: an entry of this run that is replaced or dropped for it must not
 * delete it. GRPC-042: the backend issued the id, so it is exempt from the limit.
 */
function takeGivenId(id: string, driver: BucketInputs["driver"], isNew: boolean): void {
  if (isUnknown(id)) return;
  const { object } = wordsOf(driver);
  if (isNew)
    warnOfLongId({ kind: object, name: id, field: propertyName(driver, "existingBucketId"), id, driver });
  if (!containsUnknown(driver)) bucketsOfRun.keep({ driver, ids: [[id]] });
}

function onDelete({ existingBucketId, deletionPolicy, name, driver }: BucketInputs): string {
  const withAccount = knownContract(driver.contract)?.grantsAtCreate === true;
  const { object } = wordsOf(driver);
  const keeps = `${withAccount ? "revokes its account, " : ""}keeps the ${object} and its data`;
  if (isUnknown(existingBucketId)) return pulumi.runtime.unknownValue;
  if (existingBucketId !== undefined) return `${keeps} (it existed before)`;
  if (isUnknown(deletionPolicy)) return pulumi.runtime.unknownValue;
  if (deletionPolicy !== "Delete") return `${keeps} (deletionPolicy Retain)`;
  return isUnknown(name)
    ? pulumi.runtime.unknownValue
    : `DELETES the ${object} ${String(name)} and what the driver deletes with it (deletionPolicy Delete)`;
}

const protocols: readonly Protocol[] = ["S3", "Azure", "GCS"];

function protocolProblem(protocol: Protocol, { contract }: BucketInputs["driver"]): string | undefined {
  if (knownContract(contract)?.namesProtocol === false) {
    return `is given, and the contract ${contract} has no field for it: leave it out`;
  }
  return protocols.includes(protocol)
    ? undefined
    : `is ${JSON.stringify(protocol)}, and the protocols are: ${protocols.join(", ")}`;
}

const accessModes: readonly AccessMode[] = ["ro", "wo", "rw"];

/** What is about the account that a bucket comes with, for a contract that has it so. */
function judgeAccount(failures: CheckFailures, inputs: BucketInputs): void {
  const { driver, objects, accessMode, bucketIdentifier, revokeNotFound } = inputs;
  const known = knownContract(driver.contract);
  if (known === undefined) return;
  const { name: contract, grantsAtCreate, words } = known;
  const { object } = words;
  if (
    !containsUnknown(objects) &&
    objects !== undefined &&
    !takesGrantsAtCreate(objects.model, grantsAtCreate)
  ) {
    failures.add(
      "driver",
      grantsAtCreate
        ? `has the contract ${contract}, where a bucket comes with its credentials, but these objects are for one that grants ` +
            "them by a separate call: use the components of cosi20200227, or another driver"
        : `has the contract ${contract}, where a ${object} comes without credentials, but these objects are for contract ` +
            "cosi-2020-02: use the components of another API model, or another driver",
    );
  }
  for (const [property, value] of Object.entries({ accessMode, bucketIdentifier, revokeNotFound })) {
    if (value === undefined || grantsAtCreate) continue;
    failures.add(
      property,
      `is given, but in the contract ${contract} a ${object} comes without an account: leave it out`,
    );
  }
  failures.judge("accessMode", accessMode, (value) =>
    accessModes.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}, and the modes are: ${accessModes.join(", ")}`,
  );
  failures.judge("revokeNotFound", revokeNotFound, (value) =>
    revokeNotFoundMeanings.includes(value)
      ? undefined
      : `is ${JSON.stringify(value)}: give "fail" or "ignore"`,
  );
  if (bucketIdentifier !== undefined && inputs.existingBucketId === undefined && objects === undefined) {
    failures.add("bucketIdentifier", "is given without existingBucketId, and is for a bucket that exists");
  }
}

const anonymousAccesses: readonly AnonymousAccess[] = ["private", "ro", "wo", "rw"];

function accessProblem(access: AnonymousAccess, { contract }: BucketInputs["driver"]): string | undefined {
  const known = knownContract(contract);
  if (known?.namesProtocol === false || known?.grantsAtCreate === true) {
    return `is given, and the contract ${contract} has no field for it: leave it out`;
  }
  return anonymousAccesses.includes(access)
    ? undefined
    : `is ${JSON.stringify(access)}, and the modes are: ${anonymousAccesses.join(", ")}`;
}

/** Inputs of which a change cannot be made in place. */
function replacingInputs(olds: BucketOutputs, news: BucketInputs): string[] {
  const replaces: string[] = [];
  // Objects that are unknown as a whole: the engine asks what goes with the one that it will replace.
  const unknownIdentity = news.objects !== undefined && (isUnknown(news.name) || isUnknown(news.objects));
  if (unknownIdentity || (!isUnknown(news.name) && news.name !== olds.name)) {
    // A claim that moves to another class is made anew, and its bucket has another name only by that.
    if (news.objects !== undefined && isOtherClass(olds, news)) replaces.push("bucketClassName");
    replaces.push(news.existingBucketId === undefined ? "name" : "existingBucketId");
  }
  if (!isUnknown(news.existingBucketId) && !sameValue(olds.existingBucketId, news.existingBucketId)) {
    if (!replaces.includes("existingBucketId")) replaces.push("existingBucketId");
  }
  // Of a create without a known outcome nobody knows with which of them there is a bucket.
  const isPlain = news.parametersChange === undefined || olds.bucketId === null;
  if (isOtherParameters(olds, news) && isPlain) replaces.push("parameters");
  if (!isUnknown(news.protocol) && !sameValue(olds.protocol, news.protocol)) replaces.push("protocol");
  if (!isUnknown(news.accessMode) && (olds.accessMode ?? "rw") !== (news.accessMode ?? "rw")) {
    replaces.push("accessMode");
  }
  if (
    !containsUnknown(news.bucketIdentifier) &&
    !sameValue(olds.bucketIdentifier ?? {}, news.bucketIdentifier ?? {})
  ) {
    replaces.push("bucketIdentifier");
  }
  if (isOtherDriver(olds.driver, news.driver)) replaces.push("driver");
  return replaces;
}

function isOtherClass(olds: BucketOutputs, news: BucketInputs): boolean {
  return !isUnknown(news.bucketClassName) && !sameValue(olds.bucketClassName, news.bucketClassName);
}

/** True for parameters that are known to be others; an absent map and an empty one are the same on the wire. */
export function isOtherParameters(olds: BucketOutputs, news: BucketInputs): boolean {
  return !containsUnknown(news.parameters) && !sameParameters(olds.parameters, news.parameters);
}

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
    const isSameName = sendsSameName(olds, news, replaces);
    if (wouldDeleteData(olds) && !isGivenUp(olds, news, replaces)) {
      throw new Error(untoldRefusal(olds, news, replaces) ?? refusal(olds, replaces, isSameName));
    }
    if (isSameName && isLeft(olds)) throw new Error(nameRefusal(olds, replaces));
    replacementsOfRun.judge(entryOf(olds.driver, describeResource(news.logicalName, news.parent)));
    return { changes: true, replaces, deleteBeforeReplace: true };
  }
  if (news.objects === undefined) sayUnknownIdentity(olds, news);
  if (olds.adopted && news.deletionPolicy === "Delete") throw new Error(adoptionRefusal(olds));
  if (isOtherParameters(olds, news) && (news.parametersChange !== "resend" || olds.adopted)) {
    throw new Error(parametersRefusal(olds));
  }
  if (bucketsOfRun.isRegistered(select(news, inputKeys))) {
    const entry = describeResource(olds.logicalName, olds.parent);
    bucketsOfRun.keep(ownedBucket(olds, olds.bucketId), entry);
    objectsOfRun.use(olds.objects);
    const account = ownedAccountOf(olds, olds.bucketId, olds);
    if (account !== undefined) accountsOfRun.keep(account, accountEntry(entry));
  }
  const isUnsettled = olds.bucketId === null || olds.parametersUnsettled === true || olds.notReady === true;
  return { changes: isUnsettled || (olds.drift ?? null) !== null || !sameInputs(olds, news), replaces: [] };
}

function sayUnknownIdentity(olds: BucketOutputs, news: BucketInputs): void {
  const { object } = wordsOf(news.driver);
  const existingId = propertyName(news.driver, "existingBucketId");
  // The id is the name, too.
  const name = isUnknown(news.existingBucketId) ? undefined : news.name;
  warnOfUnknownIdentity(object, olds.name, { name, [existingId]: news.existingBucketId });
}

/** True if the new bucket is asked for under the name of the old one. Those of a claim have their names from UIDs. */
function sendsSameName(olds: BucketOutputs, news: BucketInputs, replaces: readonly string[]): boolean {
  if (news.objects !== undefined || news.existingBucketId !== undefined) return false;
  // At another driver nothing has the name.
  if (replaces.includes("driver")) return false;
  return nextNamesOfRun.of(select(news, inputKeys)) === olds.name;
}

/** True if there is, or may be, a bucket that stays when its resource goes. */
function isLeft(olds: BucketOutputs): boolean {
  return !deletesInBackend(olds) && olds.nothingMade !== true;
}

/**
 * True if the program gives up a bucket whose claim is gone. The state cannot take `protectData: false` first: the claim
 * is made anew in the same run, and its bucket has another name from then on.
 */
function isGivenUp(
  { lostClaim = null, objects }: BucketOutputs,
  { protectData }: BucketInputs,
  replaces: readonly string[],
): boolean {
  const unprotected = protectData === false || isUnprotected(objects?.claim);
  return lostClaim !== null && unprotected && replaces.every((property) => property === "name");
}

/** A bucket whose create has no known outcome may exist, and hold data by now; one that was never made has none. */
function wouldDeleteData(olds: BucketOutputs): boolean {
  return deletesInBackend(olds) && olds.protectData && olds.nothingMade !== true;
}

function sameInputs(olds: BucketOutputs, news: BucketInputs): boolean {
  return inputKeys.every((key) => {
    const value = news[key];
    if (containsUnknown(value)) return false;
    if (key === "driver") return sameReference(olds.driver, news.driver);
    if (key === "parameters") return sameParameters(olds.parameters, news.parameters);
    return sameValue(olds[key], value);
  });
}
