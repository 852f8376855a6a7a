import { knownContract } from "../contracts/registry";
import type { GrantedSecrets } from "../credentials/reader";
import { rememberCredentials } from "../credentials/remember";
import { isUnknown } from "../dynamic/values";
import type { KnownAccount } from "./granted-account";
import type { AccessInputs, ExistingAccount } from "./inputs";

/** The account that is taken as it is; `undefined` where the driver grants one, as it does from the first rotation on. */
export function adopted({ existingAccount, rotation }: AccessInputs): ExistingAccount | undefined {
  return isUnknown(rotation) || (rotation?.generation ?? 0) === 0 ? existingAccount : undefined;
}

/** The account of an entry, if that is the program's by its own word: no revoke is ever sent for it, whoever granted it. */
export function takenAccount({
  accountId,
  ...inputs
}: AccessInputs & { readonly accountId: string | null }): ExistingAccount | undefined {
  const { existingAccount } = inputs;
  return adopted(inputs) ?? (existingAccount?.accountId === accountId ? existingAccount : undefined);
}

/** The account in the form of one that a driver granted. */
export function adoptedAccount(inputs: AccessInputs): KnownAccount | undefined {
  const existing = adopted(inputs);
  if (existing === undefined) return undefined;
  const { accountId, accessKeyId = "", accessSecretKey = "", accessToken, credentials } = existing;
  if (credentials !== undefined) return { accountId, granted: { entries: credentials }, grantedAt: null };
  const granted: GrantedSecrets =
    accessToken === undefined
      ? { protocol: "S3", secrets: { accessKeyID: accessKeyId, accessSecretKey } }
      : { protocol: "Azure", secrets: { accessToken } };
  return { accountId, granted, grantedAt: null };
}

/** Keeps the credentials that a program gives out of every later text. */
export function rememberExisting({ existingAccount }: AccessInputs): void {
  if (existingAccount === undefined) return;
  const { accountId, credentials = {}, ...secrets } = existingAccount;
  for (const values of [secrets, ...Object.values(credentials)]) rememberCredentials(values, [accountId]);
}

/** What is wrong with an account that is to be taken, or `undefined`. */
export function existingAccountProblem(
  existing: ExistingAccount,
  { authenticationType, protocol, driver }: AccessInputs,
): string | undefined {
  const { accountId, accessKeyId, accessSecretKey, accessToken, credentials } = existing;
  if (accountId === "") return "has an empty accountId: give the driver's id of the account";
  if (authenticationType === "IAM")
    return "is given with authenticationType IAM, which has no keys to take over";
  if (knownContract(driver.contract)?.credentialsAreFree === true) {
    const isEmpty = Object.values(credentials ?? {}).every((entry) => Object.keys(entry).length === 0);
    return isEmpty ? "needs credentials: the account's keys by their names, by an entry" : undefined;
  }
  const keys = [accessKeyId, accessSecretKey];
  const isS3 = keys.every((key) => key !== undefined && key !== "") && accessToken === undefined;
  const isAzure = keys.every((key) => key === undefined) && accessToken !== undefined && accessToken !== "";
  if (!isS3 && !isAzure) return "needs either accessKeyId and accessSecretKey, or accessToken";
  const given = isS3 ? "S3" : "Azure";
  return protocol === undefined || isUnknown(protocol) || protocol === given
    ? undefined
    : `has credentials of ${given}, and protocol is ${JSON.stringify(protocol)}`;
}
