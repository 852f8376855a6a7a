import { status } from "@grpc/grpc-js";
import type { Context } from "./context";
import type { AccessRequest, BucketRequest, MadeAccount, MadeBucket, StoreBucket } from "./ledger";
import { isFinalRefusal, tried, triedRemoval } from "./removal-attempts";

/** Something that the run has made, or may have made, and could not remove. */
export interface Leftover {
  /** What the contract calls what its drivers make, or `account`. */
  readonly kind: string;
  /** The driver's id; `null` if it never told one. */
  readonly id: string | null;
  /** The name that was sent to the driver, or to the store. */
  readonly name: string;
  /** What an account is of: the bucket, or in the Deployment Interface the deployment. */
  readonly bucketId?: string;
  readonly deploymentId?: string;
  readonly reason: string;
}

/** How to tidy. */
export interface TidyOptions {
  /** How often a call is tried that ends in a passing fault. */
  readonly attempts: number;
  /**
   * Ids that are not tried, because they failed before.
   *
   * @default none
   */
  readonly skip?: ReadonlySet<string>;
  /**
   * No other tidying follows. Before, a bucket stays as long as an account of it does, since not every driver revokes
   * on a bucket that is gone; now what can be removed is.
   *
   * @default false
   */
  readonly last?: boolean;
}

/**
 * Removes what a run has made: what granted keys made at the store, accounts, then buckets. What fails stays in the
 * ledger.
 *
 * @returns what could not be removed.
 */
export function tidy(context: Context, options: TidyOptions): Promise<Leftover[]> {
  return new Tidying(context, options).run();
}

/** All that the run has made, or may have made, and not removed yet, with why it is still there. */
export function leftIn(context: Context, reason: string): Leftover[] {
  const { ledger, contract } = context;
  return [
    ...ledger.storeBuckets.map(({ name }) => ({ kind: "bucket", id: null, name, reason })),
    ...ledger.accounts.map((account) => accountLeft(context, account, account.accountId, reason)),
    ...ledger.doubtfulAccesses.map((request) => accountLeft(context, request, null, reason)),
    ...ledger.buckets.map(({ bucketId, name }) => ({ kind: contract.object, id: bucketId, name, reason })),
    ...ledger.doubtfulBuckets.map(({ name }) => ({ kind: contract.object, id: null, name, reason })),
  ];
}

function accountLeft(
  { contract }: Context,
  { name, bucketId }: AccessRequest,
  id: string | null,
  reason: string,
): Leftover {
  const of = bucketId === "" ? {} : { [contract.objectIdProperty]: bucketId };
  return { kind: "account", id, name, ...of, reason };
}

class Tidying {
  readonly #left: Leftover[] = [];
  /** What was tried already. */
  readonly #done = new Set<object>();
  readonly #skip: ReadonlySet<string>;
  readonly #attempts: number;
  readonly #last: boolean;

  constructor(
    private readonly context: Context,
    { attempts, skip = new Set(), last = false }: TidyOptions,
  ) {
    this.#attempts = attempts;
    this.#skip = skip;
    this.#last = last;
  }

