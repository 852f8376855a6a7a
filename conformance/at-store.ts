import type { Problem } from "./check";
import type { Context, Granted } from "./context";
import type { MadeBucket } from "./ledger";
import { StoreAccount, type StoreAnswer } from "./store-account";

/** What the store should say to an account. */
export interface Expectation {
  readonly granted: Granted;
  readonly answer: StoreAnswer;
  readonly why: string;
}

/** The first account to which the store says something else than it should, if the run looks at the store. */
export async function atStore(
  context: Context,
  bucket: MadeBucket,
  expectations: readonly Expectation[],
): Promise<Problem[]> {
  if (!context.looksAtStore) return [];
  for (const { granted, answer, why } of expectations) {
    const account = new StoreAccount(granted, bucket.name, context.patience);
    if (await account.becomes(answer)) continue;
    return [
      {
        sent: `ListObjectsV2 on bucket ${account.bucket} with the key of account ${granted.accountId}`,
        answered: answer === "allowed" ? "refused by the store" : "allowed by the store",
        wanted: `${answer}: ${why}`,
      },
    ];
  }
  return [];
}
