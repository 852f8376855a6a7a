import {
  type AccessMode,
  CreateBucketRequest,
  CreateBucketResponse,
  DeleteBucketRequest,
  DeleteBucketResponse,
  GrantBucketAccessRequest,
  GrantBucketAccessResponse,
  RevokeBucketAccessRequest,
  RevokeBucketAccessResponse,
  S3SignatureVersion,
} from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import { requestMetadata } from "../../../provider/driver/call/owner";
import { paths, place } from "../cosi-2020-02";
import type { Answer, RecordedCall } from "../fake-driver";
import { StoringFake, type CallOf } from "../workflows/storing-fake";

/** Requests of the two handlers. */
interface Requests {
  readonly create: CreateBucketRequest;
  readonly delete: DeleteBucketRequest;
  readonly grant: GrantBucketAccessRequest;
  readonly revoke: RevokeBucketAccessRequest;
}

export type { Rpc } from "../workflows/storing-fake";

/** A call, decoded. */
export type HandlerCall = CallOf<Requests>;

/** An account that works. */
export interface Account {
  readonly bucket: string;
  readonly accessMode: AccessMode;
  readonly accessKeyId: string;
  readonly secretKey: string;
}

/**
 * A driver of the contract of 2020-02-27 over real gRPC, which keeps buckets and accounts in memory. A repeated create, and a
 * repeated grant for the same thing, end the key of before. It records what it is sent, answers as it is told, and lets a test
 * act while a call is under way.
 */
export class StoringHandler extends StoringFake<Requests> {
  /** Requests that made them, by name. */
  readonly buckets = new Map<string, CreateBucketRequest>();
  /** Accounts that work, by user name. */
  readonly accounts = new Map<string, Account>();
  /** Name of the bucket that it makes. @default the one that was asked for */
  bucketNameOf: (name: string) => string = (name) => name;
  #keys = 0;

  constructor() {
    super({
      create: { path: paths.create, decode: (body) => CreateBucketRequest.decode(body) },
      delete: { path: paths.delete, decode: (body) => DeleteBucketRequest.decode(body) },
      grant: { path: paths.grant, decode: (body) => GrantBucketAccessRequest.decode(body) },
      revoke: { path: paths.revoke, decode: (body) => RevokeBucketAccessRequest.decode(body) },
    });
  }

  protected override work(call: HandlerCall, recorded: RecordedCall | undefined): Answer {
    const request = recorded?.metadata[requestMetadata];
    const asked = typeof request === "string" ? request : "";
    switch (call.rpc) {
      case "create": {
        const { RequestBucketName, AccessMode: accessMode } = call.request;
        const name = this.bucketNameOf(RequestBucketName);
        this.buckets.set(name, call.request);
        const Authentication = this.#account(`user-${name}`, name, accessMode);
        const value = { BucketName: name, Region: place.region, Endpoint: place.endpoint, Authentication };
        return CreateBucketResponse.encode({ Protocol: { $case: "S3", value } }).finish();
      }
      case "delete": {
        const { BucketName, UserName } = s3Of(call.request.Protocol);
        this.buckets.delete(BucketName);
        this.accounts.delete(UserName === "" ? `user-${BucketName}` : UserName);
        return DeleteBucketResponse.encode({}).finish();
      }
      case "grant": {
        const { BucketName } = s3Of(call.request.Protocol);
        const value = this.#account(`user-${asked}`, BucketName, call.request.AccessMode);
        return GrantBucketAccessResponse.encode({ Protocol: { $case: "S3", value } }).finish();
      }
      case "revoke":
        this.accounts.delete(s3Of(call.request.RequestProtocol).UserName);
        return RevokeBucketAccessResponse.encode({}).finish();
    }
  }

  /** A new key for the user, whose earlier one ends. */
  #account(userName: string, bucket: string, accessMode: AccessMode) {
    this.#keys += 1;
    const accessKeyId = `AKFEB${this.#keys}`;
    const secretKey = `feb-s3cr3t/of+${this.#keys}`;
    this.accounts.set(userName, { bucket, accessMode, accessKeyId, secretKey });
    return {
      AccessKeyId: accessKeyId,
      SecretKey: secretKey,
      StsToken: "",
      UserName: userName,
      SignatureVersion: S3SignatureVersion.V4,
    };
  }
}

/** The bucket that a call names. */
export function s3Of(protocol: { readonly $case: string; readonly value: object } | undefined): {
  BucketName: string;
  UserName: string;
} {
  return { BucketName: "", UserName: "", ...(protocol?.$case === "S3" ? protocol.value : {}) };
}
