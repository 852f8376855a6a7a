import {
  AuthenticationType as WireAuthenticationType,
  IdentityService,
  ProvisionerService,
  S3SignatureVersion,
  type Protocol,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { driverNameForm, isDriverName } from "../driver/connect/driver-name";
import type { BucketInfo, Contract, DriverIdentity, UnaryMethod } from "./contract";
import { method, toMap, withReply } from "./generated-method";

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
export const cosiV1alpha1 = {
  name: "cosi.v1alpha1",
  identify,
  naming: {
    form: driverNameForm,
    problem: (name) =>
      isDriverName(name) ? undefined : `is ${JSON.stringify(name)}: a driver name has ${driverNameForm}`,
    ownName: (recorded) => recorded,
  },
  plainTextToLoopback: false,
  limitsFields: true,
  namesProtocol: false,
  namesTerms: false,
  grantsAtCreate: false,
  idsAreNames: false,
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
} satisfies Contract;

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
