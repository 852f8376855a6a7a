import type { AuthenticationType, BucketInfo } from "./contracts/contract";
import type { CredentialProtocol, Credentials } from "./credentials";

/** The credentials of one protocol as the driver gave them. */
export interface GrantedSecrets {
  protocol: CredentialProtocol;
  /** By the driver's keys, those included that no layout knows. */
  secrets: Record<string, string>;
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
 * @throws UnusableCredentialsError if none fits, with the entries that were found.
 */
export function pickCredentials(
  granted: ReadonlyMap<string, ReadonlyMap<string, string>>,
  wanted: CredentialProtocol | undefined,
): GrantedSecrets {
  const found = [...granted.keys()];
  const known = (Object.keys(entryOf) as CredentialProtocol[]).flatMap((protocol) => {
    const secrets = granted.get(entryOf[protocol]);
    return secrets === undefined ? [] : [{ protocol, secrets: Object.fromEntries(secrets) }];
  });
  const fitting = wanted === undefined ? known : known.filter(({ protocol }) => protocol === wanted);
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const entries = found.length === 0 ? "none" : found.map((entry) => JSON.stringify(entry)).join(", ");
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
  const value = (key: string): string | null => present(values.get(key.toLowerCase()));
  const infoRegion = defaults.bucketInfo?.protocol === "S3" ? defaults.bucketInfo.region : undefined;
  const credentials: Credentials = {
    protocol,
    accessKeyId: value("accessKeyID"),
    accessSecretKey: value("accessSecretKey"),
    endpoint: value("endpoint") ?? present(defaults.endpoint),
    region: value("region") ?? present(infoRegion) ?? present(defaults.region),
    accessToken: value("accessToken"),
    expiry: readExpiry(value("expiryTs")),
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

/** A time in RFC 3339, or in the text that Go prints of one; `null` if it is neither. */
function readExpiry(text: string | null): string | null {
  if (text === null) return null;
  const go = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d\d)(\d\d)(?: [A-Z0-9+-]+)?$/.exec(
    text,
  );
  const time = go === null ? text : `${go[1] ?? ""}T${go[2] ?? ""}${go[3] ?? ""}:${go[4] ?? ""}`;
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(time);
  const milliseconds = isRfc3339 ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString().replace(".000Z", "Z");
}

function present(value: string | null | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}
