import type * as pulumi from "@pulumi/pulumi";
import { grantForBucket, learnAccount, revokeOfBucket } from "./account-calls";
import { hasAccount, ownedAccountOf, rememberAccount } from "./account-state";
import { createBucket, deleteBucket, isOfAnother, learnBucket, type Secrets } from "./calls";
import {
  checked,
  deletesInBackend,
  inputKeys,
  keptAsFailed,
  outputsOf,
  ownedBucket,
  type BucketInputs,
  type BucketOutputs,
  type CheckedInputs,
  type KnownBucket,
} from "./state";
import { isOtherParameters } from "./plan";
import { untilReady } from "./until-ready";
import { untoldInfo } from "./untold-info";
import { bucketWords } from "../contracts/bucket-words";
import type { ContractWords } from "../contracts/contract";
import { propertyName, wordsOf } from "../contracts/registry";
import { driftOf } from "../models/drift";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError, withNothingMade, withProperties } from "../dynamic/failed";
import { describeResource } from "../dynamic/kept-inputs";
import { maskParameters } from "../dynamic/secret-input";
import { select } from "../dynamic/select";
import { isFinalFailure, outcomeIsUnknown, saysAlreadyExists } from "../driver/call/outcome";
import { secretMask } from "../driver/secrets/secret-mask";
import { warnOfBucketId } from "../fields/issued";
import type { BucketObserver } from "../models/model";
import { observeBucket } from "../models/registry";
import { objectsOfRun } from "../run/objects-of-run";
import { accountsOfRun, bucketsOfRun } from "../run/run-ownership";
import { warn } from "../run/warning";

/** Makes the bucket, or takes over the one that exists. */
export async function create(inputs: BucketInputs): Promise<pulumi.dynamic.CreateResult<BucketOutputs>> {
  const known = checked(inputs);
  return { id: known.name, outs: outputsOf(known, await make(known, false)) };
}

/** Finishes a create that failed, or takes over changed settings and restores the objects; neither replaces anything. */
export async function update(
  _id: string,
  olds: BucketOutputs,
  news: BucketInputs,
): Promise<pulumi.dynamic.UpdateResult<BucketOutputs>> {
  const known = checked(news);
  if (olds.bucketId === null) return { outs: outputsOf(known, await make(known, olds.nothingMade !== true)) };
  const { bucketId, bucketInfo, adopted, issued = null } = olds;
  rememberAccount(olds);
  const made = { bucketId, bucketInfo, adopted, issued };
  bucketsOfRun.keep(ownedBucket(known, bucketId));
  objectsOfRun.use(known.objects);
  keepAccount(known, made);
  if ((olds.anonymousAccess ?? "private") !== (known.anonymousAccess ?? "private")) {
    warn(
      wordsOf(known.driver).object,
      known.name,
      "anonymousAccess is sent only with the create: nothing has changed at the driver",
    );
  }
  const isResent = isOtherParameters(olds, known) || olds.parametersUnsettled === true;
  const kept = isResent ? withParametersOf(olds, known) : known;
  try {
    if (olds.notReady === true) await untilReady(kept, made);
    await tellObjects(kept, made, "restore", observe(known));
  } catch (error) {
    throw olds.parametersUnsettled === true ? withProperties(error, unsettled) : error;
  }
  if (isResent) await resend(known, olds, made);
  return { outs: outputsOf(known, made) };
}

/** What the state keeps until the driver has taken other parameters: the earlier ones, as secret as either are. */
function withParametersOf(
  { parameters = {}, secretParameters }: BucketOutputs,
  inputs: CheckedInputs,
): CheckedInputs {
  return { ...inputs, parameters, ...(secretParameters === true ? { secretParameters } : {}) };
}

function unsettled(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...properties, parametersUnsettled: true };
}

/** Sends the create of a bucket that is there once more, with other parameters. */
async function resend(inputs: CheckedInputs, olds: BucketOutputs, { bucketId }: KnownBucket): Promise<void> {
  const { name, existingBucketId } = inputs;
  if (existingBucketId !== undefined) return;
  let answered: string;
  try {
    answered = (await createBucket(inputs, false)).bucketId;
  } catch (error) {
    const text =
      "It is not known whether the bucket has its new parameters: the next pulumi up sends those of the program.";
    const outputs = unsettled({ ...outputsOf(withParametersOf(olds, inputs), olds) });
    await observe(inputs)?.failedLater?.(secretMask.apply(errorText(error)));
    throw new FailedResourceError(`${errorText(error)} ${text}`, name, outputs, { cause: error });
  }
  if (answered === bucketId) return;
  warn(
    wordsOf(inputs.driver).object,
    name,
    `the driver returned the id ${answered} for the same name when its parameters were sent again; ${bucketId} stays`,
  );
}

