import { createHash, randomBytes } from "node:crypto";
import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverCreateBucketResponse,
  DriverDeleteBucketRequest,
  DriverDeleteBucketResponse,
  DriverGetInfoResponse,
  DriverGrantBucketAccessRequest,
  DriverGrantBucketAccessResponse,
  DriverRevokeBucketAccessRequest,
  DriverRevokeBucketAccessResponse,
  S3SignatureVersion,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import {
  DriverGetDeploymentStatusRequest,
  DriverGetDeploymentStatusResponse,
} from "../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { paths } from "../../support/cosi-v1alpha1";
import { speeches, type Speech, type SpokenContract } from "./speech";

/** What a driver does otherwise than the specification demands. */
export type Fault =
  | "new key on each grant"
  | "ALREADY_EXISTS on an equal create"
  | "NOT_FOUND on a repeated delete"
  | "revoke that does nothing"
  | "shared credentials"
  | "empty message"
  | "status details"
  | "over-limit ids"
  | "an id for each create"
  | "unknown parameters are taken"
  | "no name"
  | "grants on missing buckets"
  | "secret keys with spaces"
  | "every type is granted"
  | "failed delete"
  | "delete of a bucket with objects"
  | "objects gone with a delete that is refused"
  | "NOT_FOUND on a revoke without its bucket"
  | "one password for all accounts"
  | "status of another id"
  | "status without a word"
  | "status of what is gone"
  | "cuts names"
  | "cuts names behind ids"
  | "no bucket id"
  | "no account id";

/** Where the keys that a driver issues are known. */
export interface KeyStore {
  readonly endpoint: string;
  readonly keys: Map<string, string>;
  isEmpty(bucket: string): boolean;
  drop(bucket: string): void;
  empty(bucket: string): void;
}

/** A call that is refused. */
export class Refusal extends Error {
  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message);
  }
}

interface Account {
  readonly bucketId: string;
  readonly parameters: string;
  key: { readonly id: string; readonly secret: string };
}

/** What a driver knows of its backend. */
export interface MemoryState {
  /** Parameters by name. */
  readonly buckets: Map<string, string>;
  readonly accounts: Map<string, Account>;
}

const knownKeys = new Set(["class", "token", "emptyOnDelete"]);
const nowhere: KeyStore = {
  endpoint: "http://127.0.0.1:9",
  keys: new Map(),
  isEmpty: () => true,
  drop: () => undefined,
  empty: () => undefined,
};

/** A driver that keeps its buckets in memory: a correct one, but for the faults that it is given. */
export class MemoryDriver {
  readonly state: MemoryState = { buckets: new Map(), accounts: new Map() };
  /** Called after each change of the state. */
  onChange: () => void = () => undefined;
  /** Credentials derive from the account's name, as a driver without a memory of its own may do it. */
  derivesKeys = false;
  /** The password that all accounts get, as a driver does that hands out its own. */
  password: string | undefined;
  /** It has the call that tells the status of a deployment. */
  tellsStatus = false;
  readonly speech: Speech;
  readonly #sharedKey = newKey();
  #ids = 0;

  constructor(
    public faults: ReadonlySet<Fault> = new Set(),
    private readonly store: KeyStore = nowhere,
    private readonly contract: SpokenContract = "cosi.v1alpha1",
  ) {
    this.speech = speeches[contract];
  }

  /** Answers a request of one of the five RPCs, by its path in cosi.v1alpha1. @throws Refusal */
  answer(path: string, body: Uint8Array): Uint8Array {
    switch (path) {
      case paths.getInfo:
        return DriverGetInfoResponse.encode({
          name: this.#has("no name") ? "" : "memory.example.com",
        }).finish();
      case paths.create:
        return this.#create(DriverCreateBucketRequest.decode(body));
      case paths.delete:
        return this.#delete(DriverDeleteBucketRequest.decode(body));
      case paths.grant:
        return this.#grant(DriverGrantBucketAccessRequest.decode(body));
      default:
        return this.#revoke(DriverRevokeBucketAccessRequest.decode(body));
    }
  }

