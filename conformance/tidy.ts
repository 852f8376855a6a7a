import { status } from "@grpc/grpc-js";
import { pauseBeforeRetry, sleep } from "../provider/driver/call/retry";
import { recoveryOf } from "../provider/driver/call/codes";
import { NotJudgedError } from "./not-judged-error";
import type { Context } from "./context";
import type { Exchange } from "./exchange";

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

const firstPause = 200;

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
export async function tidy(
  context: Context,
  { attempts, skip = new Set(), last = false }: TidyOptions,
): Promise<Leftover[]> {
  const { ledger } = context;
  const { object, objectIdProperty } = context.contract;
  const left: Leftover[] = [];
  for (const { name, remove } of ledger.storeBuckets) {
    if (skip.has(name)) continue;
    const failure = await remove();
    if (failure === undefined) ledger.storeBucketRemoved(name);
    else {
      const reason = `a CreateBucket at the store made it, or may have: ${context.mask.apply(failure)}`;
      left.push({ kind: "bucket", id: null, name, reason });
    }
  }
  for (const request of ledger.doubtfulAccesses) {
    if (skip.has(request.name)) continue;
    const again = await tried(attempts, () =>
      context.grant({ ...request, parameters: new Map(request.parameters) }),
    );
    const accountId = again.exchange?.reply?.accountId ?? "";
    const known = ledger.accounts.some((account) => account.name === request.name);
    if (accountId !== "" || isRefusal(again, known)) continue;
    const { name, bucketId } = request;
    left.push({
      kind: "account",
      id: null,
      name,
      [objectIdProperty]: bucketId,
      reason: `a grant may have made it: ${again.text}`,
    });
  }
  for (const { bucketId, accountId, name, parameters } of ledger.accounts) {
    if (skip.has(accountId)) continue;
    // Its key is the only one that may remove the bucket.
    if (!last && ledger.storeBuckets.some(({ accountName }) => accountName === name)) continue;
    const { exchange, text } = await removed(attempts, (withContext) =>
      context.revoke({
        bucketId,
        accountId,
        revokeAccessContext: new Map(withContext ? parameters : []),
      }),
    );
    if (exchange?.code === status.OK) continue;
    left.push({ kind: "account", id: accountId, name, [objectIdProperty]: bucketId, reason: text });
  }
  for (const request of ledger.doubtfulBuckets) {
    if (skip.has(request.name)) continue;
    const again = await tried(attempts, () =>
      context.create({ ...request, parameters: new Map(request.parameters) }),
    );
    const bucketId = again.exchange?.reply?.bucketId ?? "";
    const known = ledger.buckets.some((bucket) => bucket.name === request.name);
    if (bucketId !== "" || isRefusal(again, known)) continue;
    left.push({
      kind: object,
      id: null,
      name: request.name,
      reason: `a create may have made it: ${again.text}`,
    });
  }
  for (const { bucketId, name, parameters } of ledger.buckets) {
    if (skip.has(bucketId)) continue;
    if (!last && ledger.accounts.some((account) => account.bucketId === bucketId)) continue;
    const { exchange, text } = await removed(attempts, (withContext) =>
      context.delete({ bucketId, deleteContext: new Map(withContext ? parameters : []) }),
    );
    if (exchange?.code === status.OK) continue;
    if (exchange?.code === status.NOT_FOUND) ledger.bucketRemoved(bucketId);
    else left.push({ kind: object, id: bucketId, name, reason: text });
  }
  return left;
}

interface Attempt<Reply> {
  readonly exchange: Exchange<Reply> | undefined;
  readonly text: string;
}

/** True if the driver has said that nothing was made; ALREADY_EXISTS says so only where the other object is `known`. */
function isRefusal({ exchange }: Attempt<unknown>, known: boolean): boolean {
  if (exchange?.code === undefined || exchange.code === status.OK) return false;
  return exchange.code === status.ALREADY_EXISTS ? known : recoveryOf(exchange.code) === "final";
}

/** A removal with the context of the create or grant, and without where the driver does not take it. */
async function removed(
  attempts: number,
  call: (withContext: boolean) => Promise<Exchange>,
): Promise<Attempt<unknown>> {
  const first = await tried(attempts, () => call(true));
  return first.exchange?.code === status.INVALID_ARGUMENT ? tried(attempts, () => call(false)) : first;
}

async function tried<Reply>(attempts: number, call: () => Promise<Exchange<Reply>>): Promise<Attempt<Reply>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(call);
    const { exchange } = outcome;
    const passing = exchange !== undefined && isPassing(exchange);
    if (attempt >= attempts || !passing) return outcome;
    await sleep(pauseBeforeRetry(attempt, firstPause));
  }
}

/** A later attempt may end otherwise. */
function isPassing({ code, lost }: Exchange): boolean {
  return lost !== undefined || (code !== undefined && code !== status.OK && recoveryOf(code) !== "final");
}

async function once<Reply>(call: () => Promise<Exchange<Reply>>): Promise<Attempt<Reply>> {
  try {
    const exchange = await call();
    return { exchange, text: `${exchange.rpc}: ${exchange.answered}` };
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    return { exchange: undefined, text: error.message };
  }
}
