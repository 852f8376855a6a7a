import type { AuthenticationType, BucketInfo, PolicyActions } from "../contracts/contract";
import type { CredentialProtocol } from "../credentials/credentials";
import type { CredentialEntries } from "../credentials/reader";
import type { DriverReference } from "../driver-resource/reference";
import type { AccessObjects } from "../models/model";
import type { RevokeNotFound } from "../run/revoke-outcome";
import type { Rotation } from "../run/rotations";

/** An account that somebody made before, with its credentials. */
export interface ExistingAccount {
  accountId: string;
  accessKeyId?: string;
  accessSecretKey?: string;
  accessToken?: string;
  /** For a contract that knows no protocols. */
  credentials?: CredentialEntries;
}

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
