import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { canonical } from "../../../provider/dynamic/values";
import { answers, driverName, paths } from "../cosi-v1alpha1";
import type { Answer, FakeDriver } from "../fake-driver";
import { StoringFake, type CallOf } from "./storing-fake";

/** Requests of the Provisioner. */
interface Requests {
  readonly create: DriverCreateBucketRequest;
  readonly delete: DriverDeleteBucketRequest;
  readonly grant: DriverGrantBucketAccessRequest;
  readonly revoke: DriverRevokeBucketAccessRequest;
}

export type { Rpc } from "./storing-fake";

/** A call of the Provisioner, decoded. */
export type DriverCall = CallOf<Requests>;

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

/** A driver that keeps buckets and accounts, idempotent by name as the contract demands. */
export class StoringDriver extends StoringFake<Requests> {
  /** By id. */
  readonly buckets = new Map<string, StoredBucket>();
  /** By id. */
  readonly accounts = new Map<string, StoredAccount>();
  #keys = 0;

  /** The name that it reports. */
  name: string;
  /** Each grant mints one key more, as many drivers do; an idempotent driver gives the same one again. */
  mintsKeyPerGrant = false;
  /** Ids that it gives; names by default. */
  bucketIdOf: (name: string) => string = (name) => name;
  accountIdOf: (name: string) => string = (name) => name;

  /** @param fake What it answers through. @default under the names of cosi.v1alpha1 */
  constructor(name: string = driverName, fake?: FakeDriver) {
    super(
      {
        create: { path: paths.create, decode: (body) => DriverCreateBucketRequest.decode(body) },
        delete: { path: paths.delete, decode: (body) => DriverDeleteBucketRequest.decode(body) },
        grant: { path: paths.grant, decode: (body) => DriverGrantBucketAccessRequest.decode(body) },
        revoke: { path: paths.revoke, decode: (body) => DriverRevokeBucketAccessRequest.decode(body) },
      },
      fake,
    );
    this.name = name;
    this.fake.on(paths.getInfo, () => answers.info(this.name));
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

  protected override work(call: DriverCall): Answer {
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
