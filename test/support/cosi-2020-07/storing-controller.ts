import {
  CreateBucketRequest,
  CreateBucketResponse,
  DeleteBucketRequest,
  DeleteBucketResponse,
  GrantBucketAccessRequest,
  GrantBucketAccessResponse,
  RevokeBucketAccessRequest,
  RevokeBucketAccessResponse,
  type ProviderContext,
  type ProviderCredentials,
} from "../../../gen/cosi-2020-07/cosi/v1/cosi";
import { paths } from "../cosi-2020-07";
import { CallScript, type Moment, type When } from "../call-script";
import { FakeDriver, type Answer } from "../fake-driver";

/** Requests of the CosiController. */
interface Requests {
  create: CreateBucketRequest;
  delete: DeleteBucketRequest;
  grant: GrantBucketAccessRequest;
  revoke: RevokeBucketAccessRequest;
}

export type Rpc = keyof Requests;

/** A call, decoded. */
export type ControllerCall = { [Name in Rpc]: { readonly rpc: Name; readonly request: Requests[Name] } }[Rpc];

/**
 * A driver of the contract of 2020-07-08 over real gRPC, which keeps buckets and accounts in memory, idempotent by the names
 * that the contract has. It records what it is sent, answers as it is told, and lets a test act while a call is under way.
 */
export class StoringController {
  readonly fake = new FakeDriver();
  /** Requests that made them, by name. */
  readonly buckets = new Map<string, CreateBucketRequest>();
  /** Credentials that work, by the name of the BucketAccess. */
  readonly accounts = new Map<string, ProviderCredentials[]>();
  /** What it tells of a bucket. @default the context that was sent */
  contextOf: (request: CreateBucketRequest) => ProviderContext | undefined = (request) =>
    request.providerContext;
  /** Name of the bucket that it makes. @default the one that was asked for */
  bucketNameOf: (name: string) => string = (name) => name;
  /** What it issues. @default one credential with keys */
  credentialsFor: (access: string) => ProviderCredentials[] = (access) => [keysOf(access)];
  readonly #script = new CallScript<ControllerCall>();

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
  on(when: When, moment: Moment<ControllerCall>): () => void {
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

  #handle(call: ControllerCall): Promise<Answer> {
    return this.#script.answer(call, () => this.#work(call));
  }

  #work(call: ControllerCall): Answer {
    switch (call.rpc) {
      case "create": {
        const { request } = call;
        const name = this.bucketNameOf(request.bucketName);
        this.buckets.set(name, request);
        const bucket = {
          name,
          providerContext: this.contextOf(request),
          provisioner: "",
          accessMode: request.accessMode,
        };
        return CreateBucketResponse.encode({ bucket }).finish();
      }
      case "delete":
        this.buckets.delete(call.request.bucketName);
        return DeleteBucketResponse.encode({}).finish();
      case "grant": {
        const access = accessOf(call.request.permissions);
        const creds = this.accounts.get(access) ?? this.credentialsFor(access);
        this.accounts.set(access, creds);
        return GrantBucketAccessResponse.encode({ creds }).finish();
      }
      case "revoke": {
        const access = accessOf(call.request.permissions);
        const { serviceAccount } = call.request;
        const left = (this.accounts.get(access) ?? []).filter(
          (known) => serviceAccount !== undefined && encoded(known) !== encoded(serviceAccount),
        );
        if (left.length === 0) this.accounts.delete(access);
        else this.accounts.set(access, left);
        return RevokeBucketAccessResponse.encode({ creds: [] }).finish();
      }
    }
  }
}

/** Keys of an account, as a driver with keys would issue them. */
export function keysOf(access: string): ProviderCredentials {
  const credentials = new Map([
    ["accessKeyID", `AK-${access}`],
    ["accessSecretKey", `s3cr3t/of+${access}`],
    ["endpoint", "http://127.0.0.1:9"],
    ["region", "eu-1"],
  ]);
  return { credentials: { $case: "genericCredentials", value: { credentials } } };
}

/** Name of the BucketAccess that a call is for. */
export function accessOf(permissions: ReadonlyMap<string, string>): string {
  return permissions.get("cosi.io/bucket-access") ?? "";
}

function rpcOf(path: string): Rpc {
  const found = (["create", "delete", "grant", "revoke"] as const).find((rpc) => paths[rpc] === path);
  if (found === undefined) throw new Error(`no call of the contract: ${path}`);
  return found;
}

function encoded({ credentials }: ProviderCredentials): string {
  const entries =
    credentials?.$case === "genericCredentials" ? [...credentials.value.credentials] : credentials;
  return JSON.stringify(entries);
}
