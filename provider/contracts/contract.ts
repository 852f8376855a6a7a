/** Contracts that the package speaks. More follow; each is one adapter in this folder. */
export const contractNames = ["cosi.v1alpha1"] as const;

/** A wire protocol: one .proto. */
export type ContractName = (typeof contractNames)[number];

/** What a call is for, whatever its RPC is called; the caller's policies depend on it. */
export type Verb = "identify" | "create" | "delete" | "grant" | "revoke";

/** One RPC of a contract, as the channel needs it. */
export interface UnaryMethod<Request, Reply> {
  readonly verb: Verb;
  /** `/cosi.v1alpha1.Provisioner/DriverCreateBucket` */
  readonly path: string;
  /** Full protobuf names of both messages, for redaction. */
  readonly requestType: string;
  readonly replyType: string;
  readonly encode: (request: Request) => Uint8Array;
  /** @throws on bytes that are no such message. */
  readonly decode: (bytes: Uint8Array) => Reply;
}

/** What a call is about. */
export interface CallTarget {
  /**
   * What the driver is asked to work on: a bucket's name before its id is known, then its id. At most one call for
   * an equal key is in flight at a driver.
   */
  readonly bucket: string;
  /** Bucket or account in words, for messages: `bucket photos-1c9a`. */
  readonly subject: string;
  /**
   * Name of the driver that was recorded for this object. The call is refused if the driver behind the endpoint
   * reports another one.
   */
  readonly driverName: string;
}

/** What came of a call that the driver answered with OK. */
export interface Answer<Reply> {
  readonly reply: Reply;
  /** True if an earlier attempt of this call may have had its effect too. */
  readonly repeatedAfterUnknown: boolean;
}

/**
 * Makes a call with everything that the package promises about calls: connection, driver guard, deadline, retries by
 * code, one call per bucket, redaction. Adapters have none of it.
 */
export interface Caller {
  /** @throws DriverError when the call failed for good. */
  call<Request, Reply>(
    method: UnaryMethod<Request, Reply>,
    request: Request,
    target: CallTarget,
  ): Promise<Answer<Reply>>;
}

/** Data with which clients reach a bucket, by protocol. */
export type BucketInfo =
  | { protocol: "S3"; region: string; signatureVersion: "S3V2" | "S3V4" | null }
  | { protocol: "Azure"; storageAccount: string }
  | { protocol: "GCS"; privateKeyName: string; projectId: string; serviceAccount: string };

/** How an account proves who it is: by keys, or as the platform's service account. */
export type AuthenticationType = "Key" | "IAM";

export interface CreateBucketRequest {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CreatedBucket {
  /** The driver's id, byte for byte; empty if the driver left it out, which is its fault to report. */
  readonly bucketId: string;
  /** `null` if the driver does not tell. */
  readonly bucketInfo: BucketInfo | null;
}

export interface DeleteBucketRequest {
  readonly bucketId: string;
  /** The parameters of the create, as they were then. */
  readonly context: Readonly<Record<string, string>>;
}

export interface GrantAccessRequest {
  readonly bucketId: string;
  readonly name: string;
  readonly authenticationType: AuthenticationType;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface GrantedAccess {
  /** The driver's id, byte for byte; empty if the driver left it out. */
  readonly accountId: string;
  /** Secrets by the driver's key, by the driver's protocol name (`s3`, `azure`). */
  readonly credentials: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface RevokeAccessRequest {
  readonly bucketId: string;
  readonly accountId: string;
  /** The parameters of the grant, as they were then. */
  readonly context: Readonly<Record<string, string>>;
}

/** A driver, whatever its contract. `target` says what each call is about. */
export interface DriverClient {
  createBucket(request: CreateBucketRequest, target: CallTarget): Promise<Answer<CreatedBucket>>;
  deleteBucket(request: DeleteBucketRequest, target: CallTarget): Promise<Answer<void>>;
  grantAccess(request: GrantAccessRequest, target: CallTarget): Promise<Answer<GrantedAccess>>;
  revokeAccess(request: RevokeAccessRequest, target: CallTarget): Promise<Answer<void>>;
}

/** What a driver says of itself. */
export interface DriverIdentity {
  /** Its name, as sent; possibly ill-formed. */
  readonly name: string;
}

/**
 * One contract: the translation between the package's words and one .proto, and nothing else. An adapter
 *
 * - gives its RPCs as {@link UnaryMethod}s with the messages' full names, so that secrets are redacted by the options
 *   of its own .proto;
 * - fills every field that the contract calls required and sends nothing that the contract does not know;
 * - hands over ids and maps byte for byte, and never parses, defaults or judges an opaque value;
 * - reports what a reply lacks as empty or `null` and leaves it to the resource what that means;
 * - knows neither Pulumi nor Kubernetes, and makes no decision about retries, deadlines or order.
 */
export interface Contract {
  readonly name: ContractName;
  /** The RPC that tells a driver's name. */
  readonly identify: UnaryMethod<void, DriverIdentity>;
  /** The other RPCs, each through `caller`. */
  client(caller: Caller): DriverClient;
}
