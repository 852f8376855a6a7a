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
import type { Answer } from "../fake-driver";
import { StoringFake, type CallOf } from "../workflows/storing-fake";

/** Requests of the CosiController. */
interface Requests {
  readonly create: CreateBucketRequest;
  readonly delete: DeleteBucketRequest;
  readonly grant: GrantBucketAccessRequest;
  readonly revoke: RevokeBucketAccessRequest;
}

export type { Rpc } from "../workflows/storing-fake";

/** A call, decoded. */
export type ControllerCall = CallOf<Requests>;

/**
 * A driver of the contract of 2020-07-08 over real gRPC, which keeps buckets and accounts in memory, idempotent by the names
 * that the contract has. It records what it is sent, answers as it is told, and lets a test act while a call is under way.
 */
export class StoringController extends StoringFake<Requests> {
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

  constructor() {
    super({
      create: { path: paths.create, decode: (body) => CreateBucketRequest.decode(body) },
      delete: { path: paths.delete, decode: (body) => DeleteBucketRequest.decode(body) },
      grant: { path: paths.grant, decode: (body) => GrantBucketAccessRequest.decode(body) },
      revoke: { path: paths.revoke, decode: (body) => RevokeBucketAccessRequest.decode(body) },
    });
  }

  protected override work(call: ControllerCall): Answer {
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

function encoded({ credentials }: ProviderCredentials): string {
  const entries =
    credentials?.$case === "genericCredentials" ? [...credentials.value.credentials] : credentials;
  return JSON.stringify(entries);
}
