import type * as pulumi from "@pulumi/pulumi";
import {
  grantAccess,
  isOfAnother,
  isShared,
  learnAccount,
  revokeAccess,
  warnOfEarlierGrant,
  type RevocableAccount,
} from "./calls";
import { adopted, adoptedAccount, takenAccount } from "./existing-account";
import { rememberGranted } from "./granted-secrets";
import { issuedOf } from "./issued-credentials";
import { HalfRevokedError, revokedBy, type RevokeNotes } from "./revoke-in-turn";
import { notesOf } from "./revoke-notes";
import { handsOutOf, isLeaving, requireServed, served, sharesLogin } from "./succession";
import type { KnownAccount } from "./granted-account";
import { inputKeys, type AccessInputs, type CheckedInputs } from "./inputs";
import { askedAccount, checked, keptAsFailed, outputsOf, ownedAccount, type AccessOutputs } from "./state";
import { isFinalFailure, outcomeIsUnknown, saysAlreadyExists } from "../driver/call/outcome";
import { contractOf } from "../contracts/registry";
import { deleteAtDriver, sent } from "../bucket/calls";
import { secretMask } from "../driver/secrets/secret-mask";
import type { AccountKey } from "../models/account-record";
import { driftOf } from "../models/drift";
import { UnwantedGrantError, type AccessObserver, type HandsOut } from "../models/model";
import { errorText } from "../dynamic/error-text";
import { FailedResourceError, withNothingMade } from "../dynamic/failed";
import { maskParameters } from "../dynamic/secret-input";
import { select } from "../dynamic/select";
import { observeAccess } from "../models/registry";
import { describeResource } from "../dynamic/kept-inputs";
import { rotationsOfRun, type RetiringAccount } from "../run/rotations";
import { objectsOfRun } from "../run/objects-of-run";
import { accountsOfRun } from "../run/run-ownership";
import { warn } from "../run/warning";

/** Grants the access. */
export async function create(inputs: AccessInputs): Promise<pulumi.dynamic.CreateResult<AccessOutputs>> {
  const known = checked(inputs);
  const inState = rotationsOfRun.planned(describeResource(known.logicalName, known.parent))?.name;
  return { id: known.name, outs: await served(known, () => grant(known, false, inState)) };
}

/** Finishes a grant that failed, or takes over changed settings and restores the objects; neither grants anew. */
export async function update(
  _id: string,
  olds: AccessOutputs,
  news: AccessInputs,
): Promise<pulumi.dynamic.UpdateResult<AccessOutputs>> {
  const known = checked(news);
  return { outs: await served(known, () => settle(olds, known)) };
}

/** The account that an access in the state has from now on. */
async function settle(olds: AccessOutputs, known: CheckedInputs): Promise<KnownAccount> {
  const { accountId, granted } = olds;
  rememberGranted(olds);
  if (accountId === null) {
    const asked = olds.nothingMade !== true;
    if (asked) warnOfEarlierGrant(known);
    return grant(known, asked);
  }
  const account = { accountId, granted, grantedAt: olds.grantedAt ?? null, ...issuedOf(olds) };
  if (granted === null) {
    // An account without usable credentials serves nobody, and goes first; the driver may have moved since.
    await observe(known)?.requireGrantable?.();
    if (takenAccount({ ...known, accountId }) === undefined) await revokeForNew(known, account);
    return grantAnew(known, accountId);
  }
  if (
    adopted(known) === undefined &&
    (await observe(known)?.mayBeRevoked({ name: known.name, accountId })) === true
  ) {
    // An earlier `destroy` has sent the revoke and did not come to its end.
    await observe(known)?.requireGrantable?.();
    await revokeForNew(known, account);
    return grantAnew(known, accountId);
  }
  const current = adoptedAccount(known) ?? account;
  accountsOfRun.keep(ownedAccount(known, accountId));
  objectsOfRun.use(known.objects);
  await revokeUnfinished({ ...known, accountId }, false);
  await restoreObjects(known, current);
  return current;
}

