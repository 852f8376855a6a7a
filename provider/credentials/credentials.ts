/** Protocols with which workloads reach a bucket. */
export type CredentialProtocol = "S3" | "Azure" | "GCS";

/** Credentials of one account for one bucket, in the form that every Secret layout is made from. */
export interface Credentials {
  protocol: CredentialProtocol;
  /** S3: access key. */
  accessKeyId: string | null;
  /** S3: secret key. */
  accessSecretKey: string | null;
  /** S3: URL of the store as the workload reaches it; `null` if neither driver nor program tells it. */
  endpoint: string | null;
  /** S3: region; `null` if neither driver nor program tells it. */
  region: string | null;
  /** Azure: shared access signature. */
  accessToken: string | null;
  /** Azure: when the token ends, RFC 3339; `null` for never or unreadable. */
  expiry: string | null;
}
