import type * as pulumi from "@pulumi/pulumi";
import {
  grantAccess,
  isOfAnother,
  isShared,
  learnAccountId,
  revokeAccess,
  warnOfEarlierGrant,
} from "./calls";
import { rememberGranted } from "./granted-secrets";
import {
  checked,
  inputKeys,
  keptAsFailed,
  outputsOf,
  ownedAccount,
  type AccessInputs,
  type AccessOutputs,
  type CheckedInputs,
  type KnownAccount,
} from "./state";
import { outcomeIsUnknown } from "../driver/call/outcome";
import { driftOf } from "../models/drift";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError } from "../dynamic/failed";
import { maskParameters } from "../dynamic/secret-input";
import { select } from "../dynamic/select";
import type { AccessObserver } from "../models/model";
import { observeAccess } from "../models/registry";
import { accountsOfRun } from "../run/run-ownership";

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
  const { accountId, granted } = olds;
  rememberGranted(olds);
  if (accountId === null) {
    warnOfEarlierGrant(known);
    return { outs: outputsOf(known, await grant(known, true)) };
  }
  if (granted === null) {
    // An account without usable credentials serves nobody, and goes first; the driver may have moved since.
    await revoke(known, accountId);
    return { outs: outputsOf(known, await grantAnew(known)) };
  }
  const account = { accountId, granted };
  accountsOfRun.keep(ownedAccount(known, accountId));
  await tellObjects(known, account, "restore");
  return { outs: outputsOf(known, account) };
}

/** Compares the objects with the state. The contract has no call that looks at an account, and none is sent. */
export async function read(
  id: string,
  props?: AccessOutputs,
): Promise<pulumi.dynamic.ReadResult<AccessOutputs>> {
  if (props?.schemaVersion === undefined) throw new Error(`the access ${id} can only be read from the state`);
  const { accountId } = props;
  const seen = accountId === null ? undefined : await observe(props)?.read({ accountId });
  const outputs: AccessOutputs = { ...outputsOf(props, props), drift: driftOf(seen) };
  // Pulumi types inputs and outputs alike here; what a user gave is a part of what is kept.
  return { id, props: outputs, inputs: select(outputs, inputKeys) as AccessOutputs };
}

/** Revokes the account, then lets its objects go. */
export async function remove(_id: string, outputs: AccessOutputs): Promise<void> {
  maskParameters(outputs);
  rememberGranted(outputs);
  if (isOfAnother(outputs, outputs.accountId)) return;
  if (outputs.accountId === null) await revokeLearned(outputs);
  else await revoke(outputs, outputs.accountId);
  await observe(outputs)?.revoked();
}

/** Revokes the account of a grant without a known outcome. */
async function revokeLearned(outputs: AccessOutputs): Promise<void> {
  const accountId = await learnAccountId(outputs);
  // Some drivers give one account to several accesses.
  if (accountId === null || isOfAnother(outputs, accountId)) return;
  try {
    await revoke(outputs, accountId);
  } catch (error) {
    throw new Error(
      `${errorText(error)} The grant of access ${outputs.name} had no known outcome, and the state does not hold its account ` +
        `${accountId}. To give the entry up instead, remove that account in the store and use pulumi state delete.`,
      { cause: error },
    );
  }
}

/** Grants again after a revoke that is done: whatever fails from here on, the state must not keep the old account. */
async function grantAnew(inputs: CheckedInputs): Promise<KnownAccount> {
  try {
    await observe(inputs)?.revoked();
    return await grant(inputs, false);
  } catch (error) {
    if (error instanceof FailedResourceError) throw error;
    const text =
      "The access stays in the state as failed, without an account: the next pulumi up asks for one again.";
    throw keptAsFailed(inputs, null, `${errorText(error)} ${text}`, error);
  }
}

/**
 * Has the driver grant the access, and the objects tell of it.
 *
 * @param retried True if the state holds an earlier attempt.
 */
async function grant(inputs: CheckedInputs, retried: boolean): Promise<KnownAccount> {
  const observer = observe(inputs);
  let before = await observer?.beforeGrant();
  // GRPC-055: the credentials of an account that only the object's status knows are lost, and its key must not live on.
  if (before?.recordedAccountId !== undefined && before.held === undefined) {
    await revokeLost(inputs, before.recordedAccountId);
    // Left in the status, a later run would revoke it once more.
    await observer?.revoked();
    before = await observer?.beforeGrant();
  }
  if (before?.held !== undefined) {
    const accountId = before.recordedAccountId;
    throw keptAsFailed(inputs, accountId === undefined ? null : { accountId, granted: null }, before.held);
  }
  // Whatever the call comes to, it may have made the account.
  accountsOfRun.keep(ownedAccount(inputs, null));
  let account: KnownAccount;
  try {
    account = await grantAccess(inputs, retried);
  } catch (error) {
    await observer?.failed({ kept: error instanceof FailedResourceError });
    throw error;
  }
  accountsOfRun.keep(ownedAccount(inputs, account.accountId));
  await tellObjects(inputs, account, "granted");
  return account;
}

async function revokeLost(inputs: CheckedInputs, accountId: string): Promise<void> {
  if (isShared(inputs, accountId)) return;
  try {
    await revoke(inputs, accountId);
  } catch (error) {
    throw keptAsFailed(
      inputs,
      { accountId, granted: null },
      `the credentials of account ${accountId} were lost with an earlier run, and it could not be revoked: ${errorText(error)}`,
      error,
    );
  }
}

/** Revokes an account; the objects bear the mark of it from before the call on. */
async function revoke(inputs: CheckedInputs, accountId: string): Promise<void> {
  const observer = observe(inputs);
  const earlierAttempt = (await observer?.beforeRevoke())?.earlierAttempt === true;
  try {
    await revokeAccess(inputs, accountId, earlierAttempt);
  } catch (error) {
    if (!earlierAttempt && !outcomeIsUnknown(error)) await observer?.revokeRefused();
    throw error;
  }
}

function observe({ objects }: CheckedInputs): AccessObserver | undefined {
  return objects === undefined ? undefined : observeAccess(objects);
}

async function tellObjects(
  inputs: CheckedInputs,
  account: KnownAccount,
  how: "granted" | "restore",
): Promise<void> {
  try {
    await observe(inputs)?.[how]({ accountId: account.accountId, bucketId: inputs.bucketId });
  } catch (error) {
    throw keptAsFailed(
      inputs,
      account,
      `the access ${inputs.name} is granted, but its objects could not be written: ${errorText(error)} Next: run pulumi up again.`,
      error,
    );
  }
}
