import type { GrantedSecrets } from "./reader";
import type { Credentials } from "./credentials";

/** What a workload may miss in credentials that can be used otherwise, in words; names keys, never values. */
export function credentialGaps(credentials: Credentials, { secrets }: GrantedSecrets): string[] {
  switch (credentials.protocol) {
    case "S3":
      return gapsOfS3(credentials);
    case "Azure":
      return credentials.accessToken === null ? [] : gapsOfAzure(credentials, secrets);
    case "GCS":
      return [];
  }
}

function gapsOfS3({ endpoint, region }: Credentials): string[] {
  const missing = [...(endpoint === null ? ["endpoint"] : []), ...(region === null ? ["region"] : [])];
  if (missing.length === 0) return [];
  return [
    `the driver does not report the ${missing.join(" and ")}; give it in the program if the workload needs it`,
  ];
}

/** OS1-044: nobody should take a missing end for a token that lives for ever. */
function gapsOfAzure({ expiry }: Credentials, secrets: Readonly<Record<string, string>>): string[] {
  if (expiry !== null) return [];
  const told = Object.entries(secrets).some(
    ([key, value]) => key.toLowerCase() === "expiryts" && value !== "",
  );
  return [
    told
      ? "the driver's expiryTs is not a readable time, so it is not known when the token expires"
      : "the driver does not tell when the token expires (expiryTs)",
  ];
}
