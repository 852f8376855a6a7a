import { apiVersion } from "../../../../provider/models/objectbucket/kinds";

/** A claim as a user writes it, with every field of the API. */
export const claimSpec = {
  storageClassName: "gold",
  bucketName: "photos-7",
  generateBucketName: "photos",
  additionalConfig: { maxObjects: "1000", bucketPolicy: "" },
  objectBucketName: "obc-shop-photos",
};

const endpoint = {
  bucketHost: "s3.example.com",
  bucketPort: 8443,
  bucketName: "photos-7",
  region: "eu-1",
  subRegion: "",
  additionalConfig: { colour: "red" },
};
const additionalState = { cephUser: "store/eu:account=7", "cosi.bucketID": "id:7" };

/** An ObjectBucket with every field of the API, in both dialects. */
export const objectBucketSpec = {
  storageClassName: "gold",
  reclaimPolicy: "Retain",
  endpoint,
  additionalState,
  connection: { endpoint: { ...endpoint, ssl: true }, additionalState },
  claimRef: {
    apiVersion,
    kind: "ObjectBucketClaim",
    name: "photos",
    namespace: "shop",
    uid: "0b7e9a3c-1111-4000-8000-000000000001",
  },
};
