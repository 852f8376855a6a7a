import {
  AccessMode as WireAccessMode,
  DataProtocol,
  DeleteBucketRequest_BucketRetainPolicy as RetainPolicy,
  DriverInfoRequest,
  DriverInfoResponse,
  DynamicBucketHandlerService,
  StaticBucketHandlerService,
  type CreateBucketResponse,
  type GrantBucketAccessResponse,
} from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import type {
  AccessMode,
  Contract,
  CreatedBucket,
  DriverIdentity,
  GrantedAccess,
  Protocol,
} from "../contract";
import { method, toMap, withReply } from "../generated-method";
import { contractTraits } from "../traits";
import { readError } from "./errors";
import {
  caseOf,
  kindOf,
  nameKeyOf,
  readCreated,
  readGranted,
  readIdentifier,
  writeNamed,
  type Values,
} from "./fields";
import { anyNaming } from "./naming";

const createBucket = { ...method("create", DynamicBucketHandlerService.createBucket), readError };
const deleteBucket = { ...method("delete", DynamicBucketHandlerService.deleteBucket), readError };
const grantAccess = { ...method("grant", StaticBucketHandlerService.grantBucketAccess), readError };
const revokeAccess = { ...method("revoke", StaticBucketHandlerService.revokeBucketAccess), readError };

/**
 * The contract of the proposal of 2020-02-27. A bucket comes with its account, and the grant is for buckets that are
 * there. A bucket's id is its name; an account has no name in a request, and its id is what the driver calls it.
 * Source: COSI proposal of 2020-02-27, gRPC Definitions.
 */
export const cosi202002 = {
  ...contractTraits["cosi-2020-02"],
  name: "cosi-2020-02",
  descriptors: "cosi-2020-02",
  endpointVariable: "COSI_ENDPOINT",
  limitsNames: true,
  credentialsAreFree: false,
  identify: null,
  identifyBy: (path) => ({
    verb: "identify",
    path,
    requestType: "cosi.v1.DriverInfoRequest",
    // `DriverGetInfoResponse` of cosi.v1alpha1 has the name under the same number.
    replyType: "cosi.v1.DriverInfoResponse",
    encode: () => DriverInfoRequest.encode({}).finish(),
    decode: (bytes) => readIdentity(DriverInfoResponse.decode(bytes)),
  }),
  naming: anyNaming,
  plainTextToLoopback: true,
  namesProtocol: true,
  namesTerms: false,
  client: (caller) => ({
    createBucket: async ({ name, parameters, protocol = "S3", accessMode = "rw" }, target) => {
      const wire = {
        RequestBucketName: name,
        RequestProtocol: dataProtocols[protocol],
        DriverParameters: toMap(parameters),
        AccessMode: accessModes[accessMode],
      };
      const answer = await caller.call(createBucket, wire, { ...target, protocol });
      return withReply(answer, (reply) => readBucket(reply, protocol, name));
    },

    deleteBucket: async ({ bucketId, context, issued, protocol = "S3", accessMode = "rw" }, target) => {
      const wire = {
        // A bucket that is kept has its account revoked instead.
        RetainPolicy: RetainPolicy.DELETE,
        DriverParameters: toMap(context),
        AccessMode: accessModes[accessMode],
        Protocol: writeNamed(protocol, bucketId, issued?.values ?? {}),
      };
      const answer = await caller.call(deleteBucket, wire, { ...target, protocol });
      return withReply(answer, () => undefined);
    },

    grantAccess: async (request, target) => {
      const { bucketId, identifier = {}, parameters, protocol = "S3", accessMode = "rw" } = request;
      const known = readIdentifier(protocol, identifier);
      const wire = {
        DriverParameters: toMap(parameters),
        AccessMode: accessModes[accessMode],
        Protocol: writeNamed(protocol, bucketId, known),
      };
      const answer = await caller.call(grantAccess, wire, { ...target, protocol });
      const bucket = { [nameKeyOf(protocol)]: bucketId, ...known };
      return withReply(answer, (reply) => readAccess(reply, protocol, bucketId, bucket));
    },

    revokeAccess: async ({ bucketId, context, issued, protocol = "S3", accessMode = "rw" }, target) => {
      const wire = {
        DriverParameters: toMap(context),
        AccessMode: accessModes[accessMode],
        RequestProtocol: writeNamed(protocol, bucketId, issued?.values ?? {}),
      };
      const answer = await caller.call(revokeAccess, wire, { ...target, protocol });
      return withReply(answer, () => undefined);
    },
  }),
} satisfies Contract;

