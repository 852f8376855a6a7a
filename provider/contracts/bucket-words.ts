import type { ContractWords } from "./contract";

/** What the contracts of COSI call things. */
export const bucketWords: ContractWords = {
  object: "bucket",
  content: "the objects in it",
  objectId: "bucket_id",
  resource: "cosi.Bucket",
  create: "DriverCreateBucket",
  grant: "DriverGrantBucketAccess",
  properties: {},
};
