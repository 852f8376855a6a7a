import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { answers, driverName, paths, s3Secrets } from "./cosi-v1alpha1";
import { FakeDriver, type Answer } from "./fake-driver";

/** A call whose answer a test takes into its hands. */
export type Rpc = "create" | "delete" | "grant" | "revoke";

/** What becomes of the answers of one RPC, one after the other; `undefined` lets one pass. */
export type Script = readonly (Answer | undefined)[];

/** Answer of a call that had its effect, and whose reply is lost. */
export const lost: Answer = { code: status.UNAVAILABLE, message: "reply lost" };

/**
 * A driver with a memory and the strictest rules: a name that is known with equal attributes is OK, with others it is
 * ALREADY_EXISTS, and what is gone is NOT_FOUND. Each grant that is OK makes a key of its own.
 */
export class StrictDriver {
  /** Attributes of the buckets that exist, by name, which is also their id. */
  readonly buckets = new Map<string, string>();
  /** Attributes of the accounts that exist, by name, which is also their id. */
  readonly accounts = new Map<string, string>();
  readonly fake: FakeDriver;
  /** True: a name that is known is ALREADY_EXISTS, whatever its attributes. */
  refusesKnownNames = false;
  /** What happens between a call's effect and its answer. */
  meanwhile: (rpc: Rpc) => Promise<void> = () => Promise.resolve();
  readonly #scripts = new Map<Rpc, (Answer | undefined)[]>();
  #grants = 0;

  /** @param fake What it answers through. @default under the names of cosi.v1alpha1 */
  constructor(name: string = driverName, fake = new FakeDriver()) {
    this.fake = fake
      .on(paths.getInfo, () => answers.info(name))
      .on(paths.create, (body) => this.#scripted("create", () => this.#create(body)))
      .on(paths.delete, (body) => this.#scripted("delete", () => this.#delete(body)))
      .on(paths.grant, (body) => this.#scripted("grant", () => this.#grant(body)))
      .on(paths.revoke, (body) => this.#scripted("revoke", () => this.#revoke(body)));
  }

  /** Gives the next answers of an RPC instead of its own; the calls have their effect all the same. */
  answer(rpc: Rpc, ...script: Script): void {
    this.#scripts.set(rpc, [...script]);
  }

  async start(): Promise<this> {
    await this.fake.start();
    return this;
  }

  /** Names of the Provisioner's RPCs that were called so far, in their order. */
  rpcs(): string[] {
    return this.fake
      .paths()
      .filter((rpc) => rpc !== "DriverGetInfo")
      .map((rpc) => rpc.replace(/^Driver|Bucket(Access)?$/g, ""));
  }

  async #scripted(rpc: Rpc, act: () => Answer): Promise<Answer> {
    const own = act();
    await this.meanwhile(rpc);
    return this.#scripts.get(rpc)?.shift() ?? own;
  }

  #create(body: Buffer): Answer {
    const { name, parameters } = DriverCreateBucketRequest.decode(body);
    const taken = this.#take(this.buckets, name, JSON.stringify([...parameters].sort()));
    return taken ?? answers.created(name);
  }

  #delete(body: Buffer): Answer {
    const { bucketId } = DriverDeleteBucketRequest.decode(body);
    return this.buckets.delete(bucketId) ? answers.deleted() : gone(bucketId);
  }

  #grant(body: Buffer): Answer {
    const { name, bucketId, authenticationType, parameters } = DriverGrantBucketAccessRequest.decode(body);
    const attributes = JSON.stringify([bucketId, authenticationType, [...parameters].sort()]);
    const taken = this.#take(this.accounts, name, attributes);
    if (taken !== undefined) return taken;
    this.#grants += 1;
    return answers.granted(name, { ...s3Secrets(), accessKeyID: `AK-${this.#grants}` });
  }

  #revoke(body: Buffer): Answer {
    const { accountId } = DriverRevokeBucketAccessRequest.decode(body);
    return this.accounts.delete(accountId) ? answers.revoked() : gone(accountId);
  }

  #take(known: Map<string, string>, name: string, attributes: string): Answer | undefined {
    const before = known.get(name);
    if (before !== undefined && (this.refusesKnownNames || before !== attributes)) {
      return { code: status.ALREADY_EXISTS, message: `${name} is taken` };
    }
    known.set(name, attributes);
    return undefined;
  }
}

function gone(id: string): Answer {
  return { code: status.NOT_FOUND, message: `there is no ${id}` };
}
