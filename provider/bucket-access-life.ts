import { status } from "@grpc/grpc-js";
import type * as pulumi from "@pulumi/pulumi";
import {
  checked,
  credentialsOf,
  inputKeys,
  outputsOf,
  ownedAccount,
  type AccessInputs,
  type AccessOutputs,
  type CheckedInputs,
  type GrantedAccount,
} from "./bucket-access-state";
import type { Answer, CallTarget, GrantedAccess } from "./contracts/contract";
import { pickCredentials, type GrantedSecrets } from "./credential-reader";
import { hasCode, isEarlySuccess, outcomeIsUnknown, provesNothingMade } from "./driver/outcome";
import { secretMask } from "./driver/secret-mask";
import { connect } from "./driver-reference";
import { errorText } from "./dynamic/error-text";
import { FailedResourceError } from "./dynamic/failed";
import { maskParameters } from "./dynamic/secret-input";
import { select } from "./dynamic/select";
import type { AccessObserver } from "./models/model";
import { observeAccess } from "./models/registry";
import { accountsOfRun } from "./run-ownership";
import { warn } from "./warning";

const nothingGranted: GrantedAccount = { accountId: null, granted: null };

/** An account whose id the driver told. */
type KnownAccount = GrantedAccount & { accountId: string };

/** Environment variable that takes NOT_FOUND as a done revoke, for a destroy, which runs no program. */
const revokeNotFoundVariable = "PULUMI_COSI_REVOKE_NOT_FOUND";

/** Grants the access. */
export async function create(inputs: AccessInputs): Promise<pulumi.dynamic.CreateResult<AccessOutputs>> {
  const known = checked(inputs);
  return { id: known.name, outs: outputsOf(known, await grant(known, false)) };
}

/** Finishes a grant that failed, or takes over changed settings and restores the objects; neither grants anew. */
export async function update(
  _id: string,
  olds: AccessOutputs,
  news: AccessInputs,
): Promise<pulumi.dynamic.UpdateResult<AccessOutputs>> {
  const known = checked(news);
  rememberSecrets(olds.granted);
  if (olds.accountId === null || olds.granted === null) {
    // An account without usable credentials serves nobody, and its own go first.
    if (olds.accountId === null) warnOfEarlierGrant(known);
    else await callRevoke(olds, olds.accountId);
    return { outs: outputsOf(known, await grant(known, true)) };
  }
  const account = { accountId: olds.accountId, granted: olds.granted };
  accountsOfRun.keep(ownedAccount(known, olds.accountId));
  await tellObjects(known, account, "restore");
  return { outs: outputsOf(known, account) };
}

/** Compares the objects with the state. The contract has no call that looks at an account, and none is sent. */
export async function read(
  id: string,
  props?: AccessOutputs,
): Promise<pulumi.dynamic.ReadResult<AccessOutputs>> {
  if (props?.schemaVersion === undefined) throw new Error(`the access ${id} can only be read from the state`);
  const outputs: AccessOutputs = { ...outputsOf(props, props), drift: await look(props) };
  // Pulumi types inputs and outputs alike here; what a user gave is a part of what is kept.
  return { id, props: outputs, inputs: select(outputs, inputKeys) as AccessOutputs };
}

/** Revokes the account, then lets its objects go. */
export async function remove(_id: string, outputs: AccessOutputs): Promise<void> {
  maskParameters(outputs);
  const observer = observe(outputs);
  rememberSecrets(outputs.granted);
  if (accountsOfRun.isKept(ownedAccount(outputs, outputs.accountId))) {
    warn(
      "access",
      outputs.name,
      "another resource of this run has the account now, so only this entry is dropped",
    );
    return;
  }
  await observer?.beforeRevoke();
  const accountId = outputs.accountId ?? (await learnAccountId(outputs));
  if (accountId !== null) await callRevoke(outputs, accountId);
  await observer?.revoked();
}

/**
 * Has the driver grant the access, and the objects tell of it.
 *
 * @param retried True if the state holds an earlier attempt.
 */
