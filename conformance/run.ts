import { status } from "@grpc/grpc-js";
import { parseSocketEndpoint } from "../provider/driver/connect/endpoint";
import { sleep } from "../provider/driver/call/retry";
import { errorText } from "../provider/dynamic/error-text";
import type { Check, Finding, Need, Verdict } from "./check";
import { checks } from "./checks";
import { Context } from "./context";
import { duties } from "./duties";
import type { Duty, DutyList } from "./duty";
import { DriverControl, isServed } from "./driver-control";
import type { Exchange } from "./exchange";
import type { MadeBucket } from "./ledger";
import type { ConformanceOptions } from "./options";
import { NotJudgedError } from "./not-judged-error";
import { hasProc } from "./proc";
import { lineOf, type Report } from "./report";
import { StoreAccount } from "./store-account";
import { testedContract } from "./tested-contract";
import { tidy, type Leftover } from "./tidy";
import { TrialProgram } from "./trial-program";

/** How a run can be followed and ended. */
export interface RunHooks {
  /** Ends the run early; what it has made is removed all the same. */
  readonly signal?: AbortSignal;
  /** Called before each check. */
  readonly onCheck?: (id: string, title: string) => void;
}

/** Nothing can be said of the driver: it could not be reached or started. */
export class CannotRunError extends Error {
  override readonly name = "CannotRunError";
}

const lookInterval = 100;
const lastAttempts = 4;

/**
 * Judges a driver by what it answers, with buckets and accounts that the run makes and removes itself.
 *
 * @throws CannotRunError if nobody answers at the endpoint, or the command does not serve.
 */
export async function runConformance(options: ConformanceOptions, hooks: RunHooks = {}): Promise<Report> {
  const signal = hooks.signal ?? new AbortController().signal;
  const { command, timeoutSeconds } = options;
  const { endpointVariable } = testedContract(options.contract);
  const control =
    command === undefined ? undefined : new DriverControl(command, timeoutSeconds * 1000, endpointVariable);
  try {
    const socket = control?.socket ?? socketOf(options);
    const context = new Context(options, socket, control, signal);
    if (control !== undefined) rememberEnvironment(context);
    try {
      await reach(context, socket);
      return await judged(context, hooks);
    } finally {
      context.disconnect();
    }
  } finally {
    await control?.dispose();
  }
}

function socketOf({ endpoint = "" }: ConformanceOptions): string {
  return parseSocketEndpoint(endpoint).path;
}

async function reach(context: Context, socket: string): Promise<void> {
  const { control, patience, options } = context;
  try {
    if (control !== undefined) await control.start();
  } catch (error) {
    throw new CannotRunError(
      `the driver ${JSON.stringify(options.command?.[0])} does not serve: ${context.mask.applyToDriverText(errorText(error))}`,
    );
  }
  const end = Date.now() + patience;
  while (!(await isServed(socket))) {
    context.throwIfInterrupted();
    if (Date.now() >= end) {
      throw new CannotRunError(`nobody takes connections at ${socket} within ${patience / 1000} s`);
    }
    await sleep(lookInterval);
  }
}

/** A driver inherits secrets of its environment, and may write them when it fails. */
function rememberEnvironment(context: Context): void {
  const secretName = /secret|passw|token|credential|_key$/i;
  for (const [name, value = ""] of Object.entries(process.env)) {
    if (secretName.test(name)) context.mask.remember(value);
  }
}

async function judged(context: Context, hooks: RunHooks): Promise<Report> {
  const absent = await abilities(context);
  const stuck = new Set<string>();
  const findings = new Map<string, Finding[]>();
  for (const { check, duty } of inOrder(tasksOf(context.contract.list))) {
    hooks.onCheck?.(duty.id, duty.title);
    const verdict = await verdictOf(check, context, absent.reasons);
    const finding = { level: check.level ?? duty.level, verdict };
    findings.set(duty.id, [...(findings.get(duty.id) ?? []), finding]);
    for (const leftover of await tidy(context, { attempts: 1, skip: stuck })) {
      stuck.add(leftover.id ?? leftover.name);
    }
  }
  const lines = duties[context.contract.list].map((duty) => lineOf(duty, findings.get(duty.id) ?? []));
  const leftovers = await removeAll(context);
  const interrupted = hooks.signal?.aborted === true ? "the run was interrupted" : null;
  const incomplete = interrupted ?? absent.refusal;
  return {
    contract: context.contract.name,
    target: targetOf(context.options),
    driver: context.replies.infos[0]?.name ?? null,
    lines,
    compliant: incomplete === null && lines.every((line) => line.status !== "fail"),
    incomplete,
    leftovers,
  };
}

