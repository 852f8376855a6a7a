import type * as pulumi from "@pulumi/pulumi";
import { grantAccess, learnAccountId, revokeAccess, warnOfEarlierGrant } from "./calls";
import { rememberSecrets } from "./granted-secrets";
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
import { warn } from "../run/warning";

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
  rememberSecrets(granted);
  if (accountId === null) {
    warnOfEarlierGrant(known);
    return { outs: outputsOf(known, await grant(known, true)) };
  }
  if (granted === null) {
    // An account without usable credentials serves nobody, and goes first; the driver may have moved since.
    await revoke(known, accountId);
    return { outs: outputsOf(known, await grant(known, true)) };
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
  rememberSecrets(outputs.granted);
  if (accountsOfRun.isKept(ownedAccount(outputs, outputs.accountId))) {
    warn(
      "access",
      outputs.name,
      "another resource of this run has the account now, so only this entry is dropped",
    );
    return;
  }
  const accountId = outputs.accountId ?? (await learnAccountId(outputs));
  if (accountId !== null) await revoke(outputs, accountId);
  await observe(outputs)?.revoked();
}

/**
 * Has the driver grant the access, and the objects tell of it.
 *
 * @param retried True if the state holds an earlier attempt.
 */
async function grant(inputs: CheckedInputs, retried: boolean): Promise<KnownAccount> {
  const observer = observe(inputs);
  const before = await observer?.beforeGrant();
  // GRPC-055: the credentials of an account that only the object's status knows are lost, and its key must not live on.
  if (before?.recordedAccountId !== undefined) await revokeLost(inputs, before.recordedAccountId);
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