async function grant(inputs: CheckedInputs, retried: boolean): Promise<KnownAccount> {
  const before = await observe(inputs)?.beforeGrant();
  // GRPC-055: the credentials of an account that only the object's status knows are lost, and its key must not live on.
  if (before?.recordedAccountId !== undefined) await revokeLost(inputs, before.recordedAccountId);
  const account = await callGrant(inputs, retried);
  accountsOfRun.keep(ownedAccount(inputs, account.accountId));
  await tellObjects(inputs, account, "granted");
  return account;
}

async function revokeLost(inputs: CheckedInputs, accountId: string): Promise<void> {
  try {
    await callRevoke(inputs, accountId);
  } catch (error) {
    throw keep(
      inputs,
      { accountId, granted: null },
      `the credentials of account ${accountId} were lost with an earlier run, and it could not be revoked: ${errorText(error)}`,
      error,
    );
  }
}

async function callGrant(inputs: CheckedInputs, earlierAttempt: boolean): Promise<KnownAccount> {
  const { accountId, credentials } = await askForAccount(inputs, earlierAttempt);
  try {
    const granted = pick(inputs, credentials);
    rememberSecrets(granted);
    warnOfGaps(inputs, granted);
    return { accountId, granted };
  } catch (error) {
    throw await withdrawn(inputs, accountId, error);
  }
}

async function askForAccount(inputs: CheckedInputs, earlierAttempt: boolean): Promise<GrantedAccess> {
  const target = targetOf(inputs);
  let answer: Answer<GrantedAccess>;
  try {
    const { bucketId, name, authenticationType, parameters = {} } = inputs;
    const request = { bucketId, name, authenticationType, parameters };
    answer = await connect(inputs.driver).client.grantAccess(request, target);
  } catch (error) {
    const unknown = earlierAttempt || outcomeIsUnknown(error);
    await observe(inputs)?.failed({ kept: unknown });
    if (!unknown) {
      throw hasCode(error, status.ALREADY_EXISTS)
        ? new Error(`${errorText(error)} The account exists, and its keys cannot be read again.`, {
            cause: error,
          })
        : error;
    }
    throw keep(
      inputs,
      nothingGranted,
      `${errorText(error)} A credential for ${target.subject} may be alive: the resource stays in the state as failed, and the next pulumi up sends the same call.`,
      error,
    );
  }
  if (answer.repeatedAfterUnknown) warnOfEarlierGrant(inputs);
  if (answer.reply.accountId !== "") return answer.reply;
  await observe(inputs)?.failed({ kept: true });
  throw keep(
    inputs,
    nothingGranted,
    `DriverGrantBucketAccess: the driver ${inputs.driver.driverName} answered OK without account_id for ${target.subject}, so ` +
      `a credential may be alive that nobody can revoke by its id. Next: mend the driver, then run pulumi up again.`,
  );
}

/** The credentials that were asked for. @throws UnusableCredentialsError */
function pick(inputs: CheckedInputs, credentials: GrantedAccess["credentials"]): GrantedSecrets {
  // GRPC-048: an identity of the platform may come without any.
  if (inputs.authenticationType === "IAM" && credentials.size === 0) {
    warn("access", inputs.name, "the driver gave no credentials: the workload needs the platform's identity");
    return { protocol: inputs.protocol ?? inputs.bucketInfo?.protocol ?? "S3", secrets: {} };
  }
  return pickCredentials(credentials, inputs.protocol);
}

function warnOfEarlierGrant({ name, driver }: CheckedInputs): void {
  const text = `an earlier attempt had no answer: a credential of it may be alive at the driver ${driver.driverName}`;
  warn("access", name, text);
}

/** The error of a grant whose credentials cannot be used: its account is revoked at once, or kept in the state. */
async function withdrawn(inputs: CheckedInputs, accountId: string, cause: unknown): Promise<Error> {
  const text = `DriverGrantBucketAccess for ${targetOf(inputs).subject} gave nothing that can be used: ${errorText(cause)}.`;
  const observer = observe(inputs);
  try {
    await callRevoke(inputs, accountId);
  } catch (error) {
    await observer?.failed({ kept: true });
    const account = { accountId, granted: null };
    return keep(
      inputs,
      account,
      `${text} Its account ${accountId} could not be revoked: ${errorText(error)}`,
      cause,
    );
  }
  await observer?.failed({ kept: false });
  return new Error(`${text} Its account was revoked. Next: mend the driver, or ask for another protocol.`, {
    cause,
  });
}

