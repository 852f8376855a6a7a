export * as objectstorage from "./components/objectstorage";
export { Bucket, type BucketArgs } from "./provider/bucket/bucket";
export {
  BucketAccess,
  type BucketAccessArgs,
  type BucketAccessRotation,
  type ExistingBucketAccount,
} from "./provider/bucket-access/bucket-access";
export type { RevokeNotFound } from "./provider/bucket-access/state";
export type { DeletionPolicy } from "./provider/bucket/state";
export type {
  AuthenticationType,
  BucketInfo,
  ContractName,
  Protocol,
  ProviderContext,
} from "./provider/contracts/contract";
export type { CredentialProtocol, Credentials } from "./provider/credentials/credentials";
export { Driver, type DriverArgs } from "./provider/driver-resource/driver";
export type { DriverTls } from "./provider/driver-resource/driver-tls";
