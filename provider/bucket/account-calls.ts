import { accountsOfRun } from "../run/run-ownership";
import { requireRevoked } from "../run/revoke-outcome";
import { warn } from "../run/warning";
import type { GrantedAccess, IssuedCredential } from "../contracts/contract";
import { outcomeIsUnknown, provesNothingMade } from "../driver/call/outcome";
import { ownerOf, requestOf } from "../driver/call/owner";
import { connect } from "../driver-resource/driver-reference";
import { errorText } from "../dynamic/error-text";
import { describeRecorded, describeResource } from "../dynamic/kept-inputs";
import { select } from "../dynamic/select";
import { ownedAccountOf, revokedEntry } from "./account-state";
import { keptAsFailed, type BucketOutputs, type CheckedInputs, type KnownBucket } from "./state";
import { targetOf, type Retrying } from "./target";

/** A bucket that was there before, with its account. */
type GrantedBucket = KnownBucket & { issued: IssuedCredential | null };

/**
 * Has the driver grant an account of a bucket that is there.
 *
 * @param earlierAttempt True if the state or an object knows of an earlier attempt, which may have had its effect.
 * @throws FailedResourceError if an account may be alive at the driver; any other error means that none is.
 */
export async function grantForBucket(
  inputs: CheckedInputs,
  bucketId: string,
  earlierAttempt: boolean,
  retrying?: Retrying,
): Promise<GrantedBucket> {
  if (earlierAttempt) warnOfEarlierAccount(inputs);
  let reply: GrantedAccess;
  try {
    reply = await askForAccount(inputs, bucketId, retrying);
  } catch (error) {
    const unknown = outcomeIsUnknown(error);
    if (!unknown && !earlierAttempt) throw error;
    const text = `A credential for the bucket ${bucketId} may be alive: the resource stays in the state as failed, and the next pulumi up sends the same call.`;
    throw keptAsFailed(inputs, null, `${errorText(error)} ${text}`, error);
  }
  if (reply.problem !== undefined) {
    throw keptAsFailed(
      inputs,
      null,
      `${reply.problem} An account may be alive: it is revoked when this resource is deleted. Next: fix the driver, then ` +
        "run pulumi up again; the same call is sent.",
    );
  }
  return { bucketId, bucketInfo: null, adopted: false, issued: issuedOf(reply) };
}

async function askForAccount(
  inputs: CheckedInputs,
  bucketId: string,
  retrying?: Retrying,
): Promise<GrantedAccess> {
  const {
    driver,
    name,
    parameters = {},
    bucketIdentifier: identifier = {},
    logicalName,
    parent,
    objects,
  } = inputs;
  const target = {
    ...targetOf(inputs, bucketId, retrying),
    owner: ownerOf(driver, objects?.kubernetes.stackId),
    request: requestOf(objects?.bucket.name ?? driver.seed, describeRecorded(logicalName, parent)),
  };
  const { reply, repeatedAfterUnknown } = await connect(driver).client.grantAccess(
    {
      bucketId,
      identifier,
      name,
      authenticationType: "Key",
      parameters,
      ...select(inputs, ["protocol", "accessMode"]),
    },
    target,
  );
  if (repeatedAfterUnknown) warnOfEarlierAccount(inputs);
  return reply;
}

/** GRPC-056: each attempt may have made a key. */
export function warnOfEarlierAccount({ name, driver }: CheckedInputs): void {
  warn(
    "bucket",
    name,
    `an earlier attempt had no answer: a credential of it may be alive at the driver ${driver.driverName}`,
  );
}

/** The account of a grant that has no known outcome: an equal grant answers it. `null`: nothing was made. */
export async function learnAccount(
  outputs: BucketOutputs,
  bucketId: string,
): Promise<IssuedCredential | null> {
  warnOfEarlierAccount(outputs);
  try {
    return issuedOf(await askForAccount(outputs, bucketId));
  } catch (error) {
    if (provesNothingMade(error, outputs.driver)) return null;
    throw new Error(
      `the bucket ${outputs.name} may have a live credential of this resource, but the driver does not return it. ` +
        `${errorText(error)} To give up the entry instead, look for the account in the backend and use pulumi state delete.`,
      { cause: error },
    );
  }
}

function issuedOf({ issued }: GrantedAccess): IssuedCredential | null {
  return issued?.[0] ?? null;
}

/**
 * Has the driver revoke the account of a bucket that stays.
 *
 * @param earlierAttempt True if an object knows of an earlier attempt, which may have had its effect.
 */
export async function revokeOfBucket(
  outputs: BucketOutputs,
  bucketId: string,
  issued: IssuedCredential,
  earlierAttempt: boolean,
  retrying?: Retrying,
): Promise<void> {
  const { driver, parameters: context = {} } = outputs;
  const account = ownedAccountOf(outputs, bucketId, { issued });
  if (
    account !== undefined &&
    accountsOfRun.isKept(account, describeResource(outputs.logicalName, outputs.parent))
  ) {
    warn("bucket", outputs.name, "another resource of this run has its account now, so it is not revoked");
    return;
  }
  try {
    await connect(driver).client.revokeAccess(
      { bucketId, accountId: bucketId, context, issued, ...select(outputs, ["protocol", "accessMode"]) },
      targetOf(outputs, bucketId, retrying),
    );
  } catch (error) {
    const unknown = earlierAttempt || outcomeIsUnknown(error);
    requireRevoked({ kind: "bucket", ...outputs, entry: revokedEntry(outputs) }, unknown, error);
  }
  if (account !== undefined) accountsOfRun.forget(account);
}
