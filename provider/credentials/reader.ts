import type { AuthenticationType, BucketInfo } from "../contracts/contract";
import type { CredentialProtocol, Credentials } from "./credentials";
import { readExpiry } from "./token-expiry";

/** The credentials of one protocol as the driver gave them. */
export interface GrantedSecrets {
  protocol: CredentialProtocol;
  /** By the driver's keys, those included that no layout knows. */
  secrets: Record<string, string>;
}

/** The credentials of a contract that knows no protocols: by the driver's keys, by its entries. */
export type CredentialEntries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a driver granted, as the state keeps it. */
export type GrantedCredentials = GrantedSecrets | { entries: CredentialEntries };

/** All values of credentials with their keys; a key that several entries have may be there several times. */
export function secretEntries(granted: GrantedCredentials | null): [string, string][] {
  if (granted === null) return [];
  const maps = "entries" in granted ? Object.values(granted.entries) : [granted.secrets];
  return maps.flatMap((secrets) => Object.entries(secrets));
}

/** What fills in an endpoint or a region that the driver left out. */
export interface CredentialDefaults {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly bucketInfo?: BucketInfo | null | undefined;
}

/** A grant whose credentials cannot be used. Its text names entries and keys, never values. */
export class UnusableCredentialsError extends Error {
  override readonly name = "UnusableCredentialsError";
}

const entryOf: Readonly<Record<CredentialProtocol, string>> = { S3: "s3", Azure: "azure", GCS: "gcs" };

/**
 * Picks the entry of the wanted protocol, or the only one, from what a driver granted.
 *
 * @param places Protocols whose credentials there is a place for where they go.
 * @throws UnusableCredentialsError if none fits, with the entries that were found.
 */
export function pickCredentials(
  granted: ReadonlyMap<string, ReadonlyMap<string, string>>,
  wanted: CredentialProtocol | undefined,
  places: readonly CredentialProtocol[] = ["S3", "Azure", "GCS"],
): GrantedSecrets {
  const found = [...granted.keys()];
  const known = (Object.keys(entryOf) as CredentialProtocol[]).flatMap((protocol) => {
    const secrets = granted.get(entryOf[protocol]);
    return secrets === undefined ? [] : [{ protocol, secrets: Object.fromEntries(secrets) }];
  });
  const fitting = wanted === undefined ? known : known.filter(({ protocol }) => protocol === wanted);
  const [only, ...others] = fitting;
  const entries = found.length === 0 ? "none" : found.map((entry) => JSON.stringify(entry)).join(", ");
  if (only !== undefined && others.length === 0) {
    if (places.includes(only.protocol)) return only;
    throw new UnusableCredentialsError(
      `the Secret takes credentials of ${places.join(" and ")}, not of ${only.protocol}; the driver gave: ${entries}`,
    );
  }
  throw new UnusableCredentialsError(
    wanted === undefined
      ? `exactly one of the entries s3, azure, gcs is needed where no protocol is asked for; the driver gave: ${entries}`
      : `the driver gave no credentials for ${wanted}; its entries: ${entries}`,
  );
}

/**
 * The credentials in the form that Secret layouts are made from. Keys are matched without regard to case, since
 * drivers write `accessKeyId` and `accessKeyID`.
 *
 * @throws UnusableCredentialsError if a key is missing without which nobody can log in.
 */
export function readCredentials(
  { protocol, secrets }: GrantedSecrets,
  authenticationType: AuthenticationType,
  defaults: CredentialDefaults,
): Credentials {
  const values = new Map(Object.entries(secrets).map(([key, value]) => [key.toLowerCase(), value]));
  const value = (key: string): string | null =>
    present(secrets[key]) ?? present(values.get(key.toLowerCase()));
  const expiry = value("expiryTs");
  const infoRegion = defaults.bucketInfo?.protocol === "S3" ? defaults.bucketInfo.region : undefined;
  const credentials: Credentials = {
    protocol,
    accessKeyId: value("accessKeyID"),
    accessSecretKey: value("accessSecretKey"),
    endpoint: value("endpoint") ?? present(defaults.endpoint),
    region: value("region") ?? present(infoRegion) ?? present(defaults.region),
    accessToken: value("accessToken"),
    expiry: expiry === null ? null : readExpiry(expiry),
  };
  if (authenticationType === "Key") requireKeys(credentials, Object.keys(secrets));
  return credentials;
}

function requireKeys(credentials: Credentials, found: readonly string[]): void {
  const missing =
    credentials.protocol === "S3"
      ? [
          ...(credentials.accessKeyId === null ? ["accessKeyID"] : []),
          ...(credentials.accessSecretKey === null ? ["accessSecretKey"] : []),
        ]
      : credentials.protocol === "Azure" && credentials.accessToken === null
        ? ["accessToken"]
        : [];
  if (missing.length > 0) {
    throw new UnusableCredentialsError(
      `the driver left out ${missing.join(" and ")}; its keys: ${found.join(", ") || "none"}`,
    );
  }
}

function present(value: string | null | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}
