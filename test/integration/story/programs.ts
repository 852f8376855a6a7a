/** What the pull request of the story changes, one line each. */
export interface Shop {
  /** The class that the photos are of. */
  readonly photosClass: "gold" | "silver";
  /** The line that confirms that a change may delete the photos; without it there is none. */
  readonly confirmed: boolean;
}

/**
 * The program of the story: a shop whose photos are in a bucket that goes with its data, and whose invoices are kept.
 *
 * @param head Defines `namespace` and `endpoint`.
 */
export function shop(head: string, { photosClass, confirmed }: Shop): string {
  return `
import * as cosi from "pulumi-cosi";
const { BucketAccess, BucketAccessClass, BucketClaim, BucketClass } = cosi.objectstorage;
${head}
const driver = new cosi.Driver("store", { endpoint });
const gold = new BucketClass("gold", {
  driver, name: "gold-" + namespace, deletionPolicy: "Delete", parameters: { tier: "hot" },
});
const silver = new BucketClass("silver", {
  driver, name: "silver-" + namespace, deletionPolicy: "Delete", parameters: { tier: "cold" },
});
const keys = new BucketAccessClass("keys", { driver, name: "keys-" + namespace, authenticationType: "Key" });

const photos = new BucketClaim("photos", {
  namespace,
  bucketClass: ${photosClass},
  protocols: ["S3"],
  ${confirmed ? "protectData: false," : ""}
});
new BucketAccess("photos", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos",
});

const invoices = new BucketClaim("invoices", {
  namespace,
  bucketClass: gold,
  protocols: ["S3"],
  deletionPolicy: "Retain",
});
new BucketAccess("invoices", {
  namespace, bucketClaim: invoices, bucketAccessClass: keys, credentialsSecretName: "invoices",
});
`;
}
