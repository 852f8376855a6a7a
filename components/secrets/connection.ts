/** Fields of a Bucket's protocol that say how to reach the bucket; the others name keys and accounts. */
const told = ["bucketName", "containerName", "endpoint", "region", "projectId", "storageAccount"];

/**
 * How to reach a bucket, by the names that a Bucket's protocol uses. What is not known has no key. Source: decided
 * (K07-075); credentials take precedence, so that no key of the driver's is overwritten.
 *
 * @param protocol As the objects write it.
 * @param fields Of the protocol, as the Bucket has them.
 */
export function connectionKeys(
  protocol: string,
  fields: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = Object.entries(fields).filter(([key, value]) => told.includes(key) && value !== "");
  return { protocol, ...Object.fromEntries(known) };
}