  /** Answers the call that tells the status of a deployment. @throws Refusal */
  status(body: Uint8Array): Uint8Array {
    const { deploymentId } = DriverGetDeploymentStatusRequest.decode(body);
    if (!this.state.buckets.has(deploymentId) && !this.#has("status of what is gone")) {
      throw new Refusal(status.NOT_FOUND, `${this.speech.object} ${deploymentId} does not exist`);
    }
    return DriverGetDeploymentStatusResponse.encode(
      DriverGetDeploymentStatusResponse.fromPartial({
        deploymentId: this.#has("status of another id") ? "other" : deploymentId,
        deploymentStatus: this.#has("status without a word")
          ? { type: { $case: "pending", value: false } }
          : { type: { $case: "ready", value: true } },
      }),
    ).finish();
  }

  #create({ name: sent, parameters }: DriverCreateBucketRequest): Uint8Array {
    required("name", sent);
    const behindId = this.#has("cuts names behind ids");
    const name = behindId ? cut(sent) : this.#kept(sent);
    this.#checkMap("parameters", parameters);
    if (!/^[a-z0-9.-]+$/.test(name)) throw new Refusal(status.INVALID_ARGUMENT, `name ${name} is not valid`);
    const known = this.state.buckets.get(name);
    const wanted = canonical(parameters);
    const equalIsRefused = this.#has("ALREADY_EXISTS on an equal create");
    if (known !== undefined && (known !== wanted || equalIsRefused)) {
      throw new Refusal(status.ALREADY_EXISTS, `${this.speech.object} ${name} exists with other parameters`);
    }
    this.state.buckets.set(name, wanted);
    this.onChange();
    const counted = this.#has("an id for each create") ? `-${++this.#ids}` : "";
    const ownId = behindId ? sent : name;
    const bucketId = this.#has("over-limit ids") ? ownId.padEnd(200, "x") : ownId;
    return DriverCreateBucketResponse.encode({
      bucketId: this.#has("no bucket id") ? "" : bucketId + counted,
      bucketInfo: {
        type: { $case: "s3", value: { region: "eu-1", signatureVersion: S3SignatureVersion.S3V4 } },
      },
    }).finish();
  }

  #delete({ bucketId, deleteContext }: DriverDeleteBucketRequest): Uint8Array {
    this.#id(this.speech.idField, bucketId);
    this.#checkMap("delete_context", deleteContext);
    const name = this.#nameOf(bucketId);
    if (this.#has("failed delete"))
      throw new Refusal(status.PERMISSION_DENIED, `${this.speech.object} ${bucketId} is locked`);
    if (this.#has("delete of a bucket with objects")) this.store.drop(name);
    if (!this.store.isEmpty(name)) {
      if (this.#has("objects gone with a delete that is refused")) this.store.empty(name);
      throw new Refusal(status.FAILED_PRECONDITION, `${this.speech.object} ${name} is not empty`);
    }
    const was = this.state.buckets.delete(name);
    this.onChange();
    if (!was && this.#has("NOT_FOUND on a repeated delete")) {
      throw new Refusal(status.NOT_FOUND, `${this.speech.object} ${bucketId} does not exist`);
    }
    return DriverDeleteBucketResponse.encode({}).finish();
  }

  #grant(request: DriverGrantBucketAccessRequest): Uint8Array {
    const { bucketId, authenticationType, parameters } = request;
    this.#id(this.speech.idField, bucketId);
    required("name", request.name);
    const name = this.#kept(request.name);
    if (authenticationType !== 1 && !this.#has("every type is granted")) {
      throw new Refusal(
        status.INVALID_ARGUMENT,
        `authentication_type ${String(authenticationType)} is not offered`,
      );
    }
    this.#checkMap("parameters", parameters);
    const bucket = this.#nameOf(bucketId);
    if (!this.state.buckets.has(bucket) && !this.#has("grants on missing buckets")) {
      throw new Refusal(status.NOT_FOUND, `${this.speech.object} ${bucketId} does not exist`);
    }
    const known = this.state.accounts.get(name);
    const wanted = canonical(parameters);
    if (known !== undefined && (known.bucketId !== bucketId || known.parameters !== wanted)) {
      throw new Refusal(
        status.ALREADY_EXISTS,
        `account ${name} exists for another ${this.speech.object} or with other parameters`,
      );
    }
    const shared = this.#has("shared credentials");
    const account = known ?? {
      bucketId,
      parameters: wanted,
      key: shared ? this.#sharedKey : this.derivesKeys ? derivedKey(`${bucketId}/${name}`) : newKey(),
    };
    if (known !== undefined && this.#has("new key on each grant")) account.key = newKey();
    this.state.accounts.set(name, account);
    this.store.keys.set(account.key.id, shared ? "*" : bucket);
    this.onChange();
    if (this.#has("one password for all accounts")) account.key = { ...account.key, secret: "a-password" };
    if (this.password !== undefined) account.key = { ...account.key, secret: this.password };
    const accountId = this.#has("over-limit ids") ? name.padEnd(200, "x") : name;
    return DriverGrantBucketAccessResponse.encode({
      accountId: this.#has("no account id") ? "" : accountId,
      credentials: this.#credentials(account.key),
    }).finish();
  }

  #credentials({ id, secret }: Account["key"]): Map<string, { secrets: Map<string, string> }> {
    const isS3 = this.contract === "cosi.v1alpha1";
    const idKey = isS3 ? "accessKeyID" : "DB_USER";
    const named = new Map([[this.#has("secret keys with spaces") ? "access key" : idKey, id]]);
    const rest: [string, string][] = isS3
      ? [
          ["accessSecretKey", secret],
          ["endpoint", this.store.endpoint],
          ["region", "eu-1"],
        ]
      : [
          ["DB_PASSWORD", secret],
          ["DB_HOST", this.store.endpoint],
        ];
    return new Map([[isS3 ? "s3" : "cred", { secrets: new Map([...named, ...rest]) }]]);
  }

  #revoke({ bucketId, accountId, revokeAccessContext }: DriverRevokeBucketAccessRequest): Uint8Array {
    this.#id(this.speech.idField, bucketId);
    this.#id("account_id", accountId);
    this.#checkMap("revoke_access_context", revokeAccessContext);
    const name = this.#has("over-limit ids") ? accountId.replace(/x+$/, "") : accountId;
    if (this.#has("NOT_FOUND on a revoke without its bucket") && !this.state.buckets.has(bucketId)) {
      throw new Refusal(status.NOT_FOUND, `${this.speech.object} ${bucketId} does not exist`);
    }
    const account = this.state.accounts.get(name);
    if (account !== undefined && !this.#has("revoke that does nothing")) {
      this.state.accounts.delete(name);
      this.store.keys.delete(account.key.id);
      this.onChange();
    }
    return DriverRevokeBucketAccessResponse.encode({}).finish();
  }

  /** A name as the backend has it, which takes shorter ones. */
  #kept(name: string): string {
    return this.#has("cuts names") ? cut(name) : name;
  }

  #has(fault: Fault): boolean {
    return this.faults.has(fault);
  }

  /** An id that the driver has issued may be longer than the contract allows; it is its own. */
  #id(field: string, id: string): void {
    if (id === "") throw new Refusal(status.INVALID_ARGUMENT, `${field} is missing`);
    if (Buffer.byteLength(id) > 128 && !this.#has("over-limit ids")) throw tooLarge(field);
  }

  #nameOf(id: string): string {
    if (this.#has("cuts names behind ids")) return cut(id);
    const whole = this.#has("over-limit ids") ? id.replace(/x+$/, "") : id;
    return this.#has("an id for each create") ? whole.replace(/-\d+$/, "") : whole;
  }

  #checkMap(field: string, map: ReadonlyMap<string, string>): void {
    const bytes = [...map].reduce((sum, entry) => sum + Buffer.byteLength(entry.join("")), 0);
    if (bytes > 4096) throw tooLarge(field);
    if (this.#has("unknown parameters are taken")) return;
    for (const key of map.keys()) {
      if (!knownKeys.has(key))
        throw new Refusal(status.INVALID_ARGUMENT, `${field}: the key ${key} is not known`);
    }
  }
}

function required(field: string, value: string): void {
  if (value === "") throw new Refusal(status.INVALID_ARGUMENT, `${field} is missing`);
  if (Buffer.byteLength(value) > 128) throw tooLarge(field);
}

function cut(name: string): string {
  return name.slice(0, 60);
}

function tooLarge(field: string): Refusal {
  return new Refusal(status.INVALID_ARGUMENT, `${field} is too large`);
}

function canonical(map: ReadonlyMap<string, string>): string {
  return JSON.stringify([...map].sort());
}

function derivedKey(of: string): Account["key"] {
  const hash = createHash("sha256").update(of).digest("hex");
  return { id: `AK${hash.slice(0, 16)}`, secret: hash.slice(16) };
}

function newKey(): Account["key"] {
  return { id: `AK${randomBytes(8).toString("hex")}`, secret: `secret/${randomBytes(16).toString("hex")}` };
}
