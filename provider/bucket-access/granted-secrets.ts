import { credentialsOf, type CheckedInputs } from "./state";
import type { GrantedAccess } from "../contracts/contract";
import { credentialGaps } from "../credentials/gaps";
import { pickCredentials, type GrantedSecrets } from "../credentials/reader";
import { secretMask } from "../driver/secrets/secret-mask";
import { warn } from "../run/warning";

/** The credentials that were asked for, of those that the driver gave. @throws UnusableCredentialsError */
export function usableSecrets(
  inputs: CheckedInputs,
  credentials: GrantedAccess["credentials"],
): GrantedSecrets {
  // GRPC-048: an identity of the platform may come without any.
  if (inputs.authenticationType === "IAM" && credentials.size === 0) {
    warn("access", inputs.name, "the driver gave no credentials: the workload needs the platform's identity");
    return { protocol: inputs.protocol ?? inputs.bucketInfo?.protocol ?? "S3", secrets: {} };
  }
  const granted = pickCredentials(credentials, inputs.protocol, inputs.objects?.secretProtocols ?? undefined);
  rememberSecrets(granted);
  return granted;
}

/** Keeps the values out of every later text. */
export function rememberSecrets(granted: GrantedSecrets | null): void {
  for (const secret of Object.values(granted?.secrets ?? {})) secretMask.remember(secret);
}

/**
 * Warns of what workloads need and neither driver nor program tells (GRPC-125).
 *
 * @throws UnusableCredentialsError if a key is missing without which nobody can log in.
 */
export function warnOfGaps(inputs: CheckedInputs, granted: GrantedSecrets): void {
  for (const gap of credentialGaps(credentialsOf(inputs, granted), granted)) warn("access", inputs.name, gap);
}
