import { createHash } from "node:crypto";
import { issuedOf, needsNoKeys, type IssuedCredentials } from "./issued-credentials";
import { contractOf } from "../contracts/registry";
import type { AuthenticationType, BucketInfo, PolicyActions } from "../contracts/contract";
import {
  readCredentials,
  type CredentialEntries,
  type GrantedCredentials,
  type GrantedSecrets,
} from "../credentials/reader";
import { addressOutput } from "../credentials/address-output";
import type { CredentialProtocol, Credentials } from "../credentials/credentials";
import { referenceOutput, type DriverReference } from "../driver-resource/driver-reference";
import { digest } from "../dynamic/digest";
import { FailedResourceError } from "../dynamic/failed";
import { maskParameters, withSecretParameters } from "../dynamic/secret-input";
import { canonical, containsUnknown, secretOutput } from "../dynamic/values";
import { stateFormat } from "../dynamic/state-format";
import type { AccessObjects } from "../models/model";
import { objectsOutput } from "../models/objects";
import { adopted, rememberExisting, type ExistingAccount } from "./existing-account";
import type { Rotation } from "./rotation";
import type { RevokeNotFound } from "../run/revoke-outcome";
import type { OwnedObject } from "../run/run-ownership";

export const credentialProtocols: readonly string[] = ["S3", "Azure", "GCS"] satisfies CredentialProtocol[];

export interface AccessInputs {
  driver: DriverReference;
  logicalName: string;
  parent?: string;
  /** The bucket's resource id, which every preview knows. */
  bucketName: string;
  bucketId: string;
  bucketInfo?: BucketInfo | null;
  /** Filled in by check. */
  name?: string;
  authenticationType?: AuthenticationType;
  parameters?: Record<string, string>;
  policyActions?: PolicyActions | null;
  serviceAccount?: { namespace: string; name: string } | null;
  /** The program marked a parameter as secret. */
  secretParameters?: boolean;
  /** The program marked the name as secret; check alone asks for it. */
  nameIsSecret?: boolean;
  protocol?: CredentialProtocol;
  bucketAccessClassName?: string;
  defaultEndpoint?: string;
  /** The program marked it as secret. */
  secretEndpoint?: boolean;
  defaultRegion?: string;
  /** The program marked it as secret. */
  secretRegion?: boolean;
  revokeNotFound?: RevokeNotFound;
  /** Check fills in how far it has come. */
  rotation?: Rotation;
  /** When the turn of its account began, RFC 3339; filled in by check. */
  rotationSince?: string;
  /** Taken as it is: nothing is sent for it. */
  existingAccount?: ExistingAccount;
  objects?: AccessObjects;
}

/** What check makes of the inputs. */
export interface CheckedInputs extends AccessInputs {
  name: string;
  authenticationType: AuthenticationType;
}

/** What a grant gave. */
export interface GrantedAccount extends IssuedCredentials {
  /** `null` while a grant has no known outcome. */
  accountId: string | null;
  granted: GrantedCredentials | null;
  /** When the driver granted it, RFC 3339; absent in a state of before that was kept. */
  grantedAt?: string | null;
}

/** What credentials of a protocol are known by, each as an output of its own. */
interface ProtocolOutputs {
  accessKeyId: string | null;
  accessSecretKey: string | null;
  endpoint: string | null;
  region: string | null;
  accessToken: string | null;
  expiry: string | null;
}

/** An account whose id is known. */
export type KnownAccount = GrantedAccount & { accountId: string };

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

export const inputKeys = [
  "driver",
  "logicalName",
  "parent",
  "bucketName",
  "bucketId",
  "bucketInfo",
  "name",
  "authenticationType",
  "parameters",
  "policyActions",
  "serviceAccount",
  "secretParameters",
  "protocol",
  "bucketAccessClassName",
  "defaultEndpoint",
  "secretEndpoint",
  "defaultRegion",
  "secretRegion",
  "revokeNotFound",
  "rotation",
  "rotationSince",
  "existingAccount",
  "objects",
] as const satisfies readonly (keyof AccessInputs)[];

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
