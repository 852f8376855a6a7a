import { status } from "@grpc/grpc-js";
import type * as pulumi from "@pulumi/pulumi";
import {
  checked,
  deletesInBackend,
  inputKeys,
  outputsOf,
  ownedBucket,
  type BucketInputs,
  type BucketOutputs,
  type CheckedInputs,
  type MadeBucket,
} from "./bucket-state";
import type { CallTarget } from "./contracts/contract";
import { hasCode, isEarlySuccess, outcomeIsUnknown, provesNothingMade } from "./driver/outcome";
import { connect } from "./driver-reference";
import { errorText } from "./dynamic/error-text";
import { FailedResourceError } from "./dynamic/failed";
import { maskParameters } from "./dynamic/secret-input";
import { select } from "./dynamic/select";
import type { BucketObserver } from "./models/model";
import { observeBucket } from "./models/registry";
import { computedName } from "./naming";
import { bucketsOfRun } from "./run-ownership";
import { warn } from "./warning";

const nothingMade: MadeBucket = { bucketId: null, bucketInfo: null };

/** A bucket whose id the driver told. */
type KnownBucket = MadeBucket & { bucketId: string };

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
  if (olds.bucketId === null) return { outs: outputsOf(known, await make(known, true)) };
  const made = { bucketId: olds.bucketId, bucketInfo: olds.bucketInfo };
  bucketsOfRun.keep(ownedBucket(known, olds.bucketId));
  await tellObjects(known, made, "restore");
  return { outs: outputsOf(known, made) };
}

/** Compares the objects with the state. The contract has no call that looks at a bucket, and none is sent. */
export async function read(
  id: string,
  props?: BucketOutputs,
): Promise<pulumi.dynamic.ReadResult<BucketOutputs>> {
  if (props?.schemaVersion === undefined) {
    throw new Error(
      `the bucket ${id} can only be read from the state; to take a bucket over, use existingBucketId`,
    );
  }
  const outputs: BucketOutputs = { ...outputsOf(props, props), drift: await look(props) };
  // Pulumi types inputs and outputs alike here; what a user gave is a part of what is kept.
  return { id, props: outputs, inputs: select(outputs, inputKeys) as BucketOutputs };
}

/** Deletes the bucket if it is ours to delete, then lets its objects go. */
export async function remove(_id: string, outputs: BucketOutputs): Promise<void> {
  maskParameters(outputs);
  const observer = observe(outputs);
  if (deletesInBackend(outputs)) {
    if (bucketsOfRun.isKept(ownedBucket(outputs, outputs.bucketId))) {
      warn("bucket", outputs.name, "another resource of this run has it now, so only this entry is dropped");
      return;
    }
    await observer?.beforeDelete();
    const bucketId = outputs.bucketId ?? (await learnBucketId(outputs));
    if (bucketId !== null) await callDelete(outputs, bucketId);
  } else if (outputs.bucketId === null) {
    warn(
      "bucket",
      outputs.name,
      "the outcome of its create is not known and its policy is Retain, so nothing is sent: look for it in the backend",
    );
  }
  await observer?.deleted();
}

/**
 * Has the driver make the bucket, and the objects tell of it.
 *
 * @param retried True if the state holds an earlier attempt.
 */
async function make(inputs: CheckedInputs, retried: boolean): Promise<KnownBucket> {
  const before = await observe(inputs)?.beforeCreate();
  const made =
    inputs.existingBucketId === undefined
      ? await callCreate(inputs, retried || before?.earlierAttempt === true)
      : { bucketId: inputs.existingBucketId, bucketInfo: null };
  bucketsOfRun.keep(ownedBucket(inputs, made.bucketId));
  await tellObjects(inputs, made, "created");
  return made;
}

