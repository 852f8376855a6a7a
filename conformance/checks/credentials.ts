import type { Check, Problem } from "../check";
import { verdict } from "../judge";
import { StoreAccount } from "../store-account";

const secretKey = /^[A-Za-z0-9._-]+$/;

export const credentialChecks: readonly Check[] = [
  {
    id: "GRPC-081",
    title: "Keys of secrets consist of alphanumerics, dash, underscore and dot",
    level: "MUST",
    section: "Secrets Requirements",
    needs: ["access"],
    last: true,
    run: ({ replies: { grants } }) => {
      const keys = new Set(
        grants.flatMap(({ credentials }) =>
          [...credentials.values()].flatMap(({ secrets }) => [...secrets.keys()]),
        ),
      );
      const problems = [...keys]
        .filter((key) => !secretKey.test(key))
        .map((key): Problem => ({
          sent: "DriverGrantBucketAccess",
          answered: `secrets with the key ${JSON.stringify(key)}`,
          wanted: "keys of [A-Za-z0-9._-]",
        }));
      return Promise.resolve(verdict(problems));
    },
  },
  {
    id: "GRPC-095",
    title: "A credential reaches the granted bucket only",
    level: "SHOULD",
    section: "Security",
    needs: ["access", "store"],
    run: async (context) => {
      const bucket = await context.bucket();
      const elsewhere = await context.bucket();
      const granted = await context.account(bucket.bucketId);
      const neighbour = await context.account(elsewhere.bucketId);
      const account = new StoreAccount(granted, bucket.name, context.patience);
      const other = new StoreAccount(neighbour, elsewhere.name, context.patience);
      await account.becomes("allowed");
      await other.becomes("allowed");
      const key = context.names.next();
      const made = context.names.next();
      const foreign = `with the key of account ${granted.accountId}, which is for bucket ${account.bucket}`;
      const attempts: readonly [string, () => Promise<string>][] = [
        [`ListObjectsV2 on bucket ${other.bucket}`, () => account.list(other.bucket)],
        [`GetObject ${key} in bucket ${other.bucket}`, () => account.get(key, other.bucket)],
        [`PutObject ${key} in bucket ${other.bucket}`, () => account.put(key, other.bucket)],
        [`CreateBucket ${made}`, () => account.makeBucket(made)],
      ];
      const problems: Problem[] = [];
      if ((await account.put(key)) === "allowed" && (await account.get(key)) === "refused") {
        problems.push({
          sent: `GetObject ${key} with the key of account ${granted.accountId}`,
          answered: "refused by the store",
          wanted: "allowed: the object was put with this key",
        });
      }
      await other.put(key);
      try {
        for (const [sent, attempt] of attempts) {
          if ((await attempt()) === "refused") continue;
          problems.push({ sent: `${sent} ${foreign}`, answered: "allowed by the store", wanted: "refused" });
        }
      } finally {
        await account.remove(key);
        await other.remove(key);
      }
      return verdict(problems);
    },
  },
];
