import { status } from "@grpc/grpc-js";
import { usableSecrets, warnOfGaps } from "./granted-secrets";
import { issuedOf, type IssuedCredentials } from "./issued-credentials";
import { lineOf } from "./rotation";
import { revokedBy, revokeInTurn, type RevokeNotes } from "./revoke-in-turn";
import type { KnownAccount } from "./granted-account";
import type { CheckedInputs } from "./inputs";
import { keptAsFailed, ownedAccount, type AccessOutputs } from "./state";
import { sent, type Secrets } from "../bucket/calls";
import { wordsOf } from "../contracts/registry";
import type { AccessTerms, Answer, CallTarget, GrantedAccess } from "../contracts/contract";
import { hasCode, outcomeIsUnknown, provesNothingMade } from "../driver/call/outcome";
import { ownerOf } from "../driver/call/owner";
import { connect, driverNameOf } from "../driver-resource/driver-reference";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError } from "../dynamic/failed";
import { describeResource } from "../dynamic/kept-inputs";
import { warnOfLargeCredentials, warnOfLongId } from "../fields/issued";
import type { AccessObjects, AccessObserver } from "../models/model";
import { observeAccess, requestsOf } from "../models/registry";
import { rotationsOfRun } from "../run/rotations";
import { requireRevoked } from "../run/revoke-outcome";
import { isLeftToAnother } from "../run/dropped-entry";
import { accountsOfRun } from "../run/run-ownership";
import { warn } from "../run/warning";

/**
 * Has the driver grant the access, and reads its credentials.
 *
 * @param earlierAttempt True if the state knows of an earlier attempt, which may have had its effect.
 * @param observer Told while the call goes on. @default nobody is
 * @throws FailedResourceError if an account may be alive at the driver; any other error means that none is.
 */
export async function grantAccess(
  inputs: CheckedInputs,
  earlierAttempt: boolean,
  observer?: AccessObserver,
): Promise<KnownAccount> {
  const reply = await askForAccount(inputs, earlierAttempt, observer);
  const { accountId, credentials } = reply;
  try {
    const granted = usableSecrets(inputs, reply);
    warnOfGaps(inputs, granted, reply);
    const { name, driver } = inputs;
    warnOfLongId({ kind: "access", name, field: "account_id", id: accountId, driver });
    warnOfLargeCredentials(name, credentials, driver);
    return { accountId, granted, ...issuedOf(reply) };
  } catch (error) {
    throw await withdrawn(inputs, reply, error);
  }
}

async function askForAccount(
  inputs: CheckedInputs,
  earlierAttempt: boolean,
  observer?: AccessObserver,
): Promise<GrantedAccess> {
  const secrets = await secretsFor(inputs, earlierAttempt);
  const retrying = (what: string): void => observer?.retrying?.(what);
  const owner = ownerOf(inputs.driver, inputs.objects?.kubernetes.stackId);
  const target = { ...targetOf(inputs), owner, retrying };
  let answer: Answer<GrantedAccess>;
  try {
    const { bucketId, bucketInfo = null, name, authenticationType, parameters = {} } = inputs;
    const terms = { authenticationType, parameters, ...termsOf(inputs), ...secrets };
    const request = { bucketId, bucketInfo, name, ...terms };
    answer = await connect(inputs.driver).client.grantAccess(request, target);
  } catch (error) {
    const unknown = outcomeIsUnknown(error);
    // GRPC-079: the error says so too, but a warning is what a user looks for who audits credentials.
    if (unknown) warn("access", inputs.name, `its grant has no known outcome: ${mayBeAlive(inputs)}`);
    throw grantFailure(inputs, target, earlierAttempt || unknown, error);
  }
  if (answer.repeatedAfterUnknown) warnOfEarlierGrant(inputs);
  if (answer.reply.accountId !== "") return answer.reply;
  throw keptAsFailed(
    inputs,
    null,
    `${wordsOf(inputs.driver).grant}: the driver ${inputs.driver.driverName} answered OK without account_id for ${target.subject}, so a ` +
      `credential may be alive, which nobody can revoke without that id. Next: fix the driver, then run pulumi up again.`,
  );
}

