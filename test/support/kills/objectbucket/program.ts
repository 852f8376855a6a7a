import type { ProgramChoice } from "../subject";

/** Namespace of another user of the bucket. */
export const guestNamespace = (namespace: string): string => `${namespace}-guest`;

/** Settings of the bucket, before a change and after it. */
export function configOf({ isConfigChanged = false }: ProgramChoice): { readonly maxSize: string } {
  return { maxSize: isConfigChanged ? "3G" : "2G" };
}

/** A claim for a new bucket under policy Delete, and a guest: one whose class names the bucket of the first. */
export function programText(namespace: string, endpoint: string, choice: ProgramChoice): string {
  const { bucketClass, rotation, guest } = choice;
  const classOf = (name: string): string => `
const ${name} = new objectbucket.StorageClass("${name}", {
  driver, name: "${name}-${namespace}", reclaimPolicy: "Delete",
});`;
  const bound = `
const shelf = new objectbucket.StorageClass("shelf", {
  driver, name: "shelf-${namespace}", parameters: { bucketName: photos.bucketName },
});
new objectbucket.ObjectBucketClaim("guest", { namespace: "${guestNamespace(namespace)}", storageClass: shelf });`;
  return `
import { Driver, objectbucket } from "pulumi-cosi";
const driver = new Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, firstRetryDelayMilliseconds: 50, retryBudgetSeconds: 8,
});
${["gold", "silver"].map(classOf).join("")}
export const classes = [gold.className, silver.className];
const photos = new objectbucket.ObjectBucketClaim("photos", {
  namespace: "${namespace}", storageClass: ${bucketClass}, generateBucketName: "photos", protectData: false,
  additionalConfig: ${JSON.stringify(configOf(choice))}, configChange: "resend",
  rotation: ${JSON.stringify(rotation && { trigger: rotation })},
});
${guest === undefined ? "" : bound}
`;
}
