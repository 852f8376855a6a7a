import { storeUses, type StoreUse } from "./backend-knowledge";
import type { Context } from "./context";
import { NotJudgedError } from "./not-judged-error";
import type { StoreAccount } from "./store-account";
import { becomes, comesTrue, type BackendAnswer, type Trial } from "./trial";

const requests = { get: "GetObject in", put: "PutObject in" };

/** After so long a store that lets a key put lets it list too, if the key may, in milliseconds. */
const settling = 3_000;

/** Granted S3 credentials at work, with what keys of this driver may do. */
export class StoreTrial implements Trial {
  readonly by: string;

  constructor(
    private readonly account: StoreAccount,
    private readonly use: StoreUse,
  ) {
    this.by = account.by;
  }

  get what(): string {
    const { bucket, name, what } = this.account;
    return this.use === "list"
      ? what
      : `${requests[this.use]} bucket ${bucket} with the key of account ${name}`;
  }

  attempt(): Promise<BackendAnswer> {
    const { name } = this.account;
    switch (this.use) {
      case "list":
        return this.account.list();
      case "get":
        return this.account.get(name);
      case "put":
        return this.#put(name);
    }
  }

  async #put(key: string): Promise<BackendAnswer> {
    const answer = await this.account.put(key);
    if (answer === "refused" || (await this.account.discard(key))) return answer;
    throw new NotJudgedError(
      `object ${key} in bucket ${this.account.bucket}, put to try the key of account ${this.account.name}, could not be removed with it`,
    );
  }
}

/** Waits until the store knows an account's key. @throws NotJudgedError */
export function isAlive({ backend, patience }: Context, account: StoreAccount): Promise<boolean> {
  return becomes(new StoreTrial(account, backend.storeUse ?? "list"), "allowed", patience);
}

/**
 * Finds out what a live key may do, the least harmful first.
 *
 * @throws NotJudgedError if it may do nothing that would tell a live key from a dead one.
 */
export async function useOf(account: StoreAccount, patience: number): Promise<StoreUse> {
  let found: StoreUse | undefined;
  const look = async (): Promise<void> => {
    for (const use of storeUses) {
      if ((await new StoreTrial(account, use).attempt()) !== "allowed") continue;
      found = use;
      return;
    }
  };
  await comesTrue(async () => {
    await look();
    return found !== undefined;
  }, patience);
  // A store may know a key for one use sooner than for another.
  await comesTrue(
    async () => {
      if (found !== undefined && found !== "list") await look();
      return found === undefined || found === "list";
    },
    Math.min(patience, settling),
  );
  if (found !== undefined) return found;
  throw new NotJudgedError(
    `the key of account ${account.name} may neither list bucket ${account.bucket} nor read or put objects in it, ${patience / 1000} s after its grant`,
  );
}