/** What a grant that failed leaves behind: nothing if it was refused for sure, else an entry in the state. */
function grantFailure(
  inputs: CheckedInputs,
  { subject }: CallTarget,
  unknown: boolean,
  error: unknown,
): unknown {
  const exists = hasCode(error, status.ALREADY_EXISTS);
  if (!unknown) {
    return exists
      ? new Error(`${errorText(error)} The account exists, and its keys cannot be read again.`, {
          cause: error,
        })
      : error;
  }
  // GRPC-039: the account may be ours, but its keys went with the answer.
  const text = exists
    ? `The account ${inputs.name} may stem from an attempt whose answer was lost: a credential of it may be alive, and ` +
      `cannot be read again. To ` +
      `get it with new keys, remove it at the store, then run pulumi up again: the resource stays in the state as ` +
      `failed, and the same call is sent.`
    : `A credential for ${subject} may be alive: the resource stays in the state as failed, and the next pulumi up sends ` +
      `the same call.`;
  return keptAsFailed(inputs, null, `${errorText(error)} ${text}`, error);
}

/** GRPC-056. */
export function warnOfEarlierGrant(inputs: CheckedInputs): void {
  warn("access", inputs.name, `an earlier attempt had no answer: ${mayBeAlive(inputs)}`);
}

function mayBeAlive({ driver }: CheckedInputs): string {
  return `a credential of it may be alive at the driver ${driver.driverName}`;
}

/**
 * True if another resource of this run has the account, or the program wants it for another one.
 *
 * @throws Error where nobody knows.
 */
export function isOfAnother(outputs: AccessOutputs, accountId: string | null): boolean {
  const { name, nothingMade, logicalName, parent } = outputs;
  return isLeftToAnother(accountsOfRun, ownedAccount(outputs, accountId), {
    kind: "access",
    name,
    nothingMade,
    entry: describeResource(logicalName, parent),
    ended: "revoked",
    text: "another resource of this run has the account now, so only this entry is dropped",
  });
}

/**
 * The error of a grant whose credentials cannot be used: its account is revoked at once, or kept in the state. One that
 * the driver has given to another resource of the run too stays.
 */
async function withdrawn(
  inputs: CheckedInputs,
  { accountId, ...reply }: GrantedAccess,
  cause: unknown,
): Promise<Error> {
  const issued = issuedOf(reply);
  const text = `the grant for ${targetOf(inputs).subject} returned nothing usable: ${errorText(cause)}.`;
  if (isShared(inputs, accountId)) {
    return new Error(
      `${text} Its account ${accountId} also belongs to another access of this program, so it was not revoked. Next: fix the ` +
        "driver, or ask for another protocol.",
      { cause },
    );
  }
  try {
    await revokeAccess(inputs, { accountId, ...issued }, false);
  } catch (error) {
    const account = { accountId, granted: null, ...issued, ...revokedBy(error) };
    const message = `${text} Its account ${accountId} could not be revoked: ${errorText(error)}`;
    return keptAsFailed(inputs, account, message, cause);
  }
  return new Error(`${text} Its account was revoked. Next: fix the driver, or ask for another protocol.`, {
    cause,
  });
}

/** True if the driver has given an account under this id to another resource of the run. */
export function isShared(
  { driver, bucketId, name, logicalName, parent }: CheckedInputs,
  accountId: string,
): boolean {
  const account = { driver, ids: [[bucketId, accountId]] };
  const resource = describeResource(logicalName, parent);
  if (rotationsOfRun.retiring(resource)?.accountId === accountId) return true;
  return accountId !== name && accountsOfRun.isKept(account, describeResource(logicalName, parent));
}

