import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { canonical } from "../../../provider/dynamic/values";
import { answers, driverName, paths } from "../cosi-v1alpha1";
import { CallScript, type Moment, type When } from "../call-script";
import { FakeDriver, type Answer } from "../fake-driver";

/** Requests of the Provisioner. */
interface Requests {
  create: DriverCreateBucketRequest;
  delete: DriverDeleteBucketRequest;
  grant: DriverGrantBucketAccessRequest;
  revoke: DriverRevokeBucketAccessRequest;
}

export type Rpc = keyof Requests;

/** A call of the Provisioner, decoded. */
export type DriverCall = { [Name in Rpc]: { readonly rpc: Name; readonly request: Requests[Name] } }[Rpc];

interface StoredBucket {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface StoredAccount {
  readonly name: string;
  readonly bucketId: string;
  /** Access keys that work. */
  readonly keys: string[];
}

/**
 * A driver over real gRPC that keeps buckets and accounts in memory, idempotent by name as the contract demands. It
 * records what it is sent, answers as it is told, and lets a test act while a call is under way.
 */
export class StoringDriver {
  readonly fake = new FakeDriver();
  /** By id. */
  readonly buckets = new Map<string, StoredBucket>();
  /** By id. */
  readonly accounts = new Map<string, StoredAccount>();
  readonly #script = new CallScript<DriverCall>();
  #keys = 0;

  /** The name that it reports. */
  name: string;
  /** Each grant mints one key more, as many drivers do; an idempotent driver gives the same one again. */
  mintsKeyPerGrant = false;
  /** Ids that it gives; names by default. */
  bucketIdOf: (name: string) => string = (name) => name;
  accountIdOf: (name: string) => string = (name) => name;

  constructor(name: string = driverName) {
    this.name = name;
    this.fake
      .on(paths.getInfo, () => answers.info(this.name))
      .on(paths.create, (body) =>
        this.#handle({ rpc: "create", request: DriverCreateBucketRequest.decode(body) }),
      )
      .on(paths.delete, (body) =>
        this.#handle({ rpc: "delete", request: DriverDeleteBucketRequest.decode(body) }),
      )
      .on(paths.grant, (body) =>
        this.#handle({ rpc: "grant", request: DriverGrantBucketAccessRequest.decode(body) }),
      )
      .on(paths.revoke, (body) =>
        this.#handle({ rpc: "revoke", request: DriverRevokeBucketAccessRequest.decode(body) }),
      );
  }

  async start(): Promise<this> {
    await this.fake.start();
    return this;
  }

  /** Has something done in every call. @returns what takes it back. */
  on(when: When, moment: Moment<DriverCall>): () => void {
    return this.#script.on(when, moment);
  }

  /** Answers the next calls of an RPC so, one each, and does nothing for them. */
  refuse(rpc: Rpc, ...given: readonly Answer[]): void {
    this.#script.refuse(rpc, ...given);
  }

  /** Calls of the Provisioner so far, in their order. */
  calls(): DriverCall[] {
    return this.fake.calls.flatMap(({ path, body }): DriverCall[] => {
      switch (path) {
        case paths.create:
          return [{ rpc: "create", request: DriverCreateBucketRequest.decode(body) }];
        case paths.delete:
          return [{ rpc: "delete", request: DriverDeleteBucketRequest.decode(body) }];
        case paths.grant:
          return [{ rpc: "grant", request: DriverGrantBucketAccessRequest.decode(body) }];
        case paths.revoke:
          return [{ rpc: "revoke", request: DriverRevokeBucketAccessRequest.decode(body) }];
        default:
          return [];
      }
    });
  }

  /** Names of the RPCs so far, in their order. */
  rpcs(): Rpc[] {
    return this.calls().map(({ rpc }) => rpc);
  }

  /** Requests of each RPC so far, in their order. */
  requests(): { readonly [Name in Rpc]: readonly Requests[Name][] } {
    const found: { [Name in Rpc]: Requests[Name][] } = { create: [], delete: [], grant: [], revoke: [] };
    for (const call of this.calls()) {
      if (call.rpc === "create") found.create.push(call.request);
      else if (call.rpc === "delete") found.delete.push(call.request);
      else if (call.rpc === "grant") found.grant.push(call.request);
      else found.revoke.push(call.request);
    }
    return found;
  }

  /** Access keys that work, of all accounts. */
  liveKeys(): string[] {
    return [...this.accounts.values()].flatMap(({ keys }) => keys);
  }

  /** Another driver takes its place behind the socket. */
  async becomes(name: string): Promise<void> {
    this.fake.kill();
    this.name = name;
    await this.fake.start();
  }

  /** Forgets what was called so far, not what it stores. */
  forget(): void {
    this.fake.calls.length = 0;
  }

  #handle(call: DriverCall): Promise<Answer> {
    return this.#script.answer(call, () => this.#work(call));
  }

  #work(call: DriverCall): Answer {
    switch (call.rpc) {
      case "create":
        return this.#create(call.request);
      case "delete":
        this.buckets.delete(call.request.bucketId);
        return answers.deleted();
      case "grant":
        return this.#grant(call.request);
      case "revoke":
        this.accounts.delete(call.request.accountId);
        return answers.revoked();
    }
  }

  #create({ name, parameters }: DriverCreateBucketRequest): Answer {
    const id = this.bucketIdOf(name);
    const known = this.buckets.get(id);
    if (known !== undefined && canonical([...known.parameters]) !== canonical([...parameters])) {
      return { code: status.ALREADY_EXISTS, message: `${name} has other parameters` };
    }
    this.buckets.set(id, { name, parameters });
    return answers.created(id);
  }

  #grant({ bucketId, name }: DriverGrantBucketAccessRequest): Answer {
    const id = this.accountIdOf(name);
    const keys = [...(this.accounts.get(id)?.keys ?? [])];
    if (keys.length === 0 || this.mintsKeyPerGrant) {
      this.#keys += 1;
      keys.push(`AKEXAMPLE${this.#keys}`);
    }
    const key = keys.at(-1) ?? "";
    this.accounts.set(id, { name, bucketId, keys });
    return answers.granted(id, {
      accessKeyID: key,
      accessSecretKey: `s3cr3t/of+${key}`,
      endpoint: "http://127.0.0.1:9",
      region: "eu-1",
    });
  }
}
