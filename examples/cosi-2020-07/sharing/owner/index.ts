import * as cosi from "pulumi-cosi";

const july = cosi.cosi20200708;

// The namespaces `stores`, `shop` and `guests` are made beforehand, by kubectl or a stack of their own: the guest, and a
// bucket that is kept, outlive this stack. Credentials are written to `stores` first.
const namespace = "shop";

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const driver = new cosi.Driver("store", {
  command: ["cosi-driver-s3"],
  contract: "cosi-2020-07",
  driverName: "stores/s3.pulumi-cosi.dev",
});

const shared = new july.BucketClass("shared", {
  driver,
  protocol: "s3",
  additionalPermittedNamespaces: [{ name: "guests" }],
});
const readers = new july.BucketAccessClass("readers", {
  driver,
  protocol: "s3",
  policyActions: { allow: ["read"] },
});
const writers = new july.BucketAccessClass("writers", {
  driver,
  protocol: "s3",
  policyActions: { allow: ["read", "write"] },
});

const catalogue = new july.BucketRequest("catalogue", {
  namespace,
  protocol: "s3",
  bucketClass: shared,
});
const access = new july.BucketAccessRequest("editor", {
  namespace,
  bucketRequest: catalogue,
  bucketAccessClass: writers,
  accessSecretName: "catalogue-creds",
});

export const secret = access.secretName;
/** What the guest is told. */
export const bucketInstance = catalogue.bucketName;
export const bucketAccessClass = readers.className;
