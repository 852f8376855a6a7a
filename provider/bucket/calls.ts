import { status } from "@grpc/grpc-js";
import { isOursAlone } from "./naming";
import { keptAsFailed, ownedBucket, type BucketOutputs, type CheckedInputs, type KnownBucket } from "./state";
import { warnOfEarlierAccount } from "./account-calls";
import { hasAccount } from "./account-state";
import { targetOf, type Retrying } from "./target";
import { untoldInfo } from "./untold-info";
import { wordsOf } from "../contracts/registry";
import type { CreatedBucket, DeleteBucketRequest, IssuedCredential } from "../contracts/contract";
import { hasCode, isEarlySuccess, outcomeIsUnknown, provesNothingMade } from "../driver/call/outcome";
import { ownerOf } from "../driver/call/owner";
import { connect, driverNameOf } from "../driver-resource/driver-reference";
import type { DriverReference } from "../driver-resource/reference";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError } from "../dynamic/failed";
import { describeResource } from "../dynamic/kept-inputs";
import { select } from "../dynamic/select";
import { isLeftToAnother } from "../run/dropped-entry";
import { bucketsOfRun } from "../run/run-ownership";
import { warn } from "../run/warning";

/**
 * Has the driver make the bucket.
 *
 * @param earlierAttempt True if the state or an object knows of an earlier attempt, which may have had its effect.
 * @param secrets Keys of the driver's store. @default the driver has its own
 * @throws FailedResourceError if the bucket may exist in the backend; any other error means that none was made.
 */
export async function createBucket(
  inputs: CheckedInputs,
  earlierAttempt: boolean,
  secrets?: Secrets,
  retrying?: Retrying,
): Promise<KnownBucket> {
  const { subject } = targetOf(inputs, inputs.name);
  const { object, objectId, create: rpc } = wordsOf(inputs.driver);
  if (earlierAttempt && hasAccount(inputs)) warnOfEarlierAccount(inputs);
  let reply: CreatedBucket;
  try {
    reply = await askForBucket(inputs, secrets, retrying);
  } catch (error) {
    const unknown = earlierAttempt || outcomeIsUnknown(error);
    if (hasCode(error, status.ALREADY_EXISTS)) return takeOrRefuse(inputs, unknown, error);
    if (!unknown) throw error;
    throw keptAsFailed(
      inputs,
      null,
      `${errorText(error)} The ${object} may exist in the backend: the resource stays in the state as failed, and the ` +
        "next pulumi up sends the same call.",
      error,
    );
  }
  for (const notice of reply.notices ?? []) warn(object, inputs.name, notice);
  if (reply.problem !== undefined) {
    throw keptAsFailed(
      inputs,
      null,
      `${reply.problem} A ${object} may exist in the backend. Next: fix the driver, then run pulumi up again; the same call is ` +
        `sent. A destroy deals with the ${object} as its policy says.`,
    );
  }
  if (reply.bucketId !== "") return { ...reply, adopted: false };
  if (inputs.nameAsId === true) {
    warn(object, inputs.name, `the driver answered OK without ${objectId}; nameAsId takes its name for it`);
    return { ...reply, bucketId: inputs.name, adopted: false };
  }
  throw keptAsFailed(
    inputs,
    null,
    `${rpc}: the driver ${inputs.driver.driverName} answered OK without ${objectId} for ${subject}, ` +
      `so a ${object} may exist in the backend. Next: fix the driver, then run pulumi up again; the same call is sent. ` +
      "If the driver uses names as ids, nameAsId takes the name.",
  );
}

/** Sends the call that makes the bucket. */
async function askForBucket(
  inputs: CheckedInputs,
  secrets?: Secrets,
  retrying?: Retrying,
): Promise<CreatedBucket> {
  const { name, parameters = {}, driver, objects } = inputs;
  const terms = select(inputs, ["protocol", "anonymousAccess", "accessMode"]);
  const target = { ...targetOf(inputs, name, retrying), owner: ownerOf(driver, objects?.kubernetes.stackId) };
  const request = { name, parameters, ...terms, ...sent(secrets) };
  try {
    const { reply, repeatedAfterUnknown } = await connect(driver).client.createBucket(request, target);
    if (repeatedAfterUnknown && hasAccount(inputs)) warnOfEarlierAccount(inputs);
    return reply;
  } catch (error) {
    if (hasAccount(inputs) && outcomeIsUnknown(error)) warnOfLostAccount(inputs);
    throw error;
  }
}

