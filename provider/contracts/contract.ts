/** Contracts that the package speaks; each is one adapter in this folder. */
export const contractNames = [
  "cosi.v1alpha1",
  "cosi-2020-07",
  "cosi-2020-02",
  "deployment.v1alpha1",
  "database.v1alpha1",
] as const;

/** A wire protocol: one .proto. */
export type ContractName = (typeof contractNames)[number];

/** What a call is for, whatever its RPC is called; the caller's policies depend on it. */
export type Verb = "identify" | "create" | "delete" | "grant" | "revoke" | "status";

/** What a contract reads into an answer other than OK, beyond its gRPC code. */
export interface ErrorReading {
  /** The code by which the caller goes on, where the contract's own name for the error says another one. */
  readonly code: number;
  /** The contract's name for the error: `CREATE_INVALID_PROTOCOL`. */
  readonly name?: string;
  /** There is nothing left to do, so the call counts as done; the warning that says why. */
  readonly done?: string;
  /**
   * The driver is at work on what was asked for, which is no failure: it is asked again for as long as the target's
   * `patienceSeconds`, and not only for the budget of retries.
   */
  readonly underWay?: boolean;
  /** What the user does about it, where that is known better than by the code. */
  readonly next?: string;
}

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
  /**
   * Reads an answer other than OK, for a contract that has names of its own for errors.
   *
   * @param said The driver's words, secrets masked.
   * @default the code is all there is
   */
  readonly readError?: (code: number, said: string) => ErrorReading;
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
  /**
   * Protocol of the bucket; the call is refused if the driver says that it serves another one.
   *
   * @default none: what the driver says of protocols is not judged
   */
  readonly protocol?: Protocol;
  /**
   * For whom the call makes something, which a driver may record.
   *
   * @default none: the call makes nothing
   */
  readonly owner?: string;
  /**
   * What the call makes something for: the same text in each repeat, and another one for each resource. A driver may tell
   * a repeat by it where the contract has no name for what is made.
   *
   * @default none: the contract has a name for it
   */
  readonly request?: string;
  /**
   * Longest wait, in seconds, for work that the driver says is under way.
   *
   * @default 600
   */
  readonly patienceSeconds?: number;
  /**
   * Longest time for the call, in seconds, whatever the Driver's own waits are.
   *
   * @default those waits
   */
  readonly limitSeconds?: number;
  /**
   * Told of every attempt that failed and is made again, in words, secrets masked.
   *
   * @default nobody is told
   */
  readonly retrying?: (what: string) => void;
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

/** Protocols with which workloads reach a bucket. */
export type Protocol = "S3" | "Azure" | "GCS";

/** Data with which clients reach a bucket, by protocol. */
export type BucketInfo = (
  | { protocol: "S3"; region: string; signatureVersion: "S3V2" | "S3V4" | null }
  | { protocol: "Azure"; storageAccount: string }
  | { protocol: "GCS"; privateKeyName: string; projectId: string; serviceAccount: string }
) & {
  /** What the driver wants back in every later call for the bucket. @default none: the contract has no such thing */
  providerContext?: ProviderContext;
};

/** What goes with a bucket through all calls, as the driver gave it. */
export type ProviderContext =
  | { kind: "s3"; location: string }
  | { kind: "gcs"; location: string; project: string }
  | { kind: "azure" }
  | { kind: "generic"; bucketData: Record<string, string> };

/** What callers without credentials may do with a bucket: nothing, read, write, or both. */
export type AnonymousAccess = "private" | "ro" | "wo" | "rw";

/** What the credentials of a bucket let their holder do with it: read, write, or both. */
export type AccessMode = "ro" | "wo" | "rw";

/** How an account proves who it is: by keys, or as the platform's service account. */
export type AuthenticationType = "Key" | "IAM";

