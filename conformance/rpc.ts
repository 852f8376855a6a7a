import {
  DriverCreateBucketRequest,
  DriverCreateBucketResponse,
  DriverDeleteBucketRequest,
  DriverDeleteBucketResponse,
  DriverGetInfoRequest,
  DriverGetInfoResponse,
  DriverGrantBucketAccessRequest,
  DriverGrantBucketAccessResponse,
  DriverRevokeBucketAccessRequest,
  DriverRevokeBucketAccessResponse,
} from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";

interface Encoder<Request> {
  encode(message: Request): { finish(): Uint8Array };
  fromPartial(fields: Partial<Request>): Request;
}

interface Decoder<Reply> {
  decode(bytes: Uint8Array): Reply;
}

/** One RPC of the contract, as bytes. */
export interface Rpc<Request, Reply> {
  readonly name: string;
  readonly path: string;
  /** Full names of the messages. */
  readonly requestType: string;
  readonly replyType: string;
  /** Fields that are left out are not on the wire. */
  encode(fields: Partial<Request>): Uint8Array;
  decode(bytes: Uint8Array): Reply;
}

function rpc<Request, Reply>(
  service: "Identity" | "Provisioner",
  name: string,
  request: Encoder<Request>,
  reply: Decoder<Reply>,
): Rpc<Request, Reply> {
  return {
    name,
    path: `/cosi.v1alpha1.${service}/${name}`,
    requestType: `cosi.v1alpha1.${name}Request`,
    replyType: `cosi.v1alpha1.${name}Response`,
    encode: (fields) => request.encode(request.fromPartial(fields)).finish(),
    decode: (bytes) => reply.decode(bytes),
  };
}

/** The five RPCs of cosi.v1alpha1. Source: COSI specification, RPC Interface. */
export const rpcs = {
  getInfo: rpc("Identity", "DriverGetInfo", DriverGetInfoRequest, DriverGetInfoResponse),
  create: rpc("Provisioner", "DriverCreateBucket", DriverCreateBucketRequest, DriverCreateBucketResponse),
  delete: rpc("Provisioner", "DriverDeleteBucket", DriverDeleteBucketRequest, DriverDeleteBucketResponse),
  grant: rpc(
    "Provisioner",
    "DriverGrantBucketAccess",
    DriverGrantBucketAccessRequest,
    DriverGrantBucketAccessResponse,
  ),
  revoke: rpc(
    "Provisioner",
    "DriverRevokeBucketAccess",
    DriverRevokeBucketAccessRequest,
    DriverRevokeBucketAccessResponse,
  ),
} as const;
