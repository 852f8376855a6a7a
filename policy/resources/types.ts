/**
 * Type tokens of this package's resources that rules look at. They are written down here, and not taken from the classes, so
 * that a policy pack starts without loading what talks to drivers and clusters.
 */
export const resourceTypes = {
  driver: "pulumi-nodejs:dynamic/cosi:Driver",
  bucket: "pulumi-nodejs:dynamic/cosi:Bucket",
  bucketAccess: "pulumi-nodejs:dynamic/cosi:BucketAccess",
  deployment: "pulumi-nodejs:dynamic/cosi:Deployment",
  deploymentAccess: "pulumi-nodejs:dynamic/cosi:DeploymentAccess",
  /** A Secret of credentials, of every API model but that of 2020-02-27. */
  secret: "pulumi-nodejs:dynamic/cosi/kubernetes:Secret",
  /** The ObjectBucketClaim of a component. */
  objectBucketClaim: "pulumi-nodejs:dynamic/cosi/objectbucket:Claim",
  /** COSI proposal of 2020-07-08: the Bucket by which an administrator offers a bucket that is there. */
  adminBucket: "pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket",
  /** COSI proposal of 2020-02-27: writes the Secret of a Bucket. */
  bucketBinding: "pulumi-nodejs:dynamic/cosi/cosi20200227:BucketBinding",
  /** COSI proposal of 2020-02-27: the Secret from which that of a Bucket is copied. */
  sourceSecret: "pulumi-nodejs:dynamic/cosi/cosi20200227:SourceSecret",
} as const;