/** What only some contracts have a field for, and the others leave out. */
export interface CallContext {
  /** Protocol of the bucket. @default that of `bucketInfo`, else `S3` */
  readonly protocol?: Protocol;
  /** Keys with which the driver logs in to its store for this call. @default none: the driver has its own */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the credentials that come with the bucket allow. @default "rw" */
  readonly accessMode?: AccessMode;
}

export interface CreateBucketRequest extends CallContext {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** @default "private" */
  readonly anonymousAccess?: AnonymousAccess;
}

/** A call for a bucket that exists. */
export interface BucketContext extends CallContext {
  /** What is known of the bucket: what its create told, or its owner. @default nothing */
  readonly bucketInfo?: BucketInfo | null;
}

export interface CreatedBucket {
  /** The driver's id, byte for byte; empty if the driver left it out, which is its fault to report. */
  readonly bucketId: string;
  /** `null` if the driver does not tell. */
  readonly bucketInfo: BucketInfo | null;
  /** What the user should know of the reply, in words. @default nothing */
  readonly notices?: readonly string[];
  /**
   * The account that came with the bucket, and what is known of the bucket, by the names of the contract's fields.
   *
   * @default none: an account is granted by a call of its own
   */
  readonly issued?: IssuedCredential;
  /** Why the reply cannot be used, in words, though the driver answered OK. @default it can */
  readonly problem?: string;
}

export interface DeleteBucketRequest extends BucketContext {
  readonly bucketId: string;
  /** The parameters of the create, as they were then. */
  readonly context: Readonly<Record<string, string>>;
  /** What {@link CreatedBucket.issued} was. @default none was issued, or its answer was lost */
  readonly issued?: IssuedCredential;
}

/** What an account may do and who it is, where the contract asks for it. */
export interface AccessTerms {
  /** Names of actions, which the driver defines. @default none */
  readonly policyActions?: PolicyActions | null;
  /** The platform's account that gets access, where the authentication type is `IAM`. @default none */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string } | null;
}

/** What an account may do and may not do, in words of the driver. */
export interface PolicyActions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