async function callCreate(inputs: CheckedInputs, earlierAttempt: boolean): Promise<KnownBucket> {
  const target = targetOf(inputs, inputs.name);
  const request = { name: inputs.name, parameters: inputs.parameters ?? {} };
  try {
    const { reply } = await connect(inputs.driver).client.createBucket(request, target);
    if (reply.bucketId !== "") return reply;
  } catch (error) {
    const unknown = earlierAttempt || outcomeIsUnknown(error);
    // GRPC-039: a name that nobody else sends can only be taken by the attempt whose answer was lost.
    if (unknown && hasCode(error, status.ALREADY_EXISTS) && isOursAlone(inputs)) {
      warn(
        "bucket",
        inputs.name,
        "the driver says that it exists; it stems from an attempt whose answer was lost",
      );
      return { bucketId: inputs.name, bucketInfo: null };
    }
    await observe(inputs)?.failed({ kept: unknown });
    if (!unknown) throw error;
    throw keep(
      inputs,
      nothingMade,
      `${errorText(error)} The bucket may exist in the backend: the resource stays in the state as failed, and the next pulumi up sends the same call.`,
      error,
    );
  }
  await observe(inputs)?.failed({ kept: true });
  throw keep(
    inputs,
    nothingMade,
    `DriverCreateBucket: the driver ${inputs.driver.driverName} answered OK without bucket_id for ${target.subject}, so a ` +
      `bucket may exist in the backend. Next: mend the driver, then run pulumi up again; the same call is sent.`,
  );
}

function observe({ objects }: CheckedInputs): BucketObserver | undefined {
  return objects === undefined ? undefined : observeBucket(objects);
}

/** What was changed at the objects, in words; `null` if nothing was. */
async function look(outputs: BucketOutputs): Promise<string[] | null> {
  if (outputs.bucketId === null) return null;
  const seen = await observe(outputs)?.read({ bucketId: outputs.bucketId });
  for (const { kind, name, text } of seen?.notes ?? []) warn(kind, name, text);
  return seen === undefined || seen.drift.length === 0 ? null : seen.drift;
}

/** True for a name that no other resource and no user sends: computed by check, or built from a UID. */
function isOursAlone({ name, driver, logicalName, parent, parameters, objects }: CheckedInputs): boolean {
  if (objects !== undefined) return objects.claim !== null && name.includes(objects.claim.uid);
  return (
    name === computedName(driver.seed, logicalName, { parent, driverName: driver.driverName, parameters })
  );
}

async function tellObjects(
  inputs: CheckedInputs,
  made: KnownBucket,
  how: "created" | "restore",
): Promise<void> {
  try {
    const observer = observe(inputs);
    await observer?.[how](made);
  } catch (error) {
    throw keep(
      inputs,
      made,
      `the bucket ${inputs.name} exists, but its objects could not be written: ${errorText(error)} Next: run pulumi up again.`,
      error,
    );
  }
}

/** The id of a bucket whose create has no known outcome: an equal create answers it. `null`: nothing was made. */
async function learnBucketId(outputs: BucketOutputs): Promise<string | null> {
  try {
    return (await callCreate(outputs, true)).bucketId;
  } catch (error) {
    if (error instanceof FailedResourceError && provesNothingMade(error.cause)) return null;
    throw new Error(
      `the bucket ${outputs.name} may exist, and the driver does not tell its id. ${errorText(error)} To give the entry ` +
        `up instead, look for the bucket in the backend and use pulumi state delete.`,
      { cause: error },
    );
  }
}

async function callDelete(outputs: BucketOutputs, bucketId: string): Promise<void> {
  const request = { bucketId, context: outputs.parameters ?? {} };
  try {
    await connect(outputs.driver).client.deleteBucket(request, targetOf(outputs, bucketId));
  } catch (error) {
    if (hasCode(error, status.NOT_FOUND)) {
      warn("bucket", outputs.name, "the driver says NOT_FOUND where OK is due; the bucket counts as deleted");
    } else if (!isEarlySuccess(error)) {
      throw error;
    }
  }
  bucketsOfRun.forget(ownedBucket(outputs, bucketId));
}

function targetOf({ name, driver, objects }: CheckedInputs, bucket: string): CallTarget {
  const claim = objects?.claim ?? null;
  const whose = claim === null ? "" : ` of BucketClaim ${claim.namespace}/${claim.name}`;
  return { bucket, subject: `bucket ${name}${whose}`, driverName: driver.driverName };
}

/** The error with which a resource stays in the state as failed. */
function keep(
  inputs: CheckedInputs,
  made: MadeBucket,
  message: string,
  cause?: unknown,
): FailedResourceError {
  return new FailedResourceError(message, inputs.name, { ...outputsOf(inputs, made) }, { cause });
}
