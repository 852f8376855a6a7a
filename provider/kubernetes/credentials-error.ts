/** Credentials cannot be had from a kubeconfig as it is; the message holds none of them and may be shown. */
export class CredentialsError extends Error {
  override readonly name = "CredentialsError";
}
