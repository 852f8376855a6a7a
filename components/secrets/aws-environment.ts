import { LayoutError, type GrantedAccess } from "./granted-access";

/**
 * Keys that the AWS SDKs and command lines read from the environment, for `envFrom` of a container, and the bucket's
 * name as `BUCKET_NAME`. The endpoint is set for S3 only (`AWS_ENDPOINT_URL_S3`), so that calls to other services do not
 * end up at the store; it is left out for a store without one, which is Amazon's. The region is given twice, as the SDK
 * for Python reads `AWS_DEFAULT_REGION` only. Source: AWS SDKs and Tools Reference Guide.
 *
 * @throws LayoutError for other credentials than S3 keys, and if key, secret key or region is missing.
 */
export function awsEnvironment({ credentials, bucketId }: GrantedAccess): Record<string, string> {
  const { protocol, accessKeyId, accessSecretKey, region, endpoint } = credentials;
  if (protocol !== "S3") {
    throw new LayoutError(
      `the AWS environment needs S3 credentials, but the driver returned those of ${protocol}`,
    );
  }
  const required = (value: string | null, name: string, remedy: string): string => {
    if (value !== null) return value;
    throw new LayoutError(`the AWS environment needs ${name}, which the driver does not report: ${remedy}`);
  };
  const keyRemedy = "it needs a grant with authentication type Key";
  const knownRegion = required(region, "a region", "give region in the program");
  return {
    AWS_ACCESS_KEY_ID: required(accessKeyId, "an access key", keyRemedy),
    AWS_SECRET_ACCESS_KEY: required(accessSecretKey, "a secret key", keyRemedy),
    AWS_REGION: knownRegion,
    AWS_DEFAULT_REGION: knownRegion,
    ...(endpoint === null ? {} : { AWS_ENDPOINT_URL_S3: endpoint }),
    BUCKET_NAME: bucketId,
  };
}
