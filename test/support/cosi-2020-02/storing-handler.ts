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
import { CallScript, type Moment, type When } from "../call-script";
import { paths, place } from "../cosi-2020-02";
import { FakeDriver, type Answer } from "../fake-driver";

/** Requests of the two handlers. */
interface Requests {
  create: CreateBucketRequest;
  delete: DeleteBucketRequest;
  grant: GrantBucketAccessRequest;
  revoke: RevokeBucketAccessRequest;
}

export type Rpc = keyof Requests;

/** A call, decoded. */
export type HandlerCall = { [Name in Rpc]: { readonly rpc: Name; readonly request: Requests[Name] } }[Rpc];

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
export class StoringHandler {
  readonly fake = new FakeDriver();
  /** Requests that made them, by name. */
  readonly buckets = new Map<string, CreateBucketRequest>();
  /** Accounts that work, by user name. */
  readonly accounts = new Map<string, Account>();
  /** Name of the bucket that it makes. @default the one that was asked for */
  bucketNameOf: (name: string) => string = (name) => name;
  readonly #script = new CallScript<HandlerCall>();
  #keys = 0;

  constructor() {
    this.fake
      .on(paths.create, (body) => this.#handle({ rpc: "create", request: CreateBucketRequest.decode(body) }))
      .on(paths.delete, (body) => this.#handle({ rpc: "delete", request: DeleteBucketRequest.decode(body) }))
      .on(paths.grant, (body) =>
        this.#handle({ rpc: "grant", request: GrantBucketAccessRequest.decode(body) }),
      )
      .on(paths.revoke, (body) =>
        this.#handle({ rpc: "revoke", request: RevokeBucketAccessRequest.decode(body) }),
      );
  }

  async start(): Promise<this> {
    await this.fake.start();
    return this;
  }

  /** Has something done in every call. @returns what takes it back. */
  on(when: When, moment: Moment<HandlerCall>): () => void {
    return this.#script.on(when, moment);
  }

  /** Answers the next calls of an RPC so, one each, and does nothing for them. */
  refuse(rpc: Rpc, ...given: readonly Answer[]): void {
    this.#script.refuse(rpc, ...given);
  }

  /** Names of the RPCs so far, in their order. */
  rpcs(): Rpc[] {
    return this.fake.calls.map(({ path }) => rpcOf(path));
  }

  /** Requests of each RPC so far, in their order. */
  requests(): { readonly [Name in Rpc]: readonly Requests[Name][] } {
    const bodies = (rpc: Rpc): Buffer[] =>
      this.fake.calls.filter(({ path }) => rpcOf(path) === rpc).map(({ body }) => body);
    return {
      create: bodies("create").map((body) => CreateBucketRequest.decode(body)),
      delete: bodies("delete").map((body) => DeleteBucketRequest.decode(body)),
      grant: bodies("grant").map((body) => GrantBucketAccessRequest.decode(body)),
      revoke: bodies("revoke").map((body) => RevokeBucketAccessRequest.decode(body)),
    };
  }

  /** Forgets what was called so far, not what it stores. */
  forget(): void {
    this.fake.calls.length = 0;
  }

  #handle(call: HandlerCall): Promise<Answer> {
    const asked = this.fake.calls.at(-1)?.metadata[requestMetadata];
    return this.#script.answer(call, () => this.#work(call, typeof asked === "string" ? asked : ""));
  }

  #work(call: HandlerCall, asked: string): Answer {
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

function rpcOf(path: string): Rpc {
  const found = (["create", "delete", "grant", "revoke"] as const).find((rpc) => paths[rpc] === path);
  if (found === undefined) throw new Error(`no call of the contract: ${path}`);
  return found;
}