function observe({ objects }: CheckedInputs): AccessObserver | undefined {
  return objects === undefined ? undefined : observeAccess(objects);
}

/** What was changed at the objects, in words; `null` if nothing was. */
async function look(outputs: AccessOutputs): Promise<string[] | null> {
  if (outputs.accountId === null) return null;
  const seen = await observe(outputs)?.read({ accountId: outputs.accountId });
  for (const { kind, name, text } of seen?.notes ?? []) warn(kind, name, text);
  return seen === undefined || seen.drift.length === 0 ? null : seen.drift;
}

function warnOfGaps(inputs: CheckedInputs, granted: GrantedSecrets): void {
  const { protocol, endpoint, region } = credentialsOf(inputs, granted);
  if (protocol !== "S3") return;
  const missing = [...(endpoint === null ? ["endpoint"] : []), ...(region === null ? ["region"] : [])];
  if (missing.length === 0) return;
  const gaps = missing.join(" and ");
  warn(
    "access",
    inputs.name,
    `the driver does not tell the ${gaps}; give it in the program if the workload needs it`,
  );
}

async function tellObjects(
  inputs: CheckedInputs,
  account: KnownAccount,
  how: "granted" | "restore",
): Promise<void> {
  try {
    await observe(inputs)?.[how]({ accountId: account.accountId, bucketId: inputs.bucketId });
  } catch (error) {
    throw keep(
      inputs,
      account,
      `the access ${inputs.name} is granted, but its objects could not be written: ${errorText(error)} Next: run pulumi up again.`,
      error,
    );
  }
}

/** The account of a grant that has no known outcome: an equal grant answers it. `null`: nothing was made. */
async function learnAccountId(outputs: AccessOutputs): Promise<string | null> {
  try {
    const { accountId, credentials } = await askForAccount(outputs, true);
    for (const secrets of credentials.values())
      for (const secret of secrets.values()) secretMask.remember(secret);
    return accountId;
  } catch (error) {
    if (error instanceof FailedResourceError && provesNothingMade(error.cause)) return null;
    throw new Error(
      `the access ${outputs.name} may have a live credential, and the driver does not tell its account. ${errorText(error)} ` +
        `To give the entry up instead, look for the account in the backend and use pulumi state delete.`,
      { cause: error },
    );
  }
}

async function callRevoke(inputs: CheckedInputs, accountId: string): Promise<void> {
  const { driver, bucketId, parameters = {}, name, revokeNotFound } = inputs;
  try {
    await connect(driver).client.revokeAccess({ bucketId, accountId, context: parameters }, targetOf(inputs));
  } catch (error) {
    const ignored = revokeNotFound === "ignore" || process.env[revokeNotFoundVariable] === "ignore";
    if (hasCode(error, status.NOT_FOUND) && ignored) {
      warn("access", name, "the driver says NOT_FOUND to the revoke, which counts as done as you asked");
    } else if (hasCode(error, status.NOT_FOUND) && !error.outcomeUnknown) {
      throw new Error(
        `${errorText(error)} Some drivers say so of a missing administrator's secret while the key lives on. If the account ` +
          `is gone, set revokeNotFound to "ignore", or ${revokeNotFoundVariable}=ignore for one destroy.`,
        { cause: error },
      );
    } else if (!isEarlySuccess(error)) {
      throw error;
    }
  }
  accountsOfRun.forget(ownedAccount(inputs, accountId));
}

/** What is known from the state is kept out of every later text as well. */
function rememberSecrets(granted: GrantedSecrets | null): void {
  for (const secret of Object.values(granted?.secrets ?? {})) secretMask.remember(secret);
}

function targetOf({ name, driver, bucketId, bucketName, objects }: CheckedInputs): CallTarget {
  const access =
    objects === undefined ? "" : ` of BucketAccess ${objects.access.namespace}/${objects.access.name}`;
  return {
    bucket: bucketId,
    subject: `access ${name}${access} to bucket ${bucketName}`,
    driverName: driver.driverName,
  };
}

/** The error with which a resource stays in the state as failed. */
function keep(
  inputs: CheckedInputs,
  account: GrantedAccount,
  message: string,
  cause?: unknown,
): FailedResourceError {
  return new FailedResourceError(message, inputs.name, { ...outputsOf(inputs, account) }, { cause });
}
