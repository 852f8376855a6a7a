import { parseSocketEndpoint } from "../provider/driver/connect/endpoint";
import { errorText } from "../provider/dynamic/error-text";
import { abilitiesOf, type Lack } from "./abilities";
import type { Check, Finding, Need, Verdict } from "./check";
import { checks } from "./checks";
import { Context } from "./context";
import { duties } from "./duties";
import type { Duty, DutyList } from "./duty";
import { DriverControl, DriverStartError, isServed } from "./driver-control";
import { rememberGivenSecrets } from "./given-secrets";
import { maskVerdict } from "./mask-verdict";
import type { ConformanceOptions } from "./options";
import { NotJudgedError } from "./not-judged-error";
import { lineOf, type Report } from "./report";
import { testedContract } from "./tested-contract";
import { leftIn, tidy, type Leftover } from "./tidy";

/** How a run can be followed and ended. */
export interface RunHooks {
  /** Ends the run early; what it has made is removed all the same. */
  readonly signal?: AbortSignal;
  /** Called before each check. */
  readonly onCheck?: (id: string, title: string) => void;
  /** Called if the process exits before the run has removed what it made. */
  readonly onExit?: (left: readonly Leftover[]) => void;
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
 * @throws CannotRunError if nobody answers at the endpoint, or the command does not serve; NotJudgedError if the run was
 * interrupted before.
 */
export async function runConformance(options: ConformanceOptions, hooks: RunHooks = {}): Promise<Report> {
  const signal = hooks.signal ?? new AbortController().signal;
  const { command, timeoutSeconds } = options;
  const { endpointVariable } = testedContract(options.contract);
  const control =
    command === undefined
      ? undefined
      : new DriverControl(command, timeoutSeconds * 1000, endpointVariable, signal);
  try {
    const socket = control?.socket ?? socketOf(options);
    const context = new Context(options, socket, control, signal);
    if (command !== undefined) rememberGivenSecrets(context.mask, process.env, command);
    const onExit = (): void => {
      hooks.onExit?.(leftIn(context, "the check was left before it had removed it"));
    };
    process.once("exit", onExit);
    try {
      await reach(context, socket);
      return await judged(context, hooks);
    } finally {
      process.removeListener("exit", onExit);
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
    if (error instanceof NotJudgedError) throw error;
    throw new CannotRunError(
      `the driver ${JSON.stringify(options.command?.[0])} does not serve: ${context.mask.applyToDriverText(errorText(error))}`,
    );
  }
  const end = Date.now() + patience;
  while (!(await isServed(socket))) {
    if (Date.now() >= end) {
      throw new CannotRunError(`nobody takes connections at ${socket} within ${patience / 1000} s`);
    }
    await context.pause(lookInterval);
  }
}

async function judged(context: Context, hooks: RunHooks): Promise<Report> {
  const { lacks, incomplete: limits } = await abilitiesOf(context);
  const stuck = new Set<string>();
  const findings = new Map<string, Finding[]>();
  for (const { check, duty } of inOrder(tasksOf(context.contract.list))) {
    hooks.onCheck?.(duty.id, duty.title);
    const verdict = maskVerdict(await verdictOf(check, context, lacks), context.mask);
    const finding = { level: check.level ?? duty.level, verdict };
    findings.set(duty.id, [...(findings.get(duty.id) ?? []), finding]);
    for (const leftover of await tidy(context, { attempts: 1, skip: stuck })) {
      stuck.add(leftover.id ?? leftover.name);
    }
  }
  const lines = duties[context.contract.list].map((duty) => lineOf(duty, findings.get(duty.id) ?? []));
  const leftovers = await removeAll(context);
  const interrupted = hooks.signal?.aborted === true ? "the run was interrupted" : null;
  const incomplete = interrupted ?? limits ?? gaps(findings);
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

async function verdictOf(check: Check, context: Context, lacks: ReadonlyMap<Need, Lack>): Promise<Verdict> {
  try {
    context.throwIfInterrupted();
    const [missing] = (check.needs ?? []).flatMap((need) => lacks.get(need) ?? []);
    if (missing !== undefined) return missing.isGap ? unfinished(missing.reason) : skipped(missing.reason);
    if (check.recordsOnly !== true) await context.revive();
    return await check.run(context);
  } catch (error) {
    if (error instanceof DriverStartError) {
      const answered = context.noteStartFailure(error);
      const wanted = "a driver that serves again";
      return { is: "broken", problems: [{ sent: "a new start of the driver", answered, wanted }] };
    }
    const text = context.mask.apply(errorText(error));
    if (error instanceof NotJudgedError) return error.byChoice ? skipped(text) : unfinished(text);
    // What a foreign driver may do to a check has no bounds; the run goes on to its end.
    return unfinished(`the check could not be finished: ${text}`);
  }
}

function skipped(reason: string): Verdict {
  return { is: "not-judged", reason };
}

function unfinished(reason: string): Verdict {
  return { is: "not-judged", reason, unfinished: true };
}

/** What of the duties that bind was to be judged and was not: without it nobody can call a driver compliant. */
function gaps(findings: ReadonlyMap<string, readonly Finding[]>): string | null {
  const all = [...findings].flatMap(([id, found]) =>
    found.flatMap(({ level, verdict }) =>
      level === "MUST" && verdict.is === "not-judged" && verdict.unfinished === true
        ? [{ id, reason: verdict.reason }]
        : [],
    ),
  );
  const [first] = all;
  if (first === undefined) return null;
  const others = [...new Set(all.map(({ id }) => id))].filter((id) => id !== first.id);
  const more = others.length === 0 ? "" : ` Not judged either: ${others.sort().join(", ")}`;
  return `${first.id} could not be judged: ${first.reason}${more}`;
}