/** The account of a grant that has no known outcome: an equal grant answers it. `null`: nothing was made. */
export async function learnAccount(outputs: CheckedInputs): Promise<RevocableAccount | null> {
  try {
    const reply = await askForAccount(outputs, true);
    return { accountId: reply.accountId, ...issuedOf(reply) };
  } catch (error) {
    if (error instanceof FailedResourceError && provesNothingMade(error.cause, outputs.driver)) return null;
    throw new Error(
      `the access ${outputs.name} may have a live credential, but the driver does not return its account. ${errorText(error)} ` +
        `To give up the entry instead, look for the account in the backend and use pulumi state delete.`,
      { cause: error },
    );
  }
}

/** What a revoke needs to know of an account. */
export interface RevocableAccount extends IssuedCredentials {
  readonly accountId: string;
}

/**
 * Has the driver revoke an account, credential by credential if the contract's revoke names them.
 *
 * @param earlierAttempt True if an object knows of an earlier attempt, which may have had its effect.
 * @param notes What an object knows of the credentials that are revoked. @default none
 * @throws HalfRevokedError if some of its credentials are revoked, and not all.
 */
export async function revokeAccess(
  inputs: CheckedInputs,
  account: RevocableAccount,
  earlierAttempt: boolean,
  notes?: RevokeNotes,
): Promise<void> {
  const { driver, bucketId, bucketInfo = null, parameters = {} } = inputs;
  const { accountId } = account;
  const target = targetOf(inputs);
  const secrets = await secretsFor(inputs, false);
  // The id is what finds the account in the backend.
  const subject = accountId === inputs.name ? target.subject : `${target.subject}, account ${accountId}`;
  const terms = { context: parameters, ...termsOf(inputs), ...secrets };
  const request = { bucketId, bucketInfo, accountId, ...terms };
  await revokeInTurn(
    account,
    async (issued, which) => {
      try {
        const named = issued === undefined ? request : { ...request, issued };
        await connect(driver).client.revokeAccess(named, { ...target, subject: `${subject}${which}` });
      } catch (error) {
        const revoked = { kind: "access", ...inputs, entry: lineOf(inputs) };
        requireRevoked(revoked, earlierAttempt || outcomeIsUnknown(error), error);
      }
    },
    notes,
  );
  accountsOfRun.forget(ownedAccount(inputs, accountId));
}

/** What an account may do, and who it is, for a contract that asks for it. */
function termsOf({ policyActions = null, serviceAccount = null }: CheckedInputs): AccessTerms {
  return {
    ...(policyActions === null ? {} : { policyActions }),
    ...(serviceAccount === null ? {} : { serviceAccount }),
  };
}

/**
 * Keys of the driver's store, where the objects name them.
 *
 * @throws FailedResourceError if they cannot be read and an earlier attempt may have made an account.
 */
async function secretsFor(inputs: CheckedInputs, earlierAttempt: boolean): Promise<{ secrets?: Secrets }> {
  const { objects, parameters = {} } = inputs;
  if (objects === undefined) return {};
  try {
    return sent(await observeAccess(objects).callSecrets?.(parameters));
  } catch (error) {
    throw earlierAttempt ? keptAsFailed(inputs, null, errorText(error), error) : error;
  }
}

/** The field that has the id of a bucket that was there before, and the object that has the field. */
function originOf(object: string, { bucket }: AccessObjects): string {
  const kind = `${object.slice(0, 1).toUpperCase()}${object.slice(1)}`;
  return ` (existing${kind}ID of ${kind} ${bucket.name})`;
}

function targetOf({ name, driver, bucketId, bucketName, objects }: CheckedInputs): CallTarget {
  const access =
    objects === undefined
      ? ""
      : ` of ${requestsOf(objects.model).access} ${objects.access.namespace}/${objects.access.name}`;
  // OS1-059: no call has looked a static bucket up before.
  const { object } = wordsOf(driver);
  const origin = objects?.staticBucket === true ? originOf(object, objects) : "";
  return {
    bucket: bucketId,
    subject: `access ${name}${access} to ${object} ${bucketName}${origin}`,
    driverName: driverNameOf(driver),
  };
}