function targetOf({ endpoint, command }: ConformanceOptions): string {
  return command === undefined ? (endpoint ?? "") : (command[0] ?? "");
}

/** A check, and the duty that it judges in this run. */
interface Task {
  readonly check: Check;
  readonly duty: Duty;
}

/** The checks of a list's duties, by the order of these. */
function tasksOf(list: DutyList): Task[] {
  return duties[list].flatMap((duty) =>
    checks.flatMap((check) => (check.ids[list] === duty.id ? [{ check, duty }] : [])),
  );
}

function inOrder(all: readonly Task[]): Task[] {
  const isLast = ({ check }: Task): boolean => check.last === true;
  return [...all.filter((task) => !isLast(task)), ...all.filter(isLast)];
}

async function removeAll(context: Context): Promise<readonly Leftover[]> {
  context.ignoreInterrupt();
  context.forgetLostCalls();
  return tidy(context, { attempts: lastAttempts, last: true });
}

interface Abilities {
  /** Why a need cannot be met. */
  readonly reasons: ReadonlyMap<Need, string>;
  /** The driver made no bucket, or granted no access, for a reason that the user can do something about. */
  readonly refusal: string | null;
}

/** Finds out what the driver can be asked for at all, so that each further check does not wait for it in vain. */
async function abilities(context: Context): Promise<Abilities> {
  const { options, control } = context;
  const reasons = new Map<Need, string>();
  if (control === undefined)
    reasons.set("command", "the driver is not started by the check: needs --command");
  if (!hasProc()) reasons.set("proc", "needs /proc, as Linux has it");
  let refusal: string | null = null;
  const lacks = (needs: readonly Need[], exchange: Exchange): void => {
    for (const need of needs) reasons.set(need, `${exchange.rpc} was answered: ${exchange.answered}`);
    if (exchange.code === undefined || exchange.code === status.UNIMPLEMENTED) return;
    refusal = `${exchange.sent} was answered: ${exchange.answered}`;
  };
  const lookAtStore = options.checkCredentials
    ? "no access could be granted"
    : "needs the granted credentials at work: --check-credentials";
  reasons.set("store", lookAtStore);
  try {
    await context.getInfo();
    const bucket = context.bucketFields();
    const created = await context.create(bucket);
    const bucketId = created.reply?.bucketId ?? "";
    if (bucketId === "") lacks(["bucket", "access"], created);
    else await grantAbility(context, { ...bucket, bucketId }, reasons, lacks);
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    for (const need of ["bucket", "access"] as const) reasons.set(need, error.message);
  }
  await tidy(context, { attempts: 1 });
  return { reasons, refusal };
}

async function grantAbility(
  context: Context,
  bucket: MadeBucket,
  reasons: Map<Need, string>,
  lacks: (needs: readonly Need[], exchange: Exchange) => void,
): Promise<void> {
  const fields = context.accessFields(bucket.bucketId);
  const granted = await context.grant(fields);
  const { reply } = granted;
  if (reply === undefined || reply.accountId === "") {
    lacks(["access"], granted);
    return;
  }
  const trialOf = trialsOf(context);
  if (trialOf === undefined) return;
  try {
    await trialOf({ ...fields, accountId: reply.accountId, reply }, bucket).attempt();
    context.trialOf = trialOf;
    context.looksAtStore = context.options.checkCredentials;
    if (context.looksAtStore) reasons.delete("store");
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    const reason = context.mask.apply(error.message);
    reasons.set("store", reason);
    if (context.options.tryCredentials !== undefined) context.trialFailure = `but ${reason}`;
  }
}

/** How the user wants granted credentials to be tried. */
function trialsOf({ options, contract, patience }: Context): Context["trialOf"] {
  const { checkCredentials, tryCredentials } = options;
  if (checkCredentials) return (granted, { name }) => new StoreAccount(granted, name);
  if (tryCredentials === undefined) return undefined;
  return (granted, bucket) => new TrialProgram(tryCredentials, contract, granted, bucket, patience);
}

async function verdictOf(
  check: Check,
  context: Context,
  reasons: ReadonlyMap<Need, string>,
): Promise<Verdict> {
  try {
    context.throwIfInterrupted();
    const missing = check.needs?.find((need) => reasons.has(need));
    if (missing !== undefined) return { is: "not-judged", reason: reasons.get(missing) ?? missing };
    await context.revive();
    return await check.run(context);
  } catch (error) {
    const text = context.mask.apply(errorText(error));
    if (error instanceof NotJudgedError) return { is: "not-judged", reason: text };
    // What a foreign driver may do to a check has no bounds; the run goes on to its end.
    return { is: "not-judged", reason: `the check could not be finished: ${text}` };
  }
}
