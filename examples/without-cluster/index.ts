import * as cosi from "pulumi-cosi";

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const store = new cosi.Driver("store", { command: ["cosi-driver-s3"] });

const photos = new cosi.Bucket("photos", { driver: store, deletionPolicy: "Delete" });
const access = new cosi.BucketAccess("photos-rw", { bucket: photos });

export const bucket = photos.bucketId;
export const endpoint = access.endpoint;
export const region = access.region;
export const accessKeyId = access.accessKeyId;
export const accessSecretKey = access.accessSecretKey;