/** GRPC-079: the create is the grant too, so a user who audits credentials looks for its warning. */
function warnOfLostAccount({ name, driver }: CheckedInputs): void {
  warn(
    "bucket",
    name,
    `its create has no known outcome: a credential of it may be alive at the driver ${driver.driverName}`,
  );
}

/**
 * What ALREADY_EXISTS means: a name that nobody else sends can only be taken by an attempt of ours whose answer was lost
 * (GRPC-039); any other one may be somebody else's, unless the program says to take it (GRPC-036).
 */
function takeOrRefuse(inputs: CheckedInputs, unknown: boolean, error: Error): KnownBucket {
  const { name, nameAsId = false, deletionPolicy } = inputs;
  if (hasAccount(inputs)) throw withoutItsAccount(inputs, unknown, error);
  const ours = isOursAlone(inputs);
  const adopted = !ours;
  if (ours ? unknown || nameAsId : nameAsId && deletionPolicy !== "Delete") {
    const text = unknown
      ? "the driver says that it exists; it stems from an attempt whose answer was lost"
      : "the driver says that it exists already";
    const taken = nameAsId ? `${text}; nameAsId takes it over, with its name as its id` : text;
    warn(wordsOf(inputs.driver).object, name, adopted ? `${taken}; it is never deleted` : taken);
    return { bucketId: name, bucketInfo: untoldInfo(inputs), adopted };
  }
  const origin = unknown
    ? `The ${wordsOf(inputs.driver).object} may stem from an attempt whose answer was lost. `
    : "";
  const message = `${errorText(error)} ${origin}${wayToTakeOver(inputs, ours)}`.trimEnd();
  throw unknown ? keptAsFailed(inputs, null, message, error) : new Error(message, { cause: error });
}

/** K02-111: the credentials of a bucket that is there went with the answer that made it. */
function withoutItsAccount(inputs: CheckedInputs, unknown: boolean, error: Error): Error {
  const { name, deletionPolicy } = inputs;
  if (!unknown) {
    return new Error(
      `${errorText(error)} Its credentials come only with the call that makes it and can no longer be obtained, so it is not taken over.`,
      { cause: error },
    );
  }
  const end =
    deletionPolicy === "Delete" ? "deletes it by its name" : "leaves it there, with a key that may be alive";
  const wayOn =
    deletionPolicy === "Delete" && !isOursAlone(inputs)
      ? "check in the backend who owns it, as the program gave its name. If it is this resource's own, delete it there and run " +
        "pulumi up again, which sends the same call; if not, use pulumi state delete and give the resource another name."
      : `remove the resource from the program, which ${end} (policy ${deletionPolicy}), then make it again.`;
  return keptAsFailed(
    inputs,
    null,
    `${errorText(error)} The bucket ${name} may be this resource's own, from an attempt whose answer was lost, and its ` +
      `credentials with it. Next: ${wayOn}`,
    error,
  );
}

/** How a program takes a bucket over that exists under its name. A component has its names from UIDs, and no such input. */
function wayToTakeOver({ nameAsId = false, objects }: CheckedInputs, ours: boolean): string {
  if (objects !== undefined) return "";
  if (ours) return "If it was made by a run that was killed: nameAsId set to true takes its name as its id.";
  return nameAsId
    ? `nameAsId takes it over only with deletionPolicy "Retain", since it may be somebody else's.`
    : `To take it over with its name as its id, set nameAsId to true and deletionPolicy to "Retain".`;
}

/**
 * True if another resource of this run has the bucket, or the program wants it for another one.
 *
 * @throws Error where nobody knows.
 */
export function isOfAnother(outputs: BucketOutputs, bucketId: string | null): boolean {
  const { driver, name, nothingMade, logicalName, parent } = outputs;
  return isLeftToAnother(bucketsOfRun, ownedBucket(outputs, bucketId), {
    kind: wordsOf(driver).object,
    name,
    nothingMade,
    entry: describeResource(logicalName, parent),
    ended: "deleted",
    text: "another resource of this run has it now, so only this entry is dropped",
  });
}

