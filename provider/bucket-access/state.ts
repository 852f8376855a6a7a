import { createHash } from "node:crypto";
import { contractOf } from "../contracts/registry";
import { readCredentials, type CredentialEntries, type GrantedSecrets } from "../credentials/reader";
import { addressOutput } from "../credentials/address-output";
import type { Credentials } from "../credentials/credentials";
import { referenceOutput } from "../driver-resource/driver-reference";
import { digest } from "../dynamic/digest";
import { FailedResourceError } from "../dynamic/failed";
import { maskParameters, withSecretParameters } from "../dynamic/secret-input";
import { canonical, containsUnknown, secretOutput } from "../dynamic/values";
import { stateFormat } from "../dynamic/state-format";
import { objectsOutput } from "../models/objects";
import type { OwnedObject } from "../run/run-ownership";
import { adopted, rememberExisting } from "./existing-account";
import type { GrantedAccount, KnownAccount } from "./granted-account";
import type { AccessInputs, CheckedInputs } from "./inputs";
import { issuedOf, needsNoKeys, type IssuedCredentials } from "./issued-credentials";

/** What credentials of a protocol are known by, each as an output of its own. */
interface ProtocolOutputs {
  accessKeyId: string | null;
  accessSecretKey: string | null;
  endpoint: string | null;
  region: string | null;
  accessToken: string | null;
  expiry: string | null;
}

export interface AccessOutputs extends CheckedInputs, GrantedAccount, Partial<ProtocolOutputs> {
  credentials: Credentials | CredentialEntries | null;
  /** Changes with the credentials: for the template of a pod, which is then made anew. */
  checksum: string | null;
  /** What was changed behind Pulumi's back, as a refresh found it; the next `up` restores it. */
  drift?: string[] | null;
  /** Nothing was made: a failed create whose object has kept our finalizer. */
  nothingMade?: boolean;
  schemaVersion: typeof stateFormat;
}

/**
 * The account among those of the run; one whose grant has no known outcome is known by its name only. Some drivers give
 * every grant of a name an account of its own.
 */
export function ownedAccount(inputs: CheckedInputs, accountId: string | null): OwnedObject {
  const { driver, bucketId } = inputs;
  const ids = accountId === null ? [] : [[bucketId, accountId]];
  const isGiven = accountId !== null && inputs.existingAccount?.accountId === accountId;
  return {
    ...(adopted(inputs) === undefined ? askedAccount(inputs) : { driver }),
    ids,
    ...(isGiven ? { isGiven } : {}),
  };
}

/** What a grant sends, by which a driver tells accounts of one name apart. */
type AccountTerms = Pick<
  AccessInputs,
  "driver" | "bucketId" | "authenticationType" | "parameters" | "policyActions" | "serviceAccount"
>;

/** The account that a driver is asked for, by its name. */
export function askedAccount({ name, ...inputs }: AccountTerms & { readonly name: string }): OwnedObject {
  const { driver, bucketId, authenticationType = "Key", parameters = {} } = inputs;
  const terms = [authenticationType, parameters, inputs.policyActions, inputs.serviceAccount];
  return {
    driver,
    name: [bucketId, name],
    ids: [],
    ...(containsUnknown(terms) ? {} : { terms: digest(terms) }),
  };
}

/** Inputs as check returned them; at `up` everything is known. */
export function checked(inputs: AccessInputs): CheckedInputs {
  maskParameters(inputs);
  rememberExisting(inputs);
  const { name, authenticationType } = inputs;
  if (name === undefined || authenticationType === undefined) {
    throw new Error(`the access ${inputs.logicalName} comes without the values that check fills in`);
  }
  return { ...inputs, name, authenticationType };
}

/** The credentials of a grant, with what the program says where the driver is silent. @throws UnusableCredentialsError */
export function credentialsOf(
  inputs: CheckedInputs,
  granted: GrantedSecrets,
  { issued }: IssuedCredentials,
): Credentials {
  const { authenticationType, defaultEndpoint, defaultRegion, bucketInfo } = inputs;
  // Of an account that is no key, no key is required.
  const proof = needsNoKeys(inputs, issued) ? "IAM" : authenticationType;
  return readCredentials(granted, proof, {
    endpoint: defaultEndpoint,
    region: defaultRegion,
    bucketInfo,
  });
}

/** What the state keeps of an access: every output, `null` where there is none, secrets marked. */
export function outputsOf(inputs: CheckedInputs, account: GrantedAccount): AccessOutputs {
  const { granted } = account;
  const isFree = contractOf(inputs.driver.contract).credentialsAreFree;
  const credentials =
    granted === null || "entries" in granted ? null : credentialsOf(inputs, granted, account);
  const kept = granted !== null && "entries" in granted ? granted.entries : credentials;
  return {
    ...withSecretParameters(inputs),
    ...(inputs.objects === undefined ? {} : { objects: objectsOutput(inputs.objects) }),
    ...(inputs.existingAccount === undefined
      ? {}
      : { existingAccount: secretOutput(inputs.existingAccount) }),
    ...(inputs.bucketInfo === undefined ? {} : { bucketInfo: addressOutput(inputs.bucketInfo) }),
    driver: referenceOutput(inputs.driver),
    accountId: account.accountId,
    granted: secretOutput(granted),
    ...issuedOutput(account),
    credentials: secretOutput(kept),
    ...(isFree ? {} : protocolOutputs(credentials, inputs)),
    grantedAt: account.grantedAt ?? null,
    checksum: kept === null ? null : checksumOf(kept, account),
    drift: null,
    schemaVersion: stateFormat,
  };
}

/** Each is there in any case: Pulumi takes an output that is left out for unknown. */
function protocolOutputs(
  credentials: Credentials | null,
  { secretEndpoint, secretRegion }: CheckedInputs,
): ProtocolOutputs {
  const [endpoint, region] = [credentials?.endpoint ?? null, credentials?.region ?? null];
  return {
    accessKeyId: secretOutput(credentials?.accessKeyId ?? null),
    accessSecretKey: secretOutput(credentials?.accessSecretKey ?? null),
    endpoint: secretEndpoint === true ? secretOutput(endpoint) : addressOutput(endpoint),
    region: secretRegion === true ? secretOutput(region) : region,
    accessToken: secretOutput(credentials?.accessToken ?? null),
    expiry: credentials?.expiry ?? null,
  };
}

/** All of what was issued is secret; how much of it is revoked is not. */
function issuedOutput(account: GrantedAccount): IssuedCredentials {
  const { issued = null, revoked } = issuedOf(account);
  return { issued: secretOutput(issued), ...(revoked === undefined ? {} : { revoked }) };
}

/** Half of a SHA-256: it tells two apart, and says nothing of what it is made from. */
function checksumOf(
  credentials: Credentials | CredentialEntries,
  { issued = null }: IssuedCredentials,
): string {
  const all = issued === null ? credentials : { ...credentials, issued };
  return createHash("sha256").update(canonical(all)).digest("hex").slice(0, 32);
}

/** The error with which an access stays in the state as failed. @param account `null`: no outcome is known. */
export function keptAsFailed(
  inputs: CheckedInputs,
  account: KnownAccount | null,
  message: string,
  cause?: unknown,
): FailedResourceError {
  const outputs = outputsOf(inputs, account ?? { accountId: null, granted: null });
  return new FailedResourceError(message, inputs.name, { ...outputs }, { cause });
}
