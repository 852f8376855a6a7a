export { BucketAccess, type BucketAccessArgs } from "./bucket-access";
export { BucketAccessClass, type BucketAccessClassArgs } from "./bucket-access-class";
export { Bucket, type BucketArgs, type BucketClaimReference } from "./bucket";
export { BucketClaim, type BucketClaimArgs } from "./bucket-claim";
export { BucketClass, type BucketClassArgs } from "./bucket-class";
export type { ClassDriverArgs } from "./class-driver";
export type { MetadataArgs } from "./custom-resource";
export { install, type ClusterArgs, type InstallArgs } from "./installation";
export { InvalidArgumentError } from "./invalid-argument";
