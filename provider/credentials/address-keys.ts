/** An address in a driver's reply (`bucketName`), or as a variable of a Secret (`AWS_ENDPOINT_URL_S3`). */
const addressKey = /(?:endpoint|endpointurl|endpointurls3|region|bucketname|containername)$/;

/**
 * True for an entry of credentials that says where a bucket is and not how to get in. It is no secret: to mask it would
 * make errors and reports unreadable.
 */
export function isAddressKey(key: string): boolean {
  return addressKey.test(key.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}
