export type { AccessedBucketArgs } from "./accessed-bucket";
export { BucketAccessClass, type BucketAccessClassArgs, type PolicyActionsArgs } from "./bucket-access-class";
export { BucketAccessRequest, type BucketAccessRequestArgs } from "./bucket-access-request";
export { Bucket, type BucketArgs } from "./bucket";
export type { AzureBlobArgs, BucketProtocolArgs, GcsArgs, S3Args } from "./bucket-protocol";
export { BucketClass, type BucketClassArgs } from "./bucket-class";
export { BucketRequest, type BucketRequestArgs } from "./bucket-request";
export { install, type InstallArgs } from "./installation";
export type { ParametersArgs, ProvisionerSecret } from "./parameters";
export type { ProvisionerArgs } from "./provisioner";
export type { PermittedNamespaceArgs } from "./values";
export type { MetadataArgs } from "../kubernetes/custom-resource";
export type { ClusterArgs } from "../kubernetes/installation";
export { InvalidArgumentError } from "../kubernetes/invalid-argument";
export type {
  ApiProtocol,
  PermittedNamespace,
  ReleasePolicy,
} from "../../provider/models/cosi-2020-07/specs";
