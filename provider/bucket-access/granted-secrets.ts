import { allSecrets, needsNoKeys, requireAnyValue, type IssuedCredentials } from "./issued-credentials";
import type { CheckedInputs } from "./inputs";
import { credentialsOf, type AccessOutputs } from "./state";
import type { GrantedAccess } from "../contracts/contract";
import { contractOf } from "../contracts/registry";
import { credentialGaps } from "../credentials/gaps";
import {
  pickCredentials,
  secretEntries,
  UnusableCredentialsError,
  type GrantedCredentials,
} from "../credentials/reader";
import { rememberCredentials } from "../credentials/remember";
import { warn } from "../run/warning";

/** The credentials that were asked for, of those that the driver gave. @throws UnusableCredentialsError */
export function usableSecrets(
  inputs: CheckedInputs,
  { credentials, issued }: Pick<GrantedAccess, "credentials" | "issued">,
): GrantedCredentials {
  if (contractOf(inputs.driver.contract).credentialsAreFree) return allEntries(inputs, credentials);
  // GRPC-048: an identity of the platform may come without any.
  if (inputs.authenticationType === "IAM" && credentials.size === 0) {
    warn("access", inputs.name, "the driver gave no credentials: the workload needs the platform's identity");
    return { protocol: inputs.protocol ?? inputs.bucketInfo?.protocol ?? "S3", secrets: {} };
  }
  const isFree = needsNoKeys(inputs, issued);
  const granted =
    isFree && inputs.protocol === undefined
      ? allSecrets(credentials, inputs.bucketInfo?.protocol ?? "S3")
      : pickCredentials(credentials, inputs.protocol, inputs.objects?.secretProtocols ?? undefined);
  if (isFree && inputs.authenticationType === "Key") requireAnyValue(granted);
  return granted;
}

/** DEP-045, DEP-088: all entries as the driver gave them. */
function allEntries(
  { name, authenticationType }: CheckedInputs,
  credentials: GrantedAccess["credentials"],
): GrantedCredentials {
  const entries = Object.fromEntries(
    [...credentials].map(([entry, secrets]) => [entry, Object.fromEntries(secrets)]),
  );
  const isEmpty = secretEntries({ entries }).every(([, value]) => value === "");
  if (isEmpty && authenticationType === "Key") {
    throw new UnusableCredentialsError("the driver issued no credentials, or only some without any value");
  }
  if (isEmpty)
    warn("access", name, "the driver gave no credentials: the workload needs the platform's identity");
  return { entries };
}

/** Keeps the credentials in the state out of every later text; those of a reply are kept out of it already. */
export function rememberGranted(outputs: AccessOutputs): void {
  const { name, bucketId, bucketName, accountId, granted } = outputs;
  const issued = outputs.issued ?? [];
  const given =
    granted === null ? [] : "entries" in granted ? Object.values(granted.entries) : [granted.secrets];
  for (const values of [...given, ...issued.map((credential) => credential.values)]) {
    rememberCredentials(values, [name, bucketId, bucketName, accountId]);
  }
}

/**
 * Warns of what workloads need and neither driver nor program tells (GRPC-125).
 *
 * @throws UnusableCredentialsError if a key is missing without which nobody can log in.
 */
export function warnOfGaps(
  inputs: CheckedInputs,
  granted: GrantedCredentials,
  account: IssuedCredentials,
): void {
  if ("entries" in granted) return;
  const credentials = credentialsOf(inputs, granted, account);
  // Who logs in with keys from elsewhere knows from there where the store is.
  if (needsNoKeys(inputs, account.issued) && credentials.accessKeyId === null) return;
  for (const gap of credentialGaps(credentials, granted)) warn("access", inputs.name, gap);
}
