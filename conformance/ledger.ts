import type { AuthenticationType } from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";

/** Map fields as they are sent. */
export type Parameters = ReadonlyMap<string, string>;

/** Fields of a create. */
export interface BucketRequest {
  readonly name: string;
  readonly parameters: Parameters;
}

/** Fields of a grant. */
export interface AccessRequest {
  readonly bucketId: string;
  readonly name: string;
  readonly authenticationType: AuthenticationType;
  readonly parameters: Parameters;
}

/** A bucket that the driver said it made. */
export interface MadeBucket extends BucketRequest {
  readonly bucketId: string;
}

/** An account that the driver said it made. */
export interface MadeAccount extends AccessRequest {
  readonly accountId: string;
}

/** A bucket that a granted key made, or may have made, at the store: the driver knows nothing of it. */
export interface StoreBucket {
  readonly name: string;
  /** Name of the account whose key it was. */
  readonly accountName: string;
  /** Tries to remove it. @returns why it may still be there; `undefined` if it is gone. */
  readonly remove: () => Promise<string | undefined>;
}

/**
 * What the run has made and not yet removed. A call whose outcome nobody knows is kept as its request: repeated, it
 * tells the id that is to be removed.
 */
export class Ledger {
  readonly #buckets = new Map<string, MadeBucket>();
  readonly #accounts = new Map<string, MadeAccount>();
  readonly #doubtfulBuckets = new Map<string, BucketRequest>();
  readonly #doubtfulAccesses = new Map<string, AccessRequest>();
  readonly #storeBuckets = new Map<string, StoreBucket>();

  get buckets(): MadeBucket[] {
    return [...this.#buckets.values()];
  }

  get accounts(): MadeAccount[] {
    return [...this.#accounts.values()];
  }

  /** Creates whose outcome is unknown, or that were answered without an id. */
  get doubtfulBuckets(): BucketRequest[] {
    return [...this.#doubtfulBuckets.values()];
  }

  /** Grants whose outcome is unknown, or that were answered without an id. */
  get doubtfulAccesses(): AccessRequest[] {
    return [...this.#doubtfulAccesses.values()];
  }

  get storeBuckets(): StoreBucket[] {
    return [...this.#storeBuckets.values()];
  }

  bucketMade(request: BucketRequest, bucketId: string): void {
    if (bucketId === "") {
      this.bucketDoubtful(request);
      return;
    }
    this.#doubtfulBuckets.delete(request.name);
    this.#buckets.set(bucketId, { ...request, bucketId });
  }

  bucketDoubtful(request: BucketRequest): void {
    this.#doubtfulBuckets.set(request.name, request);
  }

  /** The driver has refused for sure what was in doubt. */
  bucketRefused(request: BucketRequest): void {
    this.#doubtfulBuckets.delete(request.name);
  }

  bucketRemoved(bucketId: string): void {
    this.#buckets.delete(bucketId);
  }

  accountMade(request: AccessRequest, accountId: string): void {
    if (accountId === "") {
      this.accessDoubtful(request);
      return;
    }
    this.#doubtfulAccesses.delete(pair(request.bucketId, request.name));
    this.#accounts.set(pair(request.bucketId, accountId), { ...request, accountId });
  }

  accessDoubtful(request: AccessRequest): void {
    this.#doubtfulAccesses.set(pair(request.bucketId, request.name), request);
  }

  /** The driver has refused for sure what was in doubt. */
  accessRefused(request: AccessRequest): void {
    this.#doubtfulAccesses.delete(pair(request.bucketId, request.name));
  }

  accountRemoved(bucketId: string, accountId: string): void {
    this.#accounts.delete(pair(bucketId, accountId));
  }

  storeBucketDoubtful(bucket: StoreBucket): void {
    this.#storeBuckets.set(bucket.name, bucket);
  }

  storeBucketRemoved(name: string): void {
    this.#storeBuckets.delete(name);
  }
}

function pair(left: string, right: string): string {
  return JSON.stringify([left, right]);
}