const dataProtocols: Readonly<Record<Protocol, DataProtocol>> = {
  Azure: DataProtocol.AZURE_BLOB,
  GCS: DataProtocol.GCS,
  S3: DataProtocol.S3,
};

const accessModes: Readonly<Record<AccessMode, WireAccessMode>> = {
  ro: WireAccessMode.RO,
  wo: WireAccessMode.WO,
  rw: WireAccessMode.RW,
};

/** The protocols in the order in which a list of them is given. */
const protocols: readonly Protocol[] = ["S3", "Azure", "GCS"];

/** A list without any protocol tells nothing; a number of a later release is one that is not known here. */
function readIdentity({ DriverName: name, SupportedProtocols: numbers }: DriverInfoResponse): DriverIdentity {
  if (numbers.every((number) => number === DataProtocol.PROTOCOL_UNSPECIFIED)) return { name };
  return { name, protocols: protocols.filter((protocol) => numbers.includes(dataProtocols[protocol])) };
}

function readBucket(
  { Protocol: told }: CreateBucketResponse,
  protocol: Protocol,
  name: string,
): CreatedBucket {
  const wrong = problemOf(told, protocol);
  const values = told === undefined || wrong !== undefined ? {} : readCreated(told);
  const problem = wrong ?? lackOf(values);
  const nameKey = nameKeyOf(protocol);
  const bucketId = values[nameKey] ?? name;
  return {
    bucketId,
    bucketInfo: null,
    issued: { kind: kindOf[protocol], values: { [nameKey]: bucketId, ...values } },
    ...(problem === undefined ? {} : { problem }),
  };
}

/** @param bucket What is known of the bucket, which a grant tells nothing of. */
function readAccess(
  { Protocol: told }: GrantBucketAccessResponse,
  protocol: Protocol,
  bucketId: string,
  bucket: Values,
): GrantedAccess {
  const wrong = problemOf(told, protocol);
  const account = told === undefined || wrong !== undefined ? {} : readGranted(told);
  const problem = wrong ?? lackOf(account);
  const issued = { kind: kindOf[protocol], values: { ...bucket, ...account } };
  return {
    accountId: accountIdOf(account) ?? bucketId,
    issued: [issued],
    ...(problem === undefined
      ? { credentials: new Map([[issued.kind, new Map(Object.entries(issued.values))]]) }
      : { credentials: new Map(), problem }),
  };
}

/** What tells an account best, of what a driver may tell of it. */
function accountIdOf(account: Values): string | undefined {
  const { userName, accessKeyId, serviceAccountName, privateKeyName, storageAccountName } = account;
  return userName ?? accessKeyId ?? serviceAccountName ?? privateKeyName ?? storageAccountName;
}

/** Fields of which one lets somebody log in, whatever the protocol. */
const secretFields: readonly string[] = ["secretKey", "stsToken", "privateKey", "accountKey", "sasToken"];

/** Why nobody can log in with what was issued (GRPC-048). */
function lackOf(values: Values): string | undefined {
  if (secretFields.some((field) => (values[field] ?? "") !== "")) return undefined;
  return "the driver answered OK without any credential";
}

/** Why a reply cannot be that to a call for this protocol. */
function problemOf(
  told: CreateBucketResponse["Protocol"] | GrantBucketAccessResponse["Protocol"],
  protocol: Protocol,
): string | undefined {
  if (told?.$case === caseOf[protocol]) return undefined;
  const came = protocols.find((other) => caseOf[other] === told?.$case) ?? "none";
  return `${protocol} was asked for, but the driver's reply is for protocol ${came}`;
}
