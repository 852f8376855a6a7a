import { errorText } from "../../../provider/dynamic/error-text";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { Cluster } from "../end-to-end/cluster";
import { commandNamed, pathTo, type Command } from "./commands";
import { differences } from "./difference";
import type { Dump } from "./dump";
import { Lane } from "./lane";
import type { Passage, Point } from "./point";
import { runStruck } from "./strike";
import type { Subject } from "./subject";

/** An undisturbed run of a command: what it leaves behind, and what goes over the networks. */
export interface Reference {
  readonly dump: Dump;
  readonly passages: readonly Passage[];
}

/** What became of a point. */
export interface Outcome {
  readonly point: Point;
  /** The passage at which the command was struck; `undefined` if the moment did not come. */
  readonly struckAt?: Passage;
  /** How the CLI ended when it was struck: its exit code, `null` for a signal. */
  readonly code?: number | null;
  /** What was printed then. */
  readonly text?: string;
  /** URNs in the state then, of an interrupted command. */
  readonly recorded?: readonly string[];
  /** What was wrong afterwards, as a text; `undefined` if nothing was. */
  readonly problem?: string;
}

/**
 * Strikes commands over a subject at points, runs the same command again, and compares all that is there with what an
 * undisturbed run leaves. Real parts: store, API server, CLI, our driver as a process. Two programs run at a time: CI has
 * two processors.
 */
export class KillHarness {
  readonly #references = new Map<string, Deferred<Reference>>();
  #work: Promise<unknown>;

  private constructor(
    private readonly subject: Subject,
    private readonly cluster: Cluster,
    private readonly lanes: readonly [Lane, ...Lane[]],
    learned: readonly Command[],
  ) {
    for (const { name } of learned) this.#references.set(name, new Deferred());
    this.#work = this.#learn(lanes[0], learned);
  }

  /**
   * Starts the parts, and the undisturbed runs.
   *
   * @param names Commands that points will be of. @default all
   */
  static async start(
    subject: Subject,
    names: readonly string[] = subject.commands.map(({ name }) => name),
  ): Promise<KillHarness> {
    const cluster = await Cluster.start({ controllerManager: false });
    const kubernetes = { kubeconfig: cluster.plane.kubeconfig };
    await definitions.create({ kubernetes, model: subject.model, owner: "organization/base/test" });
    const lanes = await Promise.all([Lane.start(subject, cluster), Lane.start(subject, cluster)]);
    const learned = subject.commands.filter(({ name }) => names.includes(name));
    return new KillHarness(subject, cluster, lanes, learned);
  }

  /** The undisturbed run of a command. @throws Error for a command that the harness was not started with. */
  reference(command: string): Promise<Reference> {
    const reference = this.#references.get(command);
    if (reference === undefined) throw new Error(`no undisturbed run of ${command} is made`);
    return reference.promise;
  }

  /**
   * Tries points, several at a time and in an order that saves runs.
   *
   * @returns the outcomes, each as soon as it is there, in the order of the points.
   */
  try(points: readonly Point[]): Promise<Outcome>[] {
    const waiting = points.map((point) => ({ point, outcome: new Deferred<Outcome>() }));
    const outcomes = waiting.map(({ outcome }) => outcome.promise);
    const work = async (lane: Lane): Promise<void> => {
      for (;;) {
        const fits = waiting.findIndex(({ point }) =>
          commandNamed(this.subject, point.command).from.includes(lane.condition),
        );
        const [task] = waiting.splice(Math.max(fits, 0), 1);
        if (task === undefined) return;
        const outcome = await this.#try(lane, task.point);
        task.outcome.resolve(outcome);
        if (outcome.problem !== undefined) await lane.renew();
      }
    };
    const [learning, ...free] = this.lanes;
    const learned = this.#work.then(() => work(learning));
    this.#work = Promise.allSettled([learned, ...free.map(work)]).then((ends) => {
      const problem = `no program is left to try it with: ${ends.map(reasonOf).join("; ")}`;
      for (const { point, outcome } of waiting) outcome.resolve({ point, problem });
    });
    return outcomes;
  }

  /** Waits for what is under way, and ends everything. */
  async stop(): Promise<void> {
    await this.#work;
    await Promise.all(this.lanes.map((lane) => lane.stop()));
    await this.cluster.stop();
  }

  /** Ends everything at once, whatever is under way. */
  async abandon(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.abandon()));
    await this.cluster.stop();
  }

  async #try(lane: Lane, point: Point): Promise<Outcome> {
    try {
      const command = commandNamed(this.subject, point.command);
      await bring(lane, command.from);
      lane.prepare(command);
      const { code, text, struckAt } = await runStruck(lane, command, point);
      const happened = {
        point,
        code,
        text,
        ...(struckAt === undefined ? {} : { struckAt }),
        ...(point.victim === "interrupt" ? { recorded: await recordedUrns(lane) } : {}),
      };
      const problem = await this.#problem(lane, command);
      if (problem === undefined) return happened;
      return { ...happened, problem: `${problem}\nThe struck run had said:\n${text}` };
    } catch (error) {
      return { point, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }

  /** Runs the command again. @returns in what it ended other than an undisturbed one. */
  async #problem(lane: Lane, command: Command): Promise<string | undefined> {
    // The lock of a file backend stays behind a killed CLI.
    await lane.stack.run(["cancel", "--yes"]);
    const { code, text } = await lane.stack.run(command.args);
    if (code !== 0) return `the same command again ended with ${code}:\n${text}`;
    lane.condition = command.to;
    const { dump } = await this.reference(command.name);
    const found = differences(await lane.dump(), dump);
    return found.length === 0 ? undefined : found.join("\n");
  }

  /** Runs the commands undisturbed, one after the other. What one of them has spoiled is no burden for the next ones. */
  async #learn(lane: Lane, learned: readonly Command[]): Promise<void> {
    try {
      for (const command of learned) {
        const reference = this.#references.get(command.name);
        try {
          reference?.resolve(await referenceOf(lane, command));
        } catch (error) {
          reference?.reject(error);
          await lane.renew();
        }
      }
    } catch (error) {
      for (const reference of this.#references.values()) reference.reject(error);
    }
  }
}

async function referenceOf(lane: Lane, command: Command): Promise<Reference> {
  await bring(lane, command.from);
  lane.prepare(command);
  const { code, text, passages } = await runStruck(lane, command);
  if (code !== 0) throw new Error(`an undisturbed ${command.name} ended with ${code}:\n${text}`);
  lane.condition = command.to;
  return { dump: await lane.dump(), passages };
}

function reasonOf(end: PromiseSettledResult<void>): string {
  return end.status === "rejected" ? errorText(end.reason) : "it ended";
}

async function recordedUrns({ stack }: Lane): Promise<string[]> {
  const { resources } = await stack.state();
  return resources.map(({ urn }) => urn);
}

/** A promise that is kept from outside. */
class Deferred<T> {
  resolve: (value: T) => void = () => undefined;
  reject: (reason: unknown) => void = () => undefined;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  constructor() {
    // Nobody may ask for it.
    this.promise.catch(() => undefined);
  }
}

/** Runs undisturbed what leads to one of the conditions, the first one where nothing is there. */
async function bring(lane: Lane, conditions: Command["from"]): Promise<void> {
  if (conditions.includes(lane.condition)) return;
  const [first] = conditions;
  for (const command of pathTo(lane.subject, lane.condition, [first])) {
    lane.prepare(command);
    await lane.stack.succeed(command.args);
    lane.condition = command.to;
  }
}
