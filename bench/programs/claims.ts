/** N claims, each with an access and its Secret. */
import * as cosi from "pulumi-cosi";

const claims = Number(process.env["BENCH_CLAIMS"]);
const namespace = "bench";

const driver = new cosi.Driver("driver", {});
const bucketClass = new cosi.objectstorage.BucketClass("buckets", { driver, deletionPolicy: "Delete" });
const accessClass = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });

for (let index = 1; index <= claims; index += 1) {
  const bucketClaim = new cosi.objectstorage.BucketClaim(`claim-${index}`, {
    namespace,
    bucketClass,
    protocols: ["S3"],
  });
  new cosi.objectstorage.BucketAccess(`access-${index}`, {
    namespace,
    bucketClaim,
    bucketAccessClass: accessClass,
    credentialsSecretName: `secret-${index}`,
  });
}
