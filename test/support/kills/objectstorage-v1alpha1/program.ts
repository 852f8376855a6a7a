import type { ProgramChoice } from "../subject";

/** A claim with one access. */
export function programText(
  namespace: string,
  endpoint: string,
  { bucketClass, accessClass, rotation }: ProgramChoice,
): string {
  const bucketClassOf = (name: string): string => `
const ${name} = new cosi.objectstorage.BucketClass("${name}", {
  driver, name: "${name}-${namespace}", deletionPolicy: "Delete",
});`;
  const accessClassOf = (name: string): string => `
const ${name} = new cosi.objectstorage.BucketAccessClass("${name}", {
  driver, name: "${name}-${namespace}", authenticationType: "Key",
});`;
  return `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, firstRetryDelayMilliseconds: 50, retryBudgetSeconds: 8,
});
${["gold", "silver"].map(bucketClassOf).join("")}
${["keys", "spare"].map(accessClassOf).join("")}
export const classes = [gold.className, silver.className, keys.className, spare.className];
const photos = new cosi.objectstorage.BucketClaim("photos", {
  namespace: "${namespace}", bucketClass: ${bucketClass}, protocols: ["S3"], protectData: false,
});
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace: "${namespace}", bucketClaim: photos, bucketAccessClass: ${accessClass},
  credentialsSecretName: "photos-creds", rotation: ${JSON.stringify(rotation && { trigger: rotation })},
});
`;
}