/** A bucket whose create has no known outcome: an equal create answers it. `null`: nothing was made. */
export async function learnBucket(outputs: BucketOutputs, secrets?: Secrets): Promise<LearntBucket | null> {
  try {
    return hasAccount(outputs)
      ? await learnByName(outputs, secrets)
      : { bucketId: (await createBucket(outputs, true, secrets)).bucketId };
  } catch (error) {
    const cause = error instanceof FailedResourceError ? error.cause : error;
    if (provesNothingMade(cause, outputs.driver)) return null;
    const { object } = wordsOf(outputs.driver);
    throw new Error(
      `the ${object} ${outputs.name} may exist, but the driver does not return its id. ${errorText(error)} To give up the ` +
        `entry instead, look for the ${object} in the backend and use pulumi state delete.`,
      { cause: error },
    );
  }
}

/** What an equal create tells of a bucket that is to be deleted. */
export interface LearntBucket {
  readonly bucketId: string;
  /** @default none: its answer was lost, or accounts have calls of their own */
  readonly issued?: IssuedCredential;
}

/**
 * K02-097: whatever the driver answers, a bucket that there is has an id by which it is deleted. Its name is that id only where
 * nobody else sends it.
 */
async function learnByName(outputs: BucketOutputs, secrets?: Secrets): Promise<LearntBucket> {
  try {
    const { bucketId, issued } = await askForBucket(outputs, secrets);
    return { bucketId, ...(issued === undefined ? {} : { issued }) };
  } catch (error) {
    if (!hasCode(error, status.ALREADY_EXISTS)) throw error;
    if (isOursAlone(outputs)) return { bucketId: outputs.name };
    const text = "The program gave its name, so it may be somebody else's, and is not deleted by that name.";
    throw new Error(`${errorText(error)} ${text}`, { cause: error });
  }
}

/** Has the driver delete the bucket; one that is gone counts as deleted. */
export async function deleteBucket(
  outputs: BucketOutputs,
  { bucketId, issued }: LearntBucket,
  secrets?: Secrets,
  retrying?: Retrying,
): Promise<void> {
  const { parameters = {}, bucketInfo, driver, deleteTimeoutSeconds } = outputs;
  const target = targetOf(outputs, bucketId);
  // OS1-075: the id is what finds the bucket in the backend.
  const subject = bucketId === outputs.name ? target.subject : `${target.subject}, id ${bucketId}`;
  const account = issued === undefined ? {} : { issued };
  const named = { ...select(outputs, ["protocol", "accessMode"]), ...account, ...sent(secrets) };
  const bucket = { name: outputs.name, bucketId, parameters, bucketInfo, ...named };
  await deleteAtDriver(driver, bucket, subject, deleteTimeoutSeconds, retrying);
  bucketsOfRun.forget(ownedBucket(outputs, bucketId));
}

/** A bucket that a driver is to delete. */
export interface DeletableBucket extends Omit<DeleteBucketRequest, "context"> {
  /** What messages call it. */
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Sends the delete of a bucket that may be another stack's. @param patienceSeconds Wait for one under way. */
export async function deleteAtDriver(
  driver: DriverReference,
  { name, parameters, ...bucket }: DeletableBucket,
  subject: string,
  patienceSeconds?: number,
  retrying?: Retrying,
): Promise<void> {
  const patience = {
    ...(patienceSeconds === undefined ? {} : { patienceSeconds }),
    ...(retrying === undefined ? {} : { retrying }),
  };
  const target = { bucket: bucket.bucketId, subject, driverName: driverNameOf(driver), ...patience };
  try {
    await connect(driver).client.deleteBucket({ ...bucket, context: parameters }, target);
  } catch (error) {
    if (hasCode(error, status.NOT_FOUND)) {
      const { object } = wordsOf(driver);
      warn(object, name, `the driver says NOT_FOUND where OK is due; the ${object} counts as deleted`);
    } else if (!isEarlySuccess(error)) {
      throw error;
    }
  }
}

/** Keys of the driver's store, by the driver's own names. */
export type Secrets = Readonly<Record<string, string>>;

/** An empty map and none are the same on the wire; a contract without the field gets none. */
export function sent(secrets: Secrets | undefined): { secrets?: Secrets } {
  return secrets === undefined || Object.keys(secrets).length === 0 ? {} : { secrets };
}