/** Compares the objects with the state. The contract has no call that looks at an account, and none is sent. */
export async function read(
  id: string,
  props?: AccessOutputs,
): Promise<pulumi.dynamic.ReadResult<AccessOutputs>> {
  if (props?.schemaVersion === undefined) throw new Error(`the access ${id} can only be read from the state`);
  const { accountId } = props;
  const seen = accountId === null ? undefined : await observe(props)?.read({ name: props.name, accountId });
  const kept = props.nothingMade === true ? { nothingMade: true } : {};
  const outputs: AccessOutputs = { ...outputsOf(props, props), drift: driftOf(seen), ...kept };
  // Pulumi types inputs and outputs alike here; what a user gave is a part of what is kept.
  return { id, props: outputs, inputs: select(outputs, inputKeys) as AccessOutputs };
}

/** Revokes the account, then lets its objects go. */
export async function remove(_id: string, outputs: AccessOutputs): Promise<void> {
  maskParameters(outputs);
  rememberGranted(outputs);
  if (isOfAnother(outputs, outputs.accountId)) {
    // The account alone has another owner: a finalizer that was left on would hold our objects for ever.
    if (!objectsOfRun.isUsed(outputs.objects, describeResource(outputs.logicalName, outputs.parent))) {
      await observe(outputs)?.requireOwn?.();
      await leaveObjects(outputs, outputs);
    }
    return;
  }
  const existing = takenAccount(outputs);
  if (existing === undefined) {
    requireServed(outputs);
    if (sharesLogin(outputs)) return observe(outputs)?.unchanged?.();
  }
  if (existing !== undefined || outputs.accountId === null) await observe(outputs)?.requireOwn?.();
  if (existing !== undefined)
    warn("access", outputs.name, `the account ${existing.accountId} was there before, and stays`);
  else if (outputs.nothingMade === true) await observe(outputs)?.settled(outputs);
  else if (outputs.accountId === null) await revokeLearned(outputs);
  else {
    const account = { accountId: outputs.accountId, ...issuedOf(outputs) };
    await revokeOfState(outputs, account, { handsOut: handsOutOf(outputs), leaving: isLeaving(outputs) });
  }
  await revokeUnfinished(outputs, true);
  await leaveObjects(outputs, outputs);
}

/** Lets the objects of a revoked account go, and with them a bucket whose deletion has waited for that. */
async function leaveObjects(inputs: CheckedInputs, key: AccountKey): Promise<void> {
  const observer = observe(inputs);
  const bucket = await observer?.revoked(key);
  if (bucket === undefined) return;
  const { name, bucketId, protocol, parameters, bucketInfo, secrets } = bucket;
  const deletable = { name: bucketId, bucketId, protocol, parameters, bucketInfo, ...sent(secrets) };
  await deleteAtDriver(inputs.driver, deletable, `bucket ${bucketId} of Bucket ${name}`);
  await observer?.finished?.(bucket);
}

/** Revokes the account of a grant without a known outcome. */
async function revokeLearned(outputs: AccessOutputs): Promise<void> {
  const account = await learnAccount(outputs);
  // Some drivers give one account to several accesses.
  if (account === null || isOfAnother(outputs, account.accountId)) return;
  try {
    await revoke(outputs, account, undefined, { leaving: isLeaving(outputs) });
  } catch (error) {
    throw new Error(
      `${errorText(error)} The grant of access ${outputs.name} had no known outcome, and the state does not hold its account ` +
        `${account.accountId}. To give up the entry instead, remove that account in the store and use pulumi state delete.`,
      { cause: error },
    );
  }
}