/** Compares the objects with the state. The contract has no call that looks at a bucket, and none is sent. */
export async function read(
  id: string,
  props?: BucketOutputs,
  { object, properties }: ContractWords = bucketWords,
): Promise<pulumi.dynamic.ReadResult<BucketOutputs>> {
  if (props?.schemaVersion === undefined) {
    throw new Error(
      `the ${object} ${id} can only be read from the state; to take a ${object} over, use ` +
        (properties["existingBucketId"] ?? "existingBucketId"),
    );
  }
  const { bucketId } = props;
  const seen = bucketId === null ? undefined : await observe(props)?.read({ bucketId });
  const outputs: BucketOutputs = {
    ...outputsOf(props, props),
    drift: driftOf(seen),
    lostClaim: seen?.lostClaim ?? null,
    ...(props.nothingMade === true ? { nothingMade: true } : {}),
    ...(props.parametersUnsettled === true ? { parametersUnsettled: true } : {}),
    ...(props.notReady === true ? { notReady: true } : {}),
  };
  // Pulumi types inputs and outputs alike here; what a user gave is a part of what is kept.
  return { id, props: outputs, inputs: select(outputs, inputKeys) as BucketOutputs };
}

/** Deletes the bucket if it is ours to delete, then lets its objects go. */
export async function remove(_id: string, outputs: BucketOutputs): Promise<void> {
  maskParameters(outputs);
  rememberAccount(outputs);
  const observer = observe(outputs);
  const isTaken = deletesInBackend(outputs) && isOfAnother(outputs, outputs.bucketId);
  // The account that came with a bucket is this resource's own, whoever has the bucket now. So are its objects, mostly: their
  // finalizers, left on, would hold them for ever.
  if (
    isTaken &&
    !hasAccount(outputs) &&
    objectsOfRun.isUsed(outputs.objects, describeResource(outputs.logicalName, outputs.parent))
  )
    return;
  const asked = deletesInBackend(outputs) && !isTaken;
  // OS1-072: the objects go under Retain too, and an access of somebody else needs them.
  const plan = await observer?.beforeDelete({
    name: outputs.name,
    bucketId: outputs.bucketId,
    driverName: outputs.driver.driverName,
    made: outputs.nothingMade !== true,
    deletes: asked,
  });
  const deletes = !isTaken && (plan?.backend ?? asked);
  if (deletes || hasAccount(outputs)) {
    try {
      await (deletes
        ? deleteInBackend(outputs, observer)
        : leaveBucket(outputs, plan?.earlierAttempt === true, observer));
    } catch (error) {
      const reason = secretMask.apply(errorText(error));
      // What an earlier run has sent is not told by how this one ended.
      const outcomeUnknown = plan?.earlierAttempt === true || outcomeIsUnknown(error);
      await observer?.deleteFailed?.({ outcomeUnknown, reason });
      throw error;
    }
  } else if (!isTaken && outputs.bucketId === null && outputs.nothingMade !== true) {
    warn(
      wordsOf(outputs.driver).object,
      outputs.name,
      "the outcome of its create is not known and its policy is Retain, so nothing is sent: look for it in the backend",
    );
  }
  await observer?.deleted(plan);
}

/** Has the driver delete the bucket, once its id is known. */
async function deleteInBackend(outputs: BucketOutputs, observer: BucketObserver | undefined): Promise<void> {
  if (outputs.nothingMade === true) return;
  const { bucketId, issued = null } = outputs;
  const bucket =
    bucketId === null
      ? await learnBucket(outputs, await observer?.callSecrets?.("create"))
      : { bucketId, ...(issued === null ? {} : { issued }) };
  // The id may be one that the program has taken over meanwhile.
  if (bucket === null) return;
  if (isOfAnother(outputs, bucket.bucketId)) {
    if (bucket.issued !== undefined)
      await revokeOfBucket(outputs, bucket.bucketId, bucket.issued, false, retryingOf(observer));
    return;
  }
  await deleteBucket(outputs, bucket, await observer?.callSecrets?.("delete"), retryingOf(observer));
}

/** Has the driver revoke the account that came with a bucket which stays. */
async function leaveBucket(
  outputs: BucketOutputs,
  earlierAttempt: boolean,
  observer: BucketObserver | undefined,
): Promise<void> {
  const { name, existingBucketId, issued = null } = outputs;
  if (outputs.nothingMade === true) return;
  const bucketId = outputs.bucketId ?? existingBucketId;
  if (bucketId === undefined) {
    // K02-097: an equal create might only now make the bucket.
    warn(
      "bucket",
      name,
      "the outcome of its create is not known and it is not to be deleted, so nothing is sent: look for it in the backend, and " +
        "for a key of it that may be alive",
    );
    return;
  }
  const account = issued ?? (await learnAccount(outputs, bucketId));
  if (account === null) return;
  await revokeOfBucket(outputs, bucketId, account, earlierAttempt, retryingOf(observer));
}

