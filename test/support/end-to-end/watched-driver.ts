import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { answers, driverName, obligingDriver, paths } from "../cosi-v1alpha1";
import type { Answer, FakeDriver } from "../fake-driver";

/** A call of the Provisioner, with the names in it. */
export interface ProvisionerCall {
  readonly rpc: "create" | "grant" | "revoke" | "delete";
  /** Name of the bucket, which is also its id. */
  readonly bucket: string;
  /** Name of the account, which is also its id; of grant and revoke. */
  readonly account?: string;
}

/** What happens while a call is under way: nothing, or another answer than OK. */
export type Meanwhile = (call: ProvisionerCall) => Promise<Answer | undefined>;

/** A driver that says OK to everything, tells in which order it did, and lets a test look around meanwhile. */
export class WatchedDriver {
  /** `received` and `answered` of each call, in their order, as `answered revoke photos photos-rw`. */
  readonly events: string[] = [];
  readonly fake: FakeDriver;
  meanwhile: Meanwhile = () => Promise.resolve(undefined);

  constructor(name: string = driverName) {
    this.fake = obligingDriver(name)
      .on(paths.create, (body) => {
        const { name: bucket } = DriverCreateBucketRequest.decode(body);
        return this.#answer({ rpc: "create", bucket }, answers.created(bucket));
      })
      .on(paths.grant, (body) => {
        const { bucketId: bucket, name: account } = DriverGrantBucketAccessRequest.decode(body);
        return this.#answer({ rpc: "grant", bucket, account }, answers.granted(account));
      })
      .on(paths.revoke, (body) => {
        const { bucketId: bucket, accountId: account } = DriverRevokeBucketAccessRequest.decode(body);
        return this.#answer({ rpc: "revoke", bucket, account }, answers.revoked());
      })
      .on(paths.delete, (body) => {
        const { bucketId: bucket } = DriverDeleteBucketRequest.decode(body);
        return this.#answer({ rpc: "delete", bucket }, answers.deleted());
      });
  }

  async start(): Promise<this> {
    await this.fake.start();
    return this;
  }

  /** How often each RPC was called so far. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const rpc of this.fake.paths()) counts[rpc] = (counts[rpc] ?? 0) + 1;
    return counts;
  }

  /** Forgets what was called so far. */
  forget(): void {
    this.fake.calls.length = 0;
    this.events.length = 0;
  }

  async #answer(call: ProvisionerCall, ok: Answer): Promise<Answer> {
    const text = [call.rpc, call.bucket, ...(call.account === undefined ? [] : [call.account])].join(" ");
    this.events.push(`received ${text}`);
    const other = await this.meanwhile(call);
    this.events.push(`${other === undefined ? "answered" : "refused"} ${text}`);
    return other ?? ok;
  }
}
