import { handsOut, loginOf, proveOneLogin } from "./handed-out";
import { lineOf } from "./rotation";
import type { KnownAccount } from "./granted-account";
import type { CheckedInputs } from "./inputs";
import { outputsOf, type AccessOutputs } from "./state";
import type { HandsOut } from "../models/model";
import { successionsOfRun } from "../run/successions";
import { warn } from "../run/warning";

/** Gives an access its account, and has the run know whether that has come to its end. */
export async function served(
  inputs: CheckedInputs,
  give: () => Promise<KnownAccount>,
): Promise<AccessOutputs> {
  const line = lineOf(inputs);
  successionsOfRun.await(line, inputs.name);
  const account = await give();
  successionsOfRun.serve(line, inputs.name, loginOf(account.granted));
  return outputsOf(inputs, account);
}

/**
 * Makes sure that an account which is to be revoked has no successor that this run could not grant.
 *
 * @throws Error if workloads would be left without any keys that work.
 */
export function requireServed(outputs: AccessOutputs): void {
  const { name, accountId, granted } = outputs;
  const awaited = successionsOfRun.awaited(lineOf(outputs), name);
  // Without credentials it serves nobody.
  if (awaited === undefined || granted === null) return;
  throw new Error(
    `the account ${accountId ?? ""} of access ${name} was not revoked, and still works: ${awaited}, which is to take its place, was ` +
      "not granted in this run. Next: run pulumi up again; once it has granted that one, it revokes this one.",
  );
}

/**
 * True if the account that has come in the place of this one has the same credentials, which a revoke of this one could end.
 * A warning says what becomes of it.
 */
export function sharesLogin({ name, accountId, granted, driver, objects, ...rest }: AccessOutputs): boolean {
  const after = successionsOfRun.loginAfter(lineOf({ name, driver, ...rest }), name);
  if (after === undefined || !proveOneLogin(loginOf(granted), after)) return false;
  const wayOn =
    objects === undefined
      ? "leaves the state. Next: remove it there once nothing uses these credentials"
      : "is revoked with the access. Next: nothing, or remove it there once nothing uses these credentials";
  warn(
    "access",
    name,
    `the driver ${driver.driverName} has given the account that replaces it the same credentials, so nothing was rotated, and ` +
      `revoking the account ${accountId ?? ""} could end them: it stays at the driver, and ${wayOn}`,
  );
  return true;
}

/** Tells whether a Secret hands out the credentials of an account that goes; of one that goes first they may be there still. */
export function handsOutOf(outputs: AccessOutputs): HandsOut {
  const line = lineOf(outputs);
  if (successionsOfRun.endsFirst(line, outputs.name)) return () => false;
  return handsOut(outputs, successionsOfRun.loginAfter(line, outputs.name));
}

/** False for an account that ends before another one is granted in its place: the objects may stay for that one. */
export function isLeaving(outputs: AccessOutputs): boolean {
  return !successionsOfRun.endsFirst(lineOf(outputs), outputs.name);
}
