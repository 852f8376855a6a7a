import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { isRecord } from "../../../provider/dynamic/values";
import { FailedResourceError } from "../../../provider/dynamic/failed";
import { Lifecycle, printed, wire, type Properties } from "../lifecycle";
import { beginRun } from "../run";

/** A resource of a small program. */
export interface ProgramResource {
  readonly name: string;
  /** What `provider` files export. */
  readonly provider: unknown;
  /** What the program says of it. @param outputs Gives the outputs of a resource that comes before it, `id` its id. */
  readonly inputs: (outputs: (name: string) => Properties, id: (name: string) => string) => Properties;
}

/** What the state keeps of a resource. */
export interface Entry {
  readonly id: string;
  readonly outputs: Properties;
  /** The last create or update of it failed: the next `up` updates it, whatever `diff` says. */
  readonly failed: boolean;
}

/** How a run ended. */
export interface RunResult {
  /** The resource at which it stopped; `undefined` if it came to its end. */
  readonly stoppedAt: string | undefined;
  /** What the user reads of that resource; empty if the run came to its end. */
  readonly message: string;
  readonly warnings: readonly string[];
  /** When it began and when it was over, in milliseconds of the epoch. */
  readonly began: number;
  readonly ended: number;
}

/** The run came to its end. @param what Is said where it did not. */
export function assertEnded({ stoppedAt, message }: RunResult, what = ""): void {
  assert.deepEqual(
    { stoppedAt, message },
    { stoppedAt: undefined, message: "" },
    what === "" ? undefined : what,
  );
}

/**
 * A state, and what the engine does with it for a program without a fork: resources in their order, each run in a
 * process that knows nothing of the one before, nothing after the first failure.
 */
export class SmallStack {
  readonly #resources: readonly (ProgramResource & { readonly lifecycle: Lifecycle })[];
  readonly #entries = new Map<string, Entry>();

  constructor(resources: readonly ProgramResource[]) {
    this.#resources = resources.map((resource) => ({
      ...resource,
      lifecycle: new Lifecycle(resource.provider),
    }));
  }

  /** The same state, and a program that was edited. */
  withProgram(resources: readonly ProgramResource[]): SmallStack {
    const edited = new SmallStack(resources);
    for (const [name, entry] of this.#entries) edited.#entries.set(name, entry);
    return edited;
  }

  /** The program, in its order. */
  resources(): readonly ProgramResource[] {
    return this.#resources;
  }

  /** What the state keeps, by name, in the order of the program. */
  state(): ReadonlyMap<string, Entry> {
    return new Map(this.#entries);
  }

  /** @throws Error for a resource that is not in the state. */
  outputs(name: string): Properties {
    return this.#entry(name).outputs;
  }

  /** @throws Error for a resource that is not in the state. */
  id(name: string): string {
    return this.#entry(name).id;
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`${name} is not in the state`);
    return entry;
  }

  /** Takes a resource out of the state without a call, as `retainOnDelete` and `pulumi state delete` do. */
  forget(name: string): Entry {
    const entry = this.#entry(name);
    this.#entries.delete(name);
    return entry;
  }

  /** Puts an entry into the state: that of an object which the program still has, and finds. */
  remember(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
  }

  up(): Promise<RunResult> {
    return this.#run(this.#resources, async ({ name, lifecycle, inputs }) => {
      const news = inputs(
        (of) => this.outputs(of),
        (of) => this.id(of),
      );
      const entry = this.#entries.get(name);
      const { id, outputs } =
        entry === undefined ? await lifecycle.create(news) : await updated(lifecycle, entry, news, name);
      this.#entries.set(name, { id, outputs, failed: false });
    });
  }

  /** What is gone leaves the state. */
  refresh(): Promise<RunResult> {
    const known = this.#resources.filter(({ name }) => this.#entries.has(name));
    return this.#run(known, async ({ name, lifecycle, provider }) => {
      if (!isRecord(provider) || !("read" in provider)) return;
      const id = this.id(name);
      const { outputs } = await lifecycle.read(this.outputs(name), id);
      if (Object.keys(outputs).length === 0) this.#entries.delete(name);
      else this.#entries.set(name, { id, outputs, failed: false });
    });
  }

  destroy(): Promise<RunResult> {
    const known = this.#resources.filter(({ name }) => this.#entries.has(name));
    return this.#run(known.reverse(), async ({ name, lifecycle }) => {
      await lifecycle.delete(this.outputs(name), this.id(name));
      this.#entries.delete(name);
    });
  }

  async #run<T extends { readonly name: string }>(
    resources: readonly T[],
    step: (resource: T) => Promise<void>,
  ): Promise<RunResult> {
    await closeConnections();
    beginRun();
    const began = Date.now();
    let stopped = { stoppedAt: undefined as string | undefined, message: "" };
    const warnings = await printed(async () => {
      for (const resource of resources) {
        try {
          await step(resource);
        } catch (error) {
          if (error instanceof FailedResourceError) {
            const { id, properties } = error;
            this.#entries.set(resource.name, { id, outputs: wire(properties), failed: true });
          }
          stopped = {
            stoppedAt: resource.name,
            message: error instanceof Error ? error.message : String(error),
          };
          return;
        }
      }
    });
    return { ...stopped, warnings, began, ended: Date.now() };
  }
}

async function updated(
  lifecycle: Lifecycle,
  { id, outputs, failed }: Entry,
  news: Properties,
  name: string,
): Promise<{ id: string; outputs: Properties }> {
  const { inputs, failures } = await lifecycle.check(outputs, news);
  if (failures.length > 0) throw new Error(failures.join("; "));
  const { changes, replaces = [] } = await lifecycle.diff(outputs, inputs, id);
  if (replaces.length > 0) {
    // Nothing depends on what has failed: it goes, and comes anew.
    if (!failed) throw new Error(`${name} would be replaced because of ${replaces.join()}`);
    await lifecycle.delete(outputs, id);
    return lifecycle.create(news);
  }
  return { id, outputs: failed || changes === true ? await lifecycle.update(outputs, news, id) : outputs };
}
