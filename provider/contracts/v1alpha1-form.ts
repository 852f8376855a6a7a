import {
  AuthenticationType as WireAuthenticationType,
  IdentityService,
  ProvisionerService,
  S3SignatureVersion,
  type Protocol,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { driverNameForm, isDriverName } from "../driver/connect/driver-name";
import type { BucketInfo, Caller, Contract, DriverClient, DriverIdentity, UnaryMethod } from "./contract";
import { method, toMap, withReply } from "./generated-method";

/** What the wire calls what a driver makes, where its messages are those of cosi.v1alpha1 under other names. */
export interface WireNames {
  /** Package of the services: `cosi.v1alpha1`. */
  readonly services: string;
  /** The noun in the names of its RPCs: `Bucket`. */
  readonly noun: string;
  /** The same of the messages as the descriptors know them. */
  readonly messages: { readonly package: string; readonly noun: string };
}

/** The noun of the generated code. */
const ownNoun = /Bucket|Deployment/;

/** What every contract of this form has in common. */
export const formTraits = {
  naming: {
    form: driverNameForm,
    problem: (name) =>
      isDriverName(name) ? undefined : `is ${JSON.stringify(name)}: a driver name has ${driverNameForm}`,
    ownName: (recorded) => recorded,
  },
  plainTextToLoopback: false,
  namesProtocol: false,
  namesTerms: false,
} satisfies Partial<Contract>;

/** The RPC that tells a driver's name. */
export function identifyOf(names: WireNames): UnaryMethod<void, DriverIdentity> {
  const getInfo = renamed(method("identify", IdentityService.driverGetInfo), names);
  return { ...getInfo, encode: () => getInfo.encode({}) };
}

/** The RPCs that make and grant, each through `caller`. */
export function clientOf(names: WireNames): (caller: Caller) => DriverClient {
  const createBucket = renamed(method("create", ProvisionerService.driverCreateBucket), names);
  const deleteBucket = renamed(method("delete", ProvisionerService.driverDeleteBucket), names);
  const grantAccess = renamed(method("grant", ProvisionerService.driverGrantBucketAccess), names);
  const revokeAccess = renamed(method("revoke", ProvisionerService.driverRevokeBucketAccess), names);
  return (caller) => ({
    createBucket: async ({ name, parameters }, target) => {
      const answer = await caller.call(createBucket, { name, parameters: toMap(parameters) }, target);
      return withReply(answer, ({ bucketId, bucketInfo }) => ({
        bucketId,
        bucketInfo: readBucketInfo(bucketInfo),
      }));
    },
    deleteBucket: async ({ bucketId, context }, target) => {
      const answer = await caller.call(deleteBucket, { bucketId, deleteContext: toMap(context) }, target);
      return withReply(answer, () => undefined);
    },
    grantAccess: async ({ bucketId, name, authenticationType, parameters }, target) => {
      const request = {
        bucketId,
        name,
        authenticationType:
          authenticationType === "IAM" ? WireAuthenticationType.IAM : WireAuthenticationType.Key,
        parameters: toMap(parameters),
      };
      const answer = await caller.call(grantAccess, request, target);
      return withReply(answer, ({ accountId, credentials }) => ({
        accountId,
        credentials: new Map([...credentials].map(([protocol, { secrets }]) => [protocol, secrets])),
      }));
    },
    revokeAccess: async ({ bucketId, accountId, context }, target) => {
      const request = { bucketId, accountId, revokeAccessContext: toMap(context) };
      return withReply(await caller.call(revokeAccess, request, target), () => undefined);
    },
  });
}

/** A method under the names of another package: numbers and types are equal, and so are the bytes. */
export function renamed<Request, Reply>(
  { path, requestType, replyType, ...rest }: UnaryMethod<Request, Reply>,
  { services, noun, messages }: WireNames,
): UnaryMethod<Request, Reply> {
  const message = (name: string): string =>
    name.replace(/^[a-z]+\.v1alpha1/, messages.package).replace(ownNoun, messages.noun);
  return {
    ...rest,
    path: path.replace(/^\/[a-z]+\.v1alpha1/, `/${services}`).replace(ownNoun, noun),
    requestType: message(requestType),
    replyType: message(replyType),
  };
}

/** A message of a protocol that is present but empty still says which protocol it is. */
function readBucketInfo(info: Protocol | undefined): BucketInfo | null {
  const type = info?.type;
  switch (type?.$case) {
    case "s3":
      return {
        protocol: "S3",
        region: type.value.region,
        signatureVersion: readSignatureVersion(type.value.signatureVersion),
      };
    case "azureBlob":
      return { protocol: "Azure", storageAccount: type.value.storageAccount };
    case "gcs":
      return {
        protocol: "GCS",
        privateKeyName: type.value.privateKeyName,
        projectId: type.value.projectId,
        serviceAccount: type.value.serviceAccount,
      };
    case undefined:
      return null;
  }
}

function readSignatureVersion(version: S3SignatureVersion): "S3V2" | "S3V4" | null {
  switch (version) {
    case S3SignatureVersion.S3V2:
      return "S3V2";
    case S3SignatureVersion.S3V4:
      return "S3V4";
    case S3SignatureVersion.UnknownSignature:
      return null;
    default:
      // A number of a later release of the contract.
      return null;
  }
}
