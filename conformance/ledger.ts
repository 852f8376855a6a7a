import type {
  AuthenticationType,
  DriverGrantBucketAccessResponse,
} from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";

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

/** An account with the reply of the grant that made it. */
export interface Granted extends MadeAccount {
  readonly reply: DriverGrantBucketAccessResponse;
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
  /** Keys of what is in doubt no more: the driver has said that it is there. */
  readonly #existing = new Set<string>();
  readonly #refusedBuckets = new Map<string, BucketRequest>();
  readonly #refusedAccesses = new Map<string, AccessRequest>();
  /** The driver has refused to make something, and then said that it is there. */
  #makesWhatItRefuses = false;
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
    this.#refusedBuckets.delete(request.name);
    this.#existing.delete(request.name);
    this.#buckets.set(bucketId, { ...request, bucketId });
  }

  bucketDoubtful(request: BucketRequest): void {
    this.#doubtfulBuckets.set(request.name, request);
  }

  /** The driver has refused for sure what was in doubt. */
  bucketRefused(request: BucketRequest): void {
    if (this.#existing.has(request.name)) return;
    this.#doubtfulBuckets.delete(request.name);
    const isKnown = this.buckets.some(({ name }) => name === request.name);
    if (!isKnown) this.#refusedBuckets.set(request.name, request);
  }

  /** The driver says that it is there, under a name that nobody else has: no later refusal takes that back. */
  bucketExists(request: BucketRequest): void {
    this.#existing.add(request.name);
    this.#makesWhatItRefuses ||= this.#refusedBuckets.has(request.name);
    this.bucketDoubtful(request);
  }

  bucketRemoved(bucketId: string): void {
    this.#buckets.delete(bucketId);
  }

  accountMade(request: AccessRequest, accountId: string): void {
    if (accountId === "") {
      this.accessDoubtful(request);
      return;
    }
    for (const [key, { bucketId, name }] of this.#doubtfulAccesses) {
      // Asked for on another bucket at the same time, it is this account that exists.
      if (name !== request.name || (bucketId !== request.bucketId && !this.#existing.has(key))) continue;
      this.#existing.delete(key);
      this.#doubtfulAccesses.delete(key);
    }
    this.#refusedAccesses.delete(pair(request.bucketId, request.name));
    this.#accounts.set(pair(request.bucketId, accountId), { ...request, accountId });
  }

  accessDoubtful(request: AccessRequest): void {
    this.#doubtfulAccesses.set(pair(request.bucketId, request.name), request);
  }

  /** The driver has refused for sure what was in doubt. */
  accessRefused(request: AccessRequest): void {
    const key = pair(request.bucketId, request.name);
    if (this.#existing.has(key)) return;
    this.#doubtfulAccesses.delete(key);
    const isKnown = this.accounts.some(({ name }) => name === request.name);
    if (!isKnown) this.#refusedAccesses.set(key, request);
  }

  /** The driver says that it is there, under a name that nobody else has: no later refusal takes that back. */
  accessExists(request: AccessRequest): void {
    const key = pair(request.bucketId, request.name);
    this.#existing.add(key);
    this.#makesWhatItRefuses ||= this.#refusedAccesses.has(key);
    this.accessDoubtful(request);
  }

  /**
   * Puts in doubt what a driver has refused that has made what it refused once. Asked for again with fields that it takes,
   * it tells whether that is there.
   */
  doubtRefusals(bucket: Omit<BucketRequest, "name">, access: Omit<AccessRequest, "bucketId" | "name">): void {
    if (!this.#makesWhatItRefuses) return;
    for (const [name, request] of this.#refusedBuckets) {
      if (!this.#existing.has(name)) this.bucketDoubtful({ ...request, ...bucket });
    }
    for (const [key, request] of this.#refusedAccesses) {
      if (!this.#existing.has(key)) this.accessDoubtful({ ...request, ...access });
    }
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
