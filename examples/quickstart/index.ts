import * as k8s from "@pulumi/kubernetes";
import * as cosi from "pulumi-cosi";

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });

const gold = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });

const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });

const photos = new cosi.objectstorage.BucketClaim("photos", {
  namespace: shop.metadata.name,
  bucketClass: gold,
  protocols: ["S3"],
});
const access = new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace: shop.metadata.name,
  bucketClaim: photos,
  bucketAccessClass: keys,
  credentialsSecretName: "photos-creds",
});

export const bucket = photos.bucketId;
export const secret = access.secretName;
