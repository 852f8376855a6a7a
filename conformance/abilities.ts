import { status } from "@grpc/grpc-js";
import type { Need } from "./check";
import type { BackendKnowledge } from "./backend-knowledge";
import type { Context } from "./context";
import type { Granted } from "./ledger";
import type { Exchange } from "./exchange";
import type { MadeBucket } from "./ledger";
import { NotJudgedError } from "./not-judged-error";
import { hasProc } from "./proc";
import { StoreAccount } from "./store-account";
import { StoreTrial, useOf } from "./store-trial";
import { tidy } from "./tidy";
import { TrialProgram } from "./trial-program";

/** Why something that checks need is missing. */
export interface Lack {
  readonly reason: string;
  /** Neither the driver nor the user has chosen so: what was not judged for this leaves a gap in the run. */
  readonly isGap: boolean;
}

/** What the driver can be asked for, and what of the user's wishes cannot be met. */
export interface Abilities {
  readonly lacks: ReadonlyMap<Need, Lack>;
  /** Why the run says little of the driver, for a reason that the user can do something about. */
  readonly incomplete: string | null;
}

/** Finds out what the driver can be asked for at all, so that each further check does not wait for it in vain. */
export async function abilitiesOf(context: Context): Promise<Abilities> {
  const lacks = new Map<Need, Lack>();
  const byChoice = (need: Need, reason: string): void => {
    lacks.set(need, { reason, isGap: false });
  };
  if (context.control === undefined) {
    byChoice("command", "the driver is not started by the check: needs --command");
  }
  if (!hasProc()) byChoice("proc", "needs /proc, as Linux has it");
  byChoice(
    "store",
    context.options.checkCredentials
      ? "no access could be granted"
      : "needs the granted credentials to be tried: --check-credentials",
  );
  const refusal = await tryOut(context, lacks);
  await tidy(context, { attempts: 1 });
  return { lacks, incomplete: refusal ?? blindness(context) };
}

/** Makes a bucket and an account. @returns the refusal, if the driver has refused one. */
async function tryOut(context: Context, lacks: Map<Need, Lack>): Promise<string | null> {
  const lacking = (needs: readonly Need[], exchange: Exchange): string | null => {
    const isGap = !context.leavesOut(exchange);
    for (const need of needs)
      lacks.set(need, { reason: `${exchange.rpc} was answered: ${exchange.answered}`, isGap });
    // What was answered OK is no refusal, and is judged.
    if (!isGap || exchange.code === undefined || exchange.code === status.OK) return null;
    return `${exchange.sent} was answered: ${exchange.answered}`;
  };
  try {
    await context.getInfo();
    const bucket = context.bucketFields();
    const created = await context.create(bucket);
    const bucketId = created.reply?.bucketId ?? "";
    if (bucketId === "") return lacking(["bucket", "access"], created);
    const fields = context.accessFields(bucketId);
    const granted = await context.grant(fields);
    const { reply } = granted;
    if (reply === undefined || reply.accountId === "") return lacking(["access"], granted);
    await tryCredentials(context, { ...fields, accountId: reply.accountId, reply }, { ...bucket, bucketId });
    if (context.backend.isStore) lacks.delete("store");
    else if (context.backend.failure !== undefined) {
      lacks.set("store", { reason: context.backend.failure, isGap: true });
    }
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    for (const need of ["bucket", "access"] as const) lacks.set(need, { reason: error.message, isGap: true });
  }
  return null;
}

/** What the user asked to be looked at, and could not be. */
function blindness({ backend: { failure }, contract: { trialOption } }: Context): string | null {
  return failure === undefined
    ? null
    : `the granted credentials could not be tried, as ${trialOption} asks: ${failure}`;
}

/** Tries whether credentials can be tried as the user wants. */
async function tryCredentials(context: Context, granted: Granted, bucket: MadeBucket): Promise<void> {
  try {
    context.backend.trialOf = await trialsOf(context, granted, bucket);
    context.backend.isStore = context.options.checkCredentials;
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    context.backend.failure = context.mask.apply(error.message);
  }
}

/** How the user wants granted credentials to be tried. @throws NotJudgedError if those of this account cannot be */
async function trialsOf(
  context: Context,
  first: Granted,
  firstBucket: MadeBucket,
): Promise<BackendKnowledge["trialOf"]> {
  const { contract, patience } = context;
  const { checkCredentials, tryCredentials: program } = context.options;
  if (checkCredentials) {
    const use = await useOf(new StoreAccount(first, firstBucket.name, context), patience);
    context.backend.storeUse = use;
    return (granted, { name }) => new StoreTrial(new StoreAccount(granted, name, context), use);
  }
  if (program === undefined) return undefined;
  const trialOf = (granted: Granted, bucket: MadeBucket): TrialProgram =>
    new TrialProgram(program, contract, granted, bucket, patience, context.interrupt);
  await trialOf(first, firstBucket).attempt();
  return trialOf;
}
