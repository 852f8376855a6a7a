import {
  AuthenticationType as WireAuthenticationType,
  IdentityService,
  ProvisionerService,
  S3SignatureVersion,
  type Protocol,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Answer, BucketInfo, Contract, DriverIdentity, UnaryMethod, Verb } from "./contract";

/** What ts-proto generates for one RPC. */
interface GeneratedMethod<Request, Reply> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (value: Buffer) => Reply;
}

function method<Request, Reply>(
  verb: Verb,
  generated: GeneratedMethod<Request, Reply>,
): UnaryMethod<Request, Reply> {
  const rpc = generated.path.slice(generated.path.lastIndexOf("/") + 1);
  return {
    verb,
    path: generated.path,
    requestType: `cosi.v1alpha1.${rpc}Request`,
    replyType: `cosi.v1alpha1.${rpc}Response`,
    encode: generated.requestSerialize,
    decode: (bytes) => generated.responseDeserialize(Buffer.from(bytes)),
  };
}

const getInfo = method("identify", IdentityService.driverGetInfo);
const createBucket = method("create", ProvisionerService.driverCreateBucket);
const deleteBucket = method("delete", ProvisionerService.driverDeleteBucket);
const grantAccess = method("grant", ProvisionerService.driverGrantBucketAccess);
const revokeAccess = method("revoke", ProvisionerService.driverRevokeBucketAccess);

const identify: UnaryMethod<void, DriverIdentity> = { ...getInfo, encode: () => getInfo.encode({}) };

/**
 * The contract cosi.v1alpha1 in the newer of its two dialects: the contexts of delete and revoke are always sent, and
 * a driver of the older dialect skips them.
 * Source: COSI specification, RPC Interface.
 */
export const cosiV1alpha1: Contract = {
  name: "cosi.v1alpha1",
  identify,
  client: (caller) => ({
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
  }),
};

function withReply<Wire, Reply>(answer: Answer<Wire>, read: (wire: Wire) => Reply): Answer<Reply> {
  return { ...answer, reply: read(answer.reply) };
}

function toMap(values: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(values));
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