  /** What is known goes before what is in doubt: a driver may die for good of a call that it has died of before. */
  async run(): Promise<Leftover[]> {
    const { ledger, options } = this.context;
    if (this.#last) {
      const { parameters, accessParameters, authenticationType } = options;
      ledger.doubtRefusals({ parameters }, { parameters: accessParameters, authenticationType });
    }
    for (const bucket of ledger.storeBuckets) await this.#removeStoreBucket(bucket);
    for (const account of ledger.accounts) await this.#revoke(account);
    for (const bucket of ledger.buckets) if (!this.#isInUse(bucket)) await this.#delete(bucket);
    for (const request of ledger.doubtfulAccesses) await this.#repeatGrant(request);
    for (const account of ledger.accounts) await this.#revoke(account);
    for (const request of ledger.doubtfulBuckets) await this.#repeatCreate(request);
    for (const bucket of ledger.buckets) {
      if (this.#last || !this.#isInUse(bucket)) await this.#delete(bucket);
    }
    return this.#left;
  }

  async #removeStoreBucket({ name, remove }: StoreBucket): Promise<void> {
    const { ledger, mask } = this.context;
    if (this.#skip.has(name)) return;
    const failure = await remove();
    if (failure === undefined) ledger.storeBucketRemoved(name);
    else {
      const reason = `a CreateBucket at the store made it, or may have: ${mask.apply(failure)}`;
      this.#left.push({ kind: "bucket", id: null, name, reason });
    }
  }

  async #revoke(account: MadeAccount): Promise<void> {
    const { bucketId, accountId, name, parameters } = account;
    // Its key is the only one that may remove the bucket.
    const isNeeded = this.context.ledger.storeBuckets.some(({ accountName }) => accountName === name);
    if ((isNeeded && !this.#last) || !this.#isNext(account, accountId)) return;
    const { exchange, text } = await triedRemoval(this.context, this.#attempts, (withContext) =>
      this.context.revoke({
        bucketId,
        accountId,
        revokeAccessContext: new Map(withContext ? parameters : []),
      }),
    );
    if (exchange?.code !== status.OK) {
      this.#left.push(accountLeft(this.context, account, accountId, text));
    }
  }

  async #delete(bucket: MadeBucket): Promise<void> {
    const { ledger, contract } = this.context;
    const { bucketId, name, parameters } = bucket;
    if (!this.#isNext(bucket, bucketId)) return;
    const { exchange, text } = await triedRemoval(this.context, this.#attempts, (withContext) =>
      this.context.delete(
        { bucketId, deleteContext: new Map(withContext ? parameters : []) },
        { despiteDoubt: this.#last },
      ),
    );
    if (exchange?.code === status.OK) return;
    if (exchange?.code === status.NOT_FOUND) ledger.bucketRemoved(bucketId);
    else this.#left.push({ kind: contract.object, id: bucketId, name, reason: text });
  }

  /** Repeated, a grant tells the account that it has made. */
  async #repeatGrant(request: AccessRequest): Promise<void> {
    const { ledger } = this.context;
    if (!this.#isNext(request, request.name)) return;
    const again = await tried(this.context, this.#attempts, () =>
      this.context.grant({ ...request, parameters: new Map(request.parameters) }),
    );
    const isOpen = ledger.doubtfulAccesses.some(
      ({ name, bucketId }) => name === request.name && bucketId === request.bucketId,
    );
    if (again.exchange?.reply?.accountId || (isFinalRefusal(again) && !isOpen)) return;
    const reason = `a grant may have made it: ${again.text}`;
    this.#left.push(accountLeft(this.context, request, null, reason));
  }

  /** Repeated, a create tells the bucket that it has made. */
  async #repeatCreate(request: BucketRequest): Promise<void> {
    const { ledger, contract } = this.context;
    if (!this.#isNext(request, request.name)) return;
    const again = await tried(this.context, this.#attempts, () =>
      this.context.create({ ...request, parameters: new Map(request.parameters) }),
    );
    const isOpen = ledger.doubtfulBuckets.some(({ name }) => name === request.name);
    if (again.exchange?.reply?.bucketId || (isFinalRefusal(again) && !isOpen)) return;
    const reason = `a create may have made it: ${again.text}`;
    this.#left.push({ kind: contract.object, id: null, name: request.name, reason });
  }

  /** True once for each entry of the ledger. */
  #isNext(entry: object, id: string): boolean {
    if (this.#done.has(entry) || this.#skip.has(id)) return false;
    this.#done.add(entry);
    return true;
  }

  #isInUse({ bucketId }: MadeBucket): boolean {
    const { accounts, doubtfulAccesses } = this.context.ledger;
    return [...accounts, ...doubtfulAccesses].some((access) => access.bucketId === bucketId);
  }
}