export interface GrantAccessRequest extends BucketContext, AccessTerms {
  readonly bucketId: string;
  /** What the program knows of a bucket that is there, by the names of the contract's fields. @default nothing */
  readonly identifier?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly authenticationType: AuthenticationType;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * One credential as a driver issued it, plain JSON. All of it is secret. A contract whose revoke names credentials gets
 * it back unchanged.
 */
export interface IssuedCredential {
  /** Which of the contract's forms it has. */
  readonly kind: "s3" | "gcs" | "azure" | "generic";
  /** By the names of the form's fields; `generic`: by the driver's own keys. Fields without a value are left out. */
  readonly values: Readonly<Record<string, string>>;
}

export interface GrantedAccess {
  /** The driver's id, byte for byte; empty if the driver left it out. */
  readonly accountId: string;
  /** Secrets by the driver's key, by the driver's protocol name (`s3`, `azure`). */
  readonly credentials: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /**
   * The credentials that the revoke has to name, one call each and in this order.
   *
   * @default none: one revoke ends the account
   */
  readonly issued?: readonly IssuedCredential[];
  /** Why the reply cannot be used, in words, though the driver answered OK. @default it can */
  readonly problem?: string;
}

export interface RevokeAccessRequest extends BucketContext, AccessTerms {
  readonly bucketId: string;
  readonly accountId: string;
  /** The parameters of the grant, as they were then. */
  readonly context: Readonly<Record<string, string>>;
  /** The one of {@link GrantedAccess.issued} that ends. @default none was issued */
  readonly issued?: IssuedCredential;
}

/** How far what a create made is by now. */
export interface Readiness {
  readonly state: "ready" | "pending" | "error";
  /** The driver's words; empty if it has none. */
  readonly message: string;
}

/** A driver, whatever its contract. `target` says what each call is about. */
export interface DriverClient {
  createBucket(request: CreateBucketRequest, target: CallTarget): Promise<Answer<CreatedBucket>>;
  deleteBucket(request: DeleteBucketRequest, target: CallTarget): Promise<Answer<void>>;
  grantAccess(request: GrantAccessRequest, target: CallTarget): Promise<Answer<GrantedAccess>>;
  revokeAccess(request: RevokeAccessRequest, target: CallTarget): Promise<Answer<void>>;
  /**
   * Tells whether what a create made can be used yet.
   *
   * @default no such call: what a create has answered with OK is ready
   */
  readiness?(request: { readonly bucketId: string }, target: CallTarget): Promise<Answer<Readiness>>;
}

/** What a driver says of itself. */
export interface DriverIdentity {
  /** Its name, as sent; possibly ill-formed. */
  readonly name: string;
  /** The protocols that it serves, as far as they are known here. @default it does not tell */
  readonly protocols?: readonly Protocol[];
}

/** How a contract speaks of its drivers. */
export interface DriverNaming {
  /** What a name looks like, in words. */
  readonly form: string;
  /** What is wrong with a name that is to be recorded, or `undefined`. */
  problem(name: string): string | undefined;
  /** The part of a recorded name that a driver gives as its own. */
  ownName(recorded: string): string;
}

/** What a contract calls the things for which the package has one name, for messages and inputs. */
export interface ContractWords {
  /** What its drivers make: `bucket`. */
  readonly object: string;
  /** What as a rule has to go before it can be deleted. */
  readonly content: string;
  /** Its id in a reply: `bucket_id`. */
  readonly objectId: string;
  /** Resource of the package that stands for it: `cosi.Bucket`. */
  readonly resource: string;
  /** RPC that makes it, and the one that makes an account. */
  readonly create: string;
  readonly grant: string;
  /** Names of inputs and outputs that are others than the package's own, by these. */
  readonly properties: Readonly<Record<string, string>>;
}

/** The variable in which a driver that is started gets its endpoint. */
export type EndpointVariable = "COSI_ENDPOINT" | "Deployment_ENDPOINT";

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
  readonly words: ContractWords;
  /** Folder below `gen` with the descriptors of its messages. */
  readonly descriptors: string;
  readonly endpointVariable: EndpointVariable;
  /**
   * The RPC that tells a driver's name. `null`: there is none. The program then names the driver, and what tells a wrong
   * one is the recorded pair of that name and the place where the driver is.
   */
  readonly identify: UnaryMethod<void, DriverIdentity> | null;
  /** The RPC of this path that tells a driver's name, for a contract that has the messages and no RPC for them. */
  readonly identifyBy?: (path: string) => UnaryMethod<void, DriverIdentity>;
  readonly naming: DriverNaming;
  /** Plain text is allowed to this machine, and the endpoint may be written `host:port`. */
  readonly plainTextToLoopback: boolean;
  /** Strings and maps have a size limit. */
  readonly limitsFields: boolean;
  /** What the user calls a bucket or an account has a form, beside its length. */
  readonly limitsNames: boolean;
  /** The entries of credentials and their keys are the driver's own, and all of them are kept. */
  readonly credentialsAreFree: boolean;
  /** A call names the protocol of its bucket. */
  readonly namesProtocol: boolean;
  /** A grant names policy actions and the platform's account. */
  readonly namesTerms: boolean;
  /** A bucket comes with its account: a create issues it, a grant does so for a bucket that is there. */
  readonly grantsAtCreate: boolean;
  /** The id of a bucket is the name by which clients reach it, whatever name was sent. */
  readonly idsAreNames: boolean;
  /**
   * What is known of a bucket whose driver has told nothing of it.
   *
   * @default nothing: no later call needs it
   */
  readonly untoldInfo?: (protocol: Protocol, parameters: Readonly<Record<string, string>>) => BucketInfo;
  /** The other RPCs, each through `caller`. */
  client(caller: Caller): DriverClient;
}
