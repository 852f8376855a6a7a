import type { ProgramChoice } from "../subject";

/** Namespace of another user of the bucket. */
export const guestNamespace = (namespace: string): string => `${namespace}-guest`;

/** Namespace of the driver, where the sources of the Secrets are. */
export const driverNamespace = (namespace: string): string => `${namespace}-driver`;

/** A request for a bucket with one access, and a guest: a request of another namespace, with an access of its own. */
export function programText(
  namespace: string,
  endpoint: string,
  { bucketClass, accessClass, guest }: ProgramChoice,
): string {
  const bucketClassOf = (name: string): string => `
const ${name} = new july.BucketClass("${name}", {
  driver, name: "${name}-${namespace}", protocol: "s3", releasePolicy: "Delete",
  additionalPermittedNamespaces: [{ name: "${guestNamespace(namespace)}" }],
});`;
  const accessClassOf = (name: string): string => `
const ${name} = new july.BucketAccessClass("${name}", { driver, name: "${name}-${namespace}", protocol: "s3" });`;
  const owner = `
const photos = new july.BucketRequest("photos", {
  namespace: "${namespace}", protocol: "s3", bucketClass: ${bucketClass}, protectData: false,
});
before.push(new july.BucketAccessRequest("photos-rw", {
  namespace: "${namespace}", bucketRequest: photos, bucketAccessClass: ${accessClass},
  accessSecretName: "photos-creds",
}));`;
  const bound = `
const guest = new july.BucketRequest("guest", {
  namespace: "${guestNamespace(namespace)}", protocol: "s3", driver,
  bucketInstanceName: "bucket-photos-${namespace}",
}, { dependsOn: before });
new july.BucketAccessRequest("guest-rw", {
  namespace: "${guestNamespace(namespace)}", bucketRequest: guest, bucketAccessClass: keys,
  accessSecretName: "guest-creds",
});`;
  return `
import { Driver, cosi20200708 as july } from "pulumi-cosi";
const driver = new Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, contract: "cosi-2020-07",
  driverName: "${driverNamespace(namespace)}/store.example.com",
  firstRetryDelayMilliseconds: 50, retryBudgetSeconds: 8,
});
${["gold", "silver"].map(bucketClassOf).join("")}
${["keys", "spare"].map(accessClassOf).join("")}
export const classes = [gold.className, silver.className, keys.className, spare.className];
const before: july.BucketAccessRequest[] = [];
${guest === "alone" ? "" : owner}
${guest === undefined ? "" : bound}
`;
}
