import type { AuthenticationType, BucketInfo } from "../contracts/contract";
import { readCredentials, type GrantedSecrets } from "../credentials/reader";
import type { CredentialProtocol, Credentials } from "../credentials/credentials";
import { referenceOutput, type DriverReference } from "../driver-resource/driver-reference";
import { FailedResourceError } from "../dynamic/failed";
import { maskParameters, withSecretParameters } from "../dynamic/secret-input";
import { secretOutput } from "../dynamic/values";
import type { AccessObjects } from "../models/model";
import { objectsOutput } from "../models/objects";
import type { OwnedObject } from "../run/run-ownership";

/** What NOT_FOUND means in answer to a revoke. */
export type RevokeNotFound = "fail" | "ignore";

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
  /** The program marked a parameter as secret. */
  secretParameters?: boolean;
  protocol?: CredentialProtocol;
  bucketAccessClassName?: string;
  defaultEndpoint?: string;
  defaultRegion?: string;
  revokeNotFound?: RevokeNotFound;
  objects?: AccessObjects;
}

/** What check makes of the inputs. */
export interface CheckedInputs extends AccessInputs {
  name: string;
  authenticationType: AuthenticationType;
}

/** What a grant gave. */
export interface GrantedAccount {
  /** `null` while a grant has no known outcome. */
  accountId: string | null;
  granted: GrantedSecrets | null;
}

/** An account whose id is known. */
export type KnownAccount = GrantedAccount & { accountId: string };

export interface AccessOutputs extends CheckedInputs, GrantedAccount {
  credentials: Credentials | null;
  accessKeyId: string | null;
  accessSecretKey: string | null;
  endpoint: string | null;
  region: string | null;
  accessToken: string | null;
  expiry: string | null;
  /** What was changed behind Pulumi's back, as a refresh found it; the next `up` restores it. */
  drift: string[] | null;
  schemaVersion: 1;
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
  "secretParameters",
  "protocol",
  "bucketAccessClassName",
  "defaultEndpoint",
  "defaultRegion",
  "revokeNotFound",
  "objects",
] as const satisfies readonly (keyof AccessInputs)[];

/** The account among those of the run; one whose grant has no known outcome is known by its name only. */
export function ownedAccount(
  { driver, bucketId, name }: Pick<CheckedInputs, "driver" | "bucketId" | "name">,
  accountId: string | null,
): OwnedObject {
  return { driver, ids: [[bucketId, name], ...(accountId === null ? [] : [[bucketId, accountId]])] };
}

/** Inputs as check returned them; at `up` everything is known. */
export function checked(inputs: AccessInputs): CheckedInputs {
  maskParameters(inputs);
  const { name, authenticationType } = inputs;
  if (name === undefined || authenticationType === undefined) {
    throw new Error(`the access ${inputs.logicalName} comes without the values that check fills in`);
  }
  return { ...inputs, name, authenticationType };
}

/** The credentials of a grant, with what the program says where the driver is silent. @throws UnusableCredentialsError */
export function credentialsOf(inputs: CheckedInputs, granted: GrantedSecrets): Credentials {
  const { authenticationType, defaultEndpoint, defaultRegion, bucketInfo } = inputs;
  return readCredentials(granted, authenticationType, {
    endpoint: defaultEndpoint,
    region: defaultRegion,
    bucketInfo,
  });
}

/** What the state keeps of an access: every output, `null` where there is none, secrets marked. */
export function outputsOf(inputs: CheckedInputs, account: GrantedAccount): AccessOutputs {
  const credentials = account.granted === null ? null : credentialsOf(inputs, account.granted);
  return {
    ...withSecretParameters(inputs),
    ...(inputs.objects === undefined ? {} : { objects: objectsOutput(inputs.objects) }),
    driver: referenceOutput(inputs.driver),
    accountId: account.accountId,
    granted: secretOutput(account.granted),
    credentials: secretOutput(credentials),
    accessKeyId: secretOutput(credentials?.accessKeyId ?? null),
    accessSecretKey: secretOutput(credentials?.accessSecretKey ?? null),
    endpoint: credentials?.endpoint ?? null,
    region: credentials?.region ?? null,
    accessToken: secretOutput(credentials?.accessToken ?? null),
    expiry: credentials?.expiry ?? null,
    drift: null,
    schemaVersion: 1,
  };
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
