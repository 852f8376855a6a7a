import type { ProgramChoice } from "../subject";

/** Namespace of another user of the bucket. */
export const guestNamespace = (namespace: string): string => `${namespace}-guest`;

/** Namespace of the source Secrets. */
export const sourceNamespace = (namespace: string): string => `${namespace}-source`;

/** Name of the Secret of the bucket that is made, and what it is called once it was moved. */
export const secretNames = { first: "photos-creds", moved: "photos-moved" } as const;

/** A greenfield Bucket under policy Delete, and a guest: a brownfield one, whose class names the bucket of the first. */
export function programText(
  namespace: string,
  endpoint: string,
  { bucketClass, guest, isSecretMoved = false }: ProgramChoice,
): string {
  const classOf = (name: string): string => `
const ${name} = new february.BucketClass("${name}", {
  driver, name: "${name}-${namespace}", supportedProtocols: ["s3"], releasePolicy: "Delete",
});`;
  const bound = `
const shelf = new february.BucketClass("shelf", {
  driver, name: "shelf-${namespace}", supportedProtocols: ["s3"], accessMode: "ro",
  bucketIdentifier: { bucketName: photos.bucketId },
});
new february.Bucket("guest", {
  namespace: "${guestNamespace(namespace)}", requestProtocol: "s3", bucketClass: shelf, secretName: "guest-creds",
});`;
  return `
import { Driver, cosi20200227 as february } from "pulumi-cosi";
february.install({ sourceSecretNamespace: "${sourceNamespace(namespace)}" });
const driver = new Driver("store", {
  endpoint: ${JSON.stringify(endpoint)}, contract: "cosi-2020-02", driverName: "store.example.com",
  firstRetryDelayMilliseconds: 50, retryBudgetSeconds: 8,
});
${["gold", "silver"].map(classOf).join("")}
export const classes = [gold.className, silver.className];
const photos = new february.Bucket("photos", {
  namespace: "${namespace}", requestProtocol: "s3", bucketPrefix: "photos-", bucketClass: ${bucketClass},
  secretName: "${isSecretMoved ? secretNames.moved : secretNames.first}", protectData: false,
});
${guest === undefined ? "" : bound}
`;
}
