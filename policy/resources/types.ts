/** The types of a resource that programs in every language have: that of its class, and that of the plugin. */
const inEveryLanguage = (kind: string) =>
  [`pulumi-nodejs:dynamic/cosi:${kind}`, `cosi:index:${kind}`] as const;

/**
 * Type tokens of this package's resources that rules look at. They are written down here, and not taken from the classes, so
 * that a policy pack starts without loading what talks to drivers and clusters.
 */
export const resourceTypes = {
  driver: inEveryLanguage("Driver"),
  bucket: inEveryLanguage("Bucket"),
  bucketAccess: inEveryLanguage("BucketAccess"),
  deployment: inEveryLanguage("Deployment"),
  deploymentAccess: inEveryLanguage("DeploymentAccess"),
  /** A Secret of credentials, of every API model but that of 2020-02-27. */
  secret: ["pulumi-nodejs:dynamic/cosi/kubernetes:Secret"],
  /** The ObjectBucketClaim of a component. */
  objectBucketClaim: ["pulumi-nodejs:dynamic/cosi/objectbucket:Claim"],
  /** COSI proposal of 2020-07-08: the Bucket by which an administrator offers a bucket that is there. */
  adminBucket: ["pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket"],
  /** COSI proposal of 2020-02-27: writes the Secret of a Bucket. */
  bucketBinding: ["pulumi-nodejs:dynamic/cosi/cosi20200227:BucketBinding"],
  /** COSI proposal of 2020-02-27: the Secret from which that of a Bucket is copied. */
  sourceSecret: ["pulumi-nodejs:dynamic/cosi/cosi20200227:SourceSecret"],
} as const;
