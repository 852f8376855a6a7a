import type { Store } from "../../../tools/local/store-access";

/** Environment with which `cosi-driver-s3` reaches a store. */
export function s3DriverEnvironment({
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
}: Store): Record<string, string> {
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    S3_DRIVER_S3_ENDPOINT: endpoint,
  };
}