/** Grants again after a revoke that is done: whatever fails from here on, the state must not keep the old account. */
async function grantAnew(inputs: CheckedInputs, accountId: string): Promise<KnownAccount> {
  try {
    await leaveObjects(inputs, { name: inputs.name, accountId });
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
 * @param inState Name of the account in the state, in whose place this one comes.
 */
async function grant(inputs: CheckedInputs, retried: boolean, inState?: string): Promise<KnownAccount> {
  const observer = observe(inputs);
  const { name } = inputs;
  const resource = describeResource(inputs.logicalName, inputs.parent);
  const retiring = rotationsOfRun.retiring(resource);
  const existing = adoptedAccount(inputs);
  const isAdopted = existing !== undefined;
  const rotates = inputs.rotation !== undefined || isAdopted;
  const asked = { name, rotates, adopted: isAdopted, inState, retiring };
  let before = await observer?.beforeGrant(asked);
  // GRPC-055: the credentials of an account that only the object's status knows are lost, and its key must not live on.
  const recorded = before?.recordedAccountId;
  if (recorded !== undefined && recorded !== existing?.accountId && before?.held === undefined) {
    await revokeLost(inputs, recorded);
    // Left in the status, a later run would revoke it once more.
    await observer?.revoked({ name, accountId: recorded });
    before = await observer?.beforeGrant(asked);
  }
  if (before?.held !== undefined) {
    const accountId = before.recordedAccountId;
    throw keptAsFailed(inputs, accountId === undefined ? null : { accountId, granted: null }, before.held);
  }
  // Whatever the call comes to, it may have made the account.
  if (existing === undefined) accountsOfRun.ask(askedAccount(inputs), resource);
  objectsOfRun.use(inputs.objects);
  let account: KnownAccount;
  try {
    account = existing ?? (await grantAccess(inputs, retried || before?.earlierAttempt === true, observer));
  } catch (error) {
    const kept = error instanceof FailedResourceError;
    if (!kept) accountsOfRun.refuse(askedAccount(inputs), resource, saysAlreadyExists(error));
    const reason = secretMask.apply(errorText(error));
    const released = await observer?.failed({ name, kept, isFinal: isFinalFailure(error), reason });
    if (kept || released !== false) throw error;
    const text =
      "The resource stays in the state as failed, as its object has kept our finalizer: a destroy takes it off.";
    throw withNothingMade(keptAsFailed(inputs, null, `${errorText(error)} ${text}`, error));
  }
  if (existing === undefined) {
    account.grantedAt = new Date().toISOString();
    warnOfSameAccount(inputs, account, retiring);
    warnOfSharedAccount(inputs, account, retiring);
  }
  accountsOfRun.made(ownedAccount(inputs, account.accountId), resource);
  await tellGranted(inputs, account, observer);
  return account;
}

function warnOfSameAccount(
  { name, driver }: CheckedInputs,
  { accountId }: KnownAccount,
  retiring: RetiringAccount | undefined,
): void {
  if (retiring?.accountId !== accountId) return;
  warn(
    "access",
    name,
    `the driver ${driver.driverName} gives every access the account ${accountId}: nothing was rotated, and its keys ` +
      "work as before",
  );
}

/** DEP-087: published drivers of the Deployment Interface may have one account for all. */
function warnOfSharedAccount(
  inputs: CheckedInputs,
  { accountId }: KnownAccount,
  retiring: RetiringAccount | undefined,
): void {
  const { name, driver } = inputs;
  if (!contractOf(driver.contract).credentialsAreFree || retiring?.accountId === accountId) return;
  if (!isShared(inputs, accountId)) return;
  warn(
    "access",
    name,
    `the driver ${driver.driverName} has given the account ${accountId} to another access of this program too: revoking one ` +
      "of them may end both",
  );
}

/**
 * Revokes what a rotation has asked for whose run was killed: no state knows it, and its key must not live on.
 *
 * @param leaving The access goes, and with it all its accounts.
 */
async function revokeUnfinished(
  inputs: CheckedInputs & { accountId: string | null },
  leaving: boolean,
): Promise<void> {
  const observer = observe(inputs);
  const key = { name: inputs.name, accountId: inputs.accountId, leaving };
  for (const { name, accountId: told } of (await observer?.unfinished(key)) ?? []) {
    const unfinished = { ...inputs, name };
    const account = told === undefined ? await learnAccount(unfinished) : { accountId: told };
    const ids = account === null ? [] : [[inputs.bucketId, account.accountId]];
    const entry = describeResource(inputs.logicalName, inputs.parent);
    if (accountsOfRun.holdOn({ ...askedAccount(unfinished), ids }, entry) !== undefined) continue;
    await observer?.settling({ name });
    // Whether it is there is not known: that it is gone is as good.
    if (account !== null) await revokeAccess(unfinished, account, true);
    await observer?.settled({ name });
  }
}

async function revokeLost(inputs: CheckedInputs, accountId: string): Promise<void> {
  if (isShared(inputs, accountId)) return;
  try {
    await revoke(inputs, { accountId });
  } catch (error) {
    throw keptAsFailed(
      inputs,
      { accountId, granted: null },
      `the credentials of account ${accountId} were lost with an earlier run, and it could not be revoked: ${errorText(error)}`,
      error,
    );
  }
}

/** Revokes an account in whose place a new one comes. How far it came is kept in the state if it fails half-way. */
async function revokeForNew(inputs: CheckedInputs, account: KnownAccount): Promise<void> {
  try {
    await revokeOfState(inputs, account);
  } catch (error) {
    if (!(error instanceof HalfRevokedError)) throw error;
    const text =
      "The access stays in the state as failed: the next pulumi up revokes the rest, then asks for an account again.";
    const half = { ...account, granted: null, ...revokedBy(error) };
    throw keptAsFailed(inputs, half, `${error.message} ${text}`, error);
  }
}

/** Revokes an account as the state has it; the objects may know better which of its credentials are left. */
function revokeOfState(
  inputs: CheckedInputs,
  account: RevocableAccount,
  options?: RevokeOptions,
): Promise<void> {
  return revoke(inputs, account, notesOf(observe(inputs), account), options);
}

/** What is known of a revoke. */
interface RevokeOptions {
  /** What tells the account's credentials. @default they are not known */
  readonly handsOut?: HandsOut;
  /** The objects of the access go too. @default they stay, for another account */
  readonly leaving?: boolean;
}

/** Revokes an account; the objects bear the mark of it from before the call on. */
async function revoke(
  inputs: CheckedInputs,
  account: RevocableAccount,
  notes?: RevokeNotes,
  { handsOut = () => false, leaving = false }: RevokeOptions = {},
): Promise<void> {
  const observer = observe(inputs);
  const key = { name: inputs.name, accountId: account.accountId };
  const before = await observer?.beforeRevoke({ ...key, handsOut, leaving });
  if (before?.done === true) return;
  const earlierAttempt = before?.earlierAttempt === true;
  try {
    await revokeAccess(inputs, account, earlierAttempt, notes);
  } catch (error) {
    const hadEffect = outcomeIsUnknown(error) || error instanceof HalfRevokedError;
    if (!earlierAttempt && !hadEffect) await observer?.revokeRefused(key);
    await observer?.failedLater?.(secretMask.apply(errorText(error)));
    throw error;
  }
}

function observe({ objects }: CheckedInputs): AccessObserver | undefined {
  return objects === undefined ? undefined : observeAccess(objects);
}

/** Has the objects tell of a new account; where its bucket went meanwhile, it is revoked at once. */
async function tellGranted(
  inputs: CheckedInputs,
  account: KnownAccount,
  observer: AccessObserver | undefined,
): Promise<void> {
  try {
    await observer?.granted({ name: inputs.name, accountId: account.accountId, bucketId: inputs.bucketId });
  } catch (error) {
    if (!(error instanceof UnwantedGrantError) || adopted(inputs) !== undefined) {
      throw untold(inputs, account, error);
    }
    await withdraw(inputs, account, error);
  }
}

async function withdraw(inputs: CheckedInputs, account: KnownAccount, cause: Error): Promise<never> {
  try {
    await revokeForNew(inputs, account);
    await leaveObjects(inputs, { name: inputs.name, accountId: account.accountId });
  } catch (error) {
    if (error instanceof FailedResourceError) throw error;
    const text = `${cause.message} The account that was granted could not be revoked: ${errorText(error)}`;
    throw keptAsFailed(inputs, account, text, error);
  }
  throw new Error(`${cause.message} The account that was granted meanwhile is revoked.`, { cause });
}

/** The error with which an account stays in the state whose objects do not tell of it. */
function untold(inputs: CheckedInputs, account: KnownAccount, error: unknown): FailedResourceError {
  const text = `the access ${inputs.name} is granted, but its objects could not be written: ${errorText(error)}`;
  return keptAsFailed(inputs, account, text, error);
}

async function restoreObjects(inputs: CheckedInputs, account: KnownAccount): Promise<void> {
  try {
    await observe(inputs)?.restore({ name: inputs.name, accountId: account.accountId });
  } catch (error) {
    throw untold(inputs, account, error);
  }
}
