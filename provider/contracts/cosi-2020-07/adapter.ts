import {
  AccessMode,
  CosiControllerService,
  DataProtocol,
  DriverInfoRequest,
  DriverInfoResponse,
  type Bucket,
} from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import type {
  AnonymousAccess,
  BucketContext,
  CallTarget,
  Contract,
  CreateBucketRequest,
  CreatedBucket,
  Protocol,
} from "../contract";
import { method, toMap, withReply } from "../generated-method";
import { contractTraits } from "../traits";
import { credentialEntries, readCredential, writeCredential } from "./credentials";
import { errorReader } from "./errors";
import { driverParameters, permissionsOf } from "./permissions";
import { bucketInfoOf, contextOf, readContext } from "./provider-context";
import { provisionerNaming } from "./provisioner";

const createBucket = {
  ...method("create", CosiControllerService.createBucket),
  readError: errorReader("create"),
};
const deleteBucket = {
  ...method("delete", CosiControllerService.deleteBucket),
  readError: errorReader("delete"),
};
const grantAccess = {
  ...method("grant", CosiControllerService.grantBucketAccess),
  readError: errorReader("grant"),
};
const revokeAccess = {
  ...method("revoke", CosiControllerService.revokeBucketAccess),
  readError: errorReader("revoke"),
};

/**
 * The contract of the proposal of 2020-07-08. Ids are names: a bucket's is the one that the driver made, an account's
 * the one that was sent, since the contract has none.
 * Source: COSI proposal of 2020-07-08, gRPC Definitions, with numbers decided where it has none.
 */
export const cosi202007 = {
  ...contractTraits["cosi-2020-07"],
  name: "cosi-2020-07",
  descriptors: "cosi-2020-07",
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
    decode: (bytes) => {
      const { DriverName, SupportedProtocol } = DriverInfoResponse.decode(bytes);
      const protocol = protocolOf(SupportedProtocol);
      return { name: DriverName, ...(protocol === undefined ? {} : { protocols: [protocol] }) };
    },
  }),
  naming: provisionerNaming,
  plainTextToLoopback: true,
  namesProtocol: true,
  namesTerms: true,
  untoldInfo: (protocol, parameters) => bucketInfoOf(protocol, null, parameters),
  client: (caller) => ({
    createBucket: async (request, target) => {
      const { name, parameters, anonymousAccess = "private", secrets = {} } = request;
      const protocol = request.protocol ?? "S3";
      const wire = {
        bucketName: name,
        requestProtocol: dataProtocols[protocol],
        providerContext: contextOf({ protocol, parameters }),
        driverParameters: toMap(driverParameters(parameters)),
        accessMode: accessModes[anonymousAccess],
        secrets: toMap(secrets),
      };
      const answer = await caller.call(createBucket, wire, { ...target, protocol });
      return withReply(answer, ({ bucket }) => readBucket(bucket, request, target));
    },
    deleteBucket: async ({ bucketId, context: parameters, secrets = {}, ...bucket }, target) => {
      const wire = {
        ...bucketFields(bucketId, bucket, parameters),
        driverParameters: toMap(driverParameters(parameters)),
        secrets: toMap(secrets),
      };
      const answer = await caller.call(deleteBucket, wire, { ...target, protocol: protocolFor(bucket) });
      return withReply(answer, () => undefined);
    },
    grantAccess: async ({ bucketId, name, parameters, secrets = {}, ...rest }, target) => {
      const wire = {
        ...bucketFields(bucketId, rest, parameters),
        permissions: permissionsOf({ access: name, parameters, ...rest }),
        secrets: toMap(secrets),
      };
      const protocol = protocolFor(rest);
      const answer = await caller.call(grantAccess, wire, { ...target, protocol });
      return withReply(answer, ({ creds }) => {
        const issued = creds.map(readCredential).filter((credential) => credential !== undefined);
        return { accountId: name, credentials: credentialEntries(issued, protocol), issued };
      });
    },
    revokeAccess: async ({ bucketId, accountId, context, secrets = {}, issued, ...rest }, target) => {
      const wire = {
        ...bucketFields(bucketId, rest, context),
        permissions: permissionsOf({ access: accountId, parameters: context, ...rest }),
        secrets: toMap(secrets),
        serviceAccount: issued === undefined ? undefined : writeCredential(issued),
      };
      const answer = await caller.call(revokeAccess, wire, { ...target, protocol: protocolFor(rest) });
      return withReply(answer, () => undefined);
    },
  }),
} satisfies Contract;

const dataProtocols: Readonly<Record<Protocol, DataProtocol>> = {
  Azure: DataProtocol.AZURE_BLOB,
  GCS: DataProtocol.GCS,
  S3: DataProtocol.S3,
};

const accessModes: Readonly<Record<AnonymousAccess, AccessMode>> = {
  private: AccessMode.MODE_UNSPECIFIED,
  ro: AccessMode.RO,
  wo: AccessMode.WO,
  rw: AccessMode.RW,
};

function protocolFor({ protocol, bucketInfo }: BucketContext): Protocol {
  return protocol ?? bucketInfo?.protocol ?? "S3";
}

/** What all calls for a bucket that exists begin with. */
function bucketFields(
  bucketName: string,
  bucket: BucketContext,
  parameters: Readonly<Record<string, string>>,
): Pick<Parameters<typeof deleteBucket.encode>[0], "bucketName" | "requestProtocol" | "providerContext"> {
  const protocol = protocolFor(bucket);
  return {
    bucketName,
    requestProtocol: dataProtocols[protocol],
    providerContext: contextOf({ protocol, parameters, bucketInfo: bucket.bucketInfo }),
  };
}

/** `undefined` for a driver that does not tell, and for a number of a later release. */
function protocolOf(number: DataProtocol): Protocol | undefined {
  const protocols: readonly Protocol[] = ["S3", "Azure", "GCS"];
  return protocols.find((protocol) => dataProtocols[protocol] === number);
}

/** An absent bucket, and one without a name, is the one that was asked for. */
function readBucket(
  bucket: Bucket | undefined,
  { name, protocol = "S3", parameters, anonymousAccess = "private" }: CreateBucketRequest,
  { driverName }: CallTarget,
): CreatedBucket {
  const bucketInfo = bucketInfoOf(protocol, readContext(bucket?.providerContext), parameters);
  if (bucket === undefined) return { bucketId: name, bucketInfo };
  const notices: string[] = [];
  if (bucket.accessMode !== accessModes[anonymousAccess]) {
    notices.push(
      `the driver answered with access mode ${nameOfMode(bucket.accessMode)}, but ${anonymousAccess} was asked for: check ` +
        "what it lets callers without credentials do",
    );
  }
  if (bucket.provisioner !== "" && bucket.provisioner !== driverName) {
    notices.push(
      `the driver answered with provisioner ${JSON.stringify(bucket.provisioner)}, but it is called ${driverName} here`,
    );
  }
  return {
    bucketId: bucket.name === "" ? name : bucket.name,
    bucketInfo,
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function nameOfMode(mode: AccessMode): string {
  const modes: readonly AnonymousAccess[] = ["private", "ro", "wo", "rw"];
  return modes.find((known) => accessModes[known] === mode) ?? `number ${String(mode)}`;
}
