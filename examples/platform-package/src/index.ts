export { AppBucket, type AppBucketArgs } from "./app-bucket";
export { environments, sizes, type Environment, type Size } from "./policy";
export { StoragePlatform, type StoragePlatformArgs } from "./storage-platform";
