import type { ProviderCredentials } from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import type { GrantedAccess, IssuedCredential, Protocol } from "../contract";

/** The entry under which credentials of a protocol are looked for, as cosi.v1alpha1 calls it. */
const entryOf: Readonly<Record<Protocol, string>> = { S3: "s3", Azure: "azure", GCS: "gcs" };

/** A credential that a driver issued; `undefined` for a message without any member, which names nothing. */
export function readCredential({ credentials }: ProviderCredentials): IssuedCredential | undefined {
  switch (credentials?.$case) {
    case "s3Credentials":
      return { kind: "s3", values: nonEmpty({ ...credentials.value }) };
    case "gcsCredentials":
      return { kind: "gcs", values: nonEmpty({ ...credentials.value }) };
    case "azureCredentials":
      return { kind: "azure", values: nonEmpty({ ...credentials.value }) };
    case "genericCredentials":
      return { kind: "generic", values: Object.fromEntries(credentials.value.credentials) };
    case undefined:
      return undefined;
  }
}

/** The credential as a revoke names it. */
export function writeCredential({ kind, values }: IssuedCredential): ProviderCredentials {
  const field = (name: string): string => values[name] ?? "";
  switch (kind) {
    case "s3":
      return {
        credentials: {
          $case: "s3Credentials",
          value: { id: field("id"), permission: field("permission"), owner: field("owner") },
        },
      };
    case "gcs":
      return {
        credentials: {
          $case: "gcsCredentials",
          value: {
            entity: field("entity"),
            role: field("role"),
            domain: field("domain"),
            project: field("project"),
          },
        },
      };
    case "azure":
      return {
        credentials: {
          $case: "azureCredentials",
          value: { id: field("id"), permission: field("permission") },
        },
      };
    case "generic":
      return {
        credentials: { $case: "genericCredentials", value: { credentials: new Map(Object.entries(values)) } },
      };
  }
}

/**
 * The credentials by entry and key: each by the names of its own fields; one of several by its number, from 0, a dot and
 * the name. A generic one says nothing of its protocol, so it stands under that of the bucket.
 */
export function credentialEntries(
  issued: readonly IssuedCredential[],
  protocol: Protocol,
): GrantedAccess["credentials"] {
  const entries = new Map<string, Map<string, string>>();
  for (const [index, { kind, values }] of issued.entries()) {
    const entry = kind === "generic" ? entryOf[protocol] : kind;
    const keys = entries.get(entry) ?? new Map<string, string>();
    entries.set(entry, keys);
    for (const [key, value] of Object.entries(values)) {
      keys.set(issued.length === 1 ? key : `${index}.${key}`, value);
    }
  }
  return entries;
}

function nonEmpty(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
