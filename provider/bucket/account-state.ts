import { createHash } from "node:crypto";
import type { IssuedCredential } from "../contracts/contract";
import { contractTraits } from "../contracts/traits";
import { rememberCredentials } from "../credentials/remember";
import type { DriverReference } from "../driver-resource/reference";
import { digest } from "../dynamic/digest";
import { canonical, secretOutput } from "../dynamic/values";
import type { OwnedObject } from "../run/run-ownership";

/** The account of a bucket, for a contract whose buckets come with one. */
export interface BucketAccount {
  /** As the driver issued it, with what is known of the bucket. @default none, or its answer was lost */
  issued?: IssuedCredential | null;
}

/** What the outputs of a bucket say of its account. */
export interface BucketAccountOutputs extends BucketAccount {
  /** What a workload needs, by the names of the contract's fields. */
  credentials?: Record<string, string> | null;
  /** Changes with the credentials. */
  checksum?: string | null;
}

/** True where a bucket comes with its account. */
export function hasAccount({ driver }: { readonly driver: DriverReference }): boolean {
  return contractTraits[driver.contract].grantsAtCreate;
}

/** What the account of a bucket is known by for what the program says of its revoke. */
export function revokedEntry({
  driver,
  name,
}: {
  readonly driver: DriverReference;
  readonly name?: string;
}): string {
  return digest(["bucket", driver.seed, name]);
}

/** What the state keeps of an account; each `null` for a contract whose accounts have calls of their own. */
export function accountOutputs(
  inputs: { readonly driver: DriverReference },
  { issued = null }: BucketAccount,
): BucketAccountOutputs {
  // Each is there in any case: Pulumi takes an output that is left out for unknown.
  const credentials = issued === null || !hasAccount(inputs) ? null : credentialsOf(issued);
  return {
    issued: secretOutput(issued),
    credentials: secretOutput(credentials),
    checksum: credentials === null ? null : checksumOf(credentials),
  };
}

/** The data of a Secret: K02-074. Fields without a value are left out. */
function credentialsOf({ kind, values }: IssuedCredential): Record<string, string> {
  const protocol = kind === "azure" ? "azureBlob" : kind;
  return { protocol, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")) };
}

/** Half of a SHA-256: it tells two apart, and says nothing of what it is made from. */
function checksumOf(credentials: Readonly<Record<string, string>>): string {
  return createHash("sha256").update(canonical(credentials)).digest("hex").slice(0, 32);
}

/** Fields that say where the bucket is, and of what protocol: no secret. */
const plainFields: readonly string[] = [
  "protocol",
  "bucketName",
  "containerName",
  "region",
  "endpoint",
  "projectId",
  "signatureVersion",
];

/** Keeps an account's secrets out of every later text of this process. */
export function rememberAccount({ issued }: BucketAccount): void {
  rememberAccountData(issued?.values ?? {});
}

/** The same, of the data of a Secret. */
export function rememberAccountData(data: Readonly<Record<string, string>>): void {
  const entries = Object.entries(data);
  const plain = entries.filter(([key]) => plainFields.includes(key));
  const secret = entries.filter(([key]) => !plainFields.includes(key));
  rememberCredentials(
    Object.fromEntries(secret),
    plain.map(([, value]) => value),
  );
}

/** Fields that together tell one account of a bucket from another. */
const identities: readonly string[] = [
  "userName",
  "accessKeyId",
  "serviceAccountName",
  "privateKeyName",
  "storageAccountName",
];

/** The account among those of the run; `undefined` for one that nothing names. */
export function ownedAccountOf(
  { driver }: { readonly driver: DriverReference },
  bucketId: string | null,
  { issued }: BucketAccount,
): OwnedObject | undefined {
  const identity = identities.map((key) => issued?.values[key] ?? "");
  if (bucketId === null || identity.every((value) => value === "")) return undefined;
  return { driver, ids: [[bucketId, ...identity]] };
}
