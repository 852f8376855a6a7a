/** What a command may change in the program. */
export interface ProgramChoice {
  /** Class of the claim. A change replaces claim, bucket and access. */
  readonly bucketClass: "gold" | "silver";
  /** Class of the access. A change replaces the access. */
  readonly accessClass: "keys" | "spare";
  /** What triggers a rotation of the access. @default none */
  readonly rotation?: string;
}

export const firstChoice: ProgramChoice = { bucketClass: "gold", accessClass: "keys" };

/**
 * A claim with one access. All that is named in the cluster has the namespace in its name, so that programs of several
 * namespaces are there at once.
 *
 * @param endpoint Of the driver.
 */
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

/** A text with the classes named by whether the claim and the access are of them. */
export function withoutChoice(text: string, { bucketClass, accessClass }: ProgramChoice): string {
  return text
    .replace(/\b(?:gold|silver)\b/g, (name) => (name === bucketClass ? "claimed" : "unclaimed"))
    .replace(/\b(?:keys|spare)\b/g, (name) => (name === accessClass ? "used" : "unused"));
}
