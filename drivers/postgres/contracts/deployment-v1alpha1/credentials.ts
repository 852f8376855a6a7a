import type { CredentialDetails } from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { ClientConfig } from "../../config";
import type { Grant } from "../../core/accounts";

/** What a client needs, by the names of the variables that libpq reads, and as one URL. */
export function postgresCredentials(
  { host, port, sslMode }: ClientConfig,
  database: string,
  { accountId, password }: Grant,
): CredentialDetails {
  const [user, secret] = [accountId, password].map(encodeURIComponent);
  return {
    secrets: new Map([
      ["PGHOST", host],
      ["PGPORT", `${port}`],
      ["PGDATABASE", database],
      ["PGUSER", accountId],
      ["PGPASSWORD", password],
      ["PGSSLMODE", sslMode],
      [
        "DATABASE_URL",
        `postgresql://${user}:${secret}@${hostInUrl(host)}:${port}/${pathInUrl(database)}?sslmode=${sslMode}`,
      ],
    ]),
  };
}

/** An IPv6 address in brackets, the sign before its zone encoded (RFC 6874); the folder of a UNIX socket has its slashes encoded. */
function hostInUrl(host: string): string {
  return host.includes(":") && !host.startsWith("/")
    ? `[${host.replace("%", "%25")}]`
    : encodeURIComponent(host);
}

/** What a path may hold as it is stays so: `pg` does not decode these characters. */
function pathInUrl(database: string): string {
  return encodeURIComponent(database).replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}