function retryingOf(observer: BucketObserver | undefined): ((reason: string) => void) | undefined {
  return observer?.retrying === undefined ? undefined : (reason) => observer.retrying?.(reason);
}

function keepAccount(inputs: CheckedInputs, made: KnownBucket): void {
  const account = ownedAccountOf(inputs, made.bucketId, made);
  if (account !== undefined) accountsOfRun.keep(account);
}

/**
 * Has the driver make the bucket, and the objects tell of it.
 *
 * @param retried True if the state holds an earlier attempt.
 */
async function make(inputs: CheckedInputs, retried: boolean): Promise<KnownBucket> {
  const observer = observe(inputs);
  const before = await observer?.beforeCreate();
  if (before?.held !== undefined) {
    const { existingBucketId: bucketId } = inputs;
    const bucketInfo = untoldInfo(inputs);
    const isTaken = bucketId !== undefined && !hasAccount(inputs);
    const known = isTaken ? { bucketId, bucketInfo, adopted: false } : null;
    const held = keptAsFailed(inputs, known, before.held);
    // Of an object without a mark it is sure that no call was made for it.
    throw hasAccount(inputs) && !before.earlierAttempt ? withNothingMade(held) : held;
  }
  // Whatever the call comes to, it may have made the bucket.
  const resource = describeResource(inputs.logicalName, inputs.parent);
  if (inputs.existingBucketId === undefined) bucketsOfRun.ask(ownedBucket(inputs, null), resource);
  else bucketsOfRun.keep(ownedBucket(inputs, null));
  objectsOfRun.use(inputs.objects);
  const made = await takeOrCreate(inputs, retried || before?.earlierAttempt === true, observer);
  const { name, driver } = inputs;
  const { object, objectId } = wordsOf(driver);
  const field = inputs.existingBucketId === undefined ? objectId : propertyName(driver, "existingBucketId");
  warnOfBucketId({ kind: object, name, field, id: made.bucketId, driver });
  bucketsOfRun.made(ownedBucket(inputs, made.bucketId), resource);
  keepAccount(inputs, made);
  if (inputs.existingBucketId === undefined) await untilReady(inputs, made);
  await tellObjects(inputs, made, "created", observer);
  return made;
}

async function takeOrCreate(
  inputs: CheckedInputs,
  earlierAttempt: boolean,
  observer: BucketObserver | undefined,
): Promise<KnownBucket> {
  const { existingBucketId } = inputs;
  const retrying = retryingOf(observer);
  if (existingBucketId !== undefined && !hasAccount(inputs)) {
    return { bucketId: existingBucketId, bucketInfo: untoldInfo(inputs), adopted: false };
  }
  try {
    if (existingBucketId !== undefined)
      return await grantForBucket(inputs, existingBucketId, earlierAttempt, retrying);
    const secrets = await secretsFor(inputs, earlierAttempt, observer);
    return await createBucket(inputs, earlierAttempt, secrets, retrying);
  } catch (error) {
    const kept = error instanceof FailedResourceError;
    if (!kept && existingBucketId === undefined) {
      const resource = describeResource(inputs.logicalName, inputs.parent);
      bucketsOfRun.refuse(ownedBucket(inputs, null), resource, saysAlreadyExists(error));
    }
    const reason = secretMask.apply(errorText(error));
    const released = await observer?.failed({ kept, isFinal: isFinalFailure(error), reason });
    if (kept || released !== false) throw error;
    const text =
      "The resource stays in the state as failed, as its object has kept our finalizer: a destroy takes it off.";
    throw withNothingMade(keptAsFailed(inputs, null, `${errorText(error)} ${text}`, error));
  }
}

/** @throws FailedResourceError if they cannot be read and an earlier attempt may have made the bucket. */
async function secretsFor(
  inputs: CheckedInputs,
  earlierAttempt: boolean,
  observer: BucketObserver | undefined,
): Promise<Secrets | undefined> {
  try {
    return await observer?.callSecrets?.("create");
  } catch (error) {
    throw earlierAttempt ? keptAsFailed(inputs, null, errorText(error), error) : error;
  }
}

function observe(inputs: CheckedInputs): BucketObserver | undefined {
  const { objects, parameters, driver, deletionPolicy } = inputs;
  if (objects === undefined) return undefined;
  const { driverName } = driver;
  const grantsAtCreate = hasAccount(inputs);
  const isSent = inputs.existingBucketId === undefined || grantsAtCreate;
  return observeBucket(objects, { driverName, parameters, deletionPolicy, grantsAtCreate, isSent });
}

async function tellObjects(
  inputs: CheckedInputs,
  made: KnownBucket,
  how: "created" | "restore",
  observer = observe(inputs),
): Promise<void> {
  try {
    await observer?.[how](made);
  } catch (error) {
    throw keptAsFailed(
      inputs,
      made,
      `the ${wordsOf(inputs.driver).object} ${inputs.name} exists, but its objects could not be written: ${errorText(error)}`,
      error,
    );
  }
}
