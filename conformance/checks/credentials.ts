import type { Check, Problem, Verdict } from "../check";
import type { Context } from "../context";
import { verdict } from "../judge";
import { NotJudgedError } from "../not-judged-error";
import { StoreAccount } from "../store-account";
import { isAlive } from "../store-trial";
import { becomes, type BackendAnswer } from "../trial";

const secretKey = /^[A-Za-z0-9._-]+$/;

/** Makes a bucket at the store. The ledger has it from before the call on, so that it is removed or listed. */
async function makeBucket({ ledger }: Context, account: StoreAccount, name: string): Promise<BackendAnswer> {
  ledger.storeBucketDoubtful({
    name,
    accountName: account.name,
    remove: () => account.removeBucket(name),
  });
  const answer = await account.makeBucket(name);
  if (answer === "refused") ledger.storeBucketRemoved(name);
  return answer;
}

/** Tries what a key must not do. An attempt that the store did not answer hides no other one. */
async function wantRefused(
  attempts: readonly (readonly [string, () => Promise<BackendAnswer>])[],
): Promise<{ readonly problems: Problem[]; readonly unseen: string | undefined }> {
  const problems: Problem[] = [];
  let unseen: string | undefined;
  for (const [sent, attempt] of attempts) {
    try {
      if ((await attempt()) === "refused") continue;
      problems.push({ sent, answered: "allowed by the store", wanted: "refused" });
    } catch (error) {
      if (!(error instanceof NotJudgedError)) throw error;
      unseen ??= `${sent}: ${error.message}`;
    }
  }
  return { problems, unseen };
}

export const credentialChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-081", deployment: "DEP-066" },
    needs: ["access"],
    last: true,
    recordsOnly: true,
    run: ({ replies: { grants }, contract, mask }) => {
      const keys = new Set(
        grants.flatMap(({ credentials }) =>
          [...credentials.values()].flatMap(({ secrets }) => [...secrets.keys()]),
        ),
      );
      const problems = [...keys]
        .filter((key) => !secretKey.test(key))
        .map((key): Problem => ({
          sent: contract.rpcs.grant.name,
          answered: `secrets with the key ${mask.applyToDriverText(JSON.stringify(key))}`,
          wanted: "keys of [A-Za-z0-9._-]",
        }));
      return Promise.resolve(verdict(problems));
    },
  },
  {
    ids: { cosi: "GRPC-095" },
    needs: ["access", "store"],
    run: async (context): Promise<Verdict> => {
      const bucket = await context.bucket();
      const elsewhere = await context.bucket();
      const granted = await context.account(bucket.bucketId);
      const neighbour = await context.account(elsewhere.bucketId);
      const account = new StoreAccount(granted, bucket.name, context);
      const other = new StoreAccount(neighbour, elsewhere.name, context);
      await isAlive(context, account);
      await isAlive(context, other);
      const key = context.names.next();
      const made = context.names.next();
      const foreign = `with the key of account ${granted.accountId}, which is for bucket ${account.bucket}`;
      const attempts: readonly [string, () => Promise<BackendAnswer>][] = [
        [`ListObjectsV2 on bucket ${other.bucket} ${foreign}`, () => account.list(other.bucket)],
        [`GetObject ${key} in bucket ${other.bucket} ${foreign}`, () => account.get(key, other.bucket)],
        [`PutObject ${key} in bucket ${other.bucket} ${foreign}`, () => account.put(key, other.bucket)],
        [`CreateBucket ${made} ${foreign}`, () => makeBucket(context, account, made)],
      ];
      const own: Problem[] = [];
      try {
        const read = { attempt: () => account.get(key) };
        const isPut = (await account.put(key)) === "allowed";
        const mayRead = context.backend.storeUse !== "put";
        if (isPut && mayRead && !(await becomes(read, "allowed", context.patience))) {
          own.push({
            sent: `GetObject ${key} with the key of account ${granted.accountId}`,
            answered: "refused by the store",
            wanted: "allowed: the object was put with this key",
          });
        }
        await other.put(key);
        const { problems, unseen } = await wantRefused(attempts);
        const found = [...own, ...problems];
        if (found.length === 0 && unseen !== undefined) return { is: "not-judged", reason: unseen };
        return verdict(found);
      } finally {
        await account.discard(key);
        await other.discard(key);
        // What the other key cannot remove, or a version of its own, if it was let in.
        await account.discard(key, other.bucket);
      }
    },
  },
];
