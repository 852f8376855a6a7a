export { Bucket, type BucketArgs } from "./provider/bucket/bucket";
export {
  BucketAccess,
  type AccessedBucket,
  type BucketAccessArgs,
  type BucketAccessRotation,
  type ExistingBucketAccount,
} from "./provider/bucket-access/bucket-access";
export { Deployment, type DeploymentArgs } from "./provider/deployment/deployment";
export {
  DeploymentAccess,
  type AccessedDeployment,
  type DeploymentAccessArgs,
  type ExistingDeploymentAccount,
} from "./provider/deployment-access/deployment-access";
export type { RevokeNotFound } from "./provider/run/revoke-outcome";
export type { DeletionPolicy } from "./provider/bucket/state";
export type {
  AccessMode,
  AnonymousAccess,
  AuthenticationType,
  BucketInfo,
  ContractName,
  IssuedCredential,
  PolicyActions,
  Protocol,
  ProviderContext,
} from "./provider/contracts/contract";
export type { CredentialProtocol, Credentials } from "./provider/credentials/credentials";
export { Driver, type DriverArgs } from "./provider/driver-resource/driver";
export type { DriverTls } from "./provider/driver-resource/driver-tls";
