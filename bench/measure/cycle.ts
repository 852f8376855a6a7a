import type { Stack } from "../../tools/local/stack";
import type { ApiReader } from "../parts/api-reader";
import type { DriverProcess } from "../parts/driver-process";
import { requestsBetween, requestsSoFar, type Requests } from "./api-requests";
import { measure, type CommandCost } from "./command";
import { SecretWatch } from "./secret-watch";
import { stateSize } from "./state-size";

/** The commands of a life, in their order. */
export const commands = ["up", "preview", "refresh", "destroy"] as const;

export type Command = (typeof commands)[number];

const argumentsOf: Readonly<Record<Command, readonly string[]>> = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** What one command cost, and what it asked of others. */
export interface Step extends CommandCost {
  /** Number of RPCs, by name. */
  readonly rpcs: Readonly<Record<string, number>>;
  /** Number of requests to the API server, by resource. */
  readonly requests: Requests;
}

/** What is told of an `up`, beside its cost. */
export interface UpResult {
  /** Seconds from the start of `up` to the last Secret that a workload can use. */
  readonly lastSecretSeconds: number;
  readonly secrets: number;
  readonly stateBytes: number;
  readonly stateGzipBytes: number;
  readonly resources: number;
  readonly providerBytes: number;
}

/** One life of a program: from nothing to nothing. */
export type Cycle = Readonly<Record<Command, Step>> & { readonly result: UpResult };

/** What a cycle runs on. */
export interface Parts {
  readonly kubeconfig: string;
  readonly api: ApiReader;
  readonly driver: DriverProcess;
  readonly namespace: string;
}

/** A program whose life is gone through command by command, so that two can take turns. */
export class Life {
  readonly #steps = new Map<Command, Step>();
  #result: UpResult | undefined;

  constructor(
    private readonly stack: Stack,
    private readonly parts: Parts,
    private readonly variables: Readonly<Record<string, string>>,
    private readonly failing = 0,
  ) {}

  /** Runs the next command. */
  async run(command: Command): Promise<void> {
    const { api, driver, namespace } = this.parts;
    await driver.forget(this.failing);
    const before = await requestsSoFar(api);
    const watch = command === "up" ? await SecretWatch.start(api, namespace) : undefined;
    const cost = await measure(this.stack, argumentsOf[command], this.variables);
    const { counts: rpcs } = await driver.calls();
    const requests = requestsBetween(before, await requestsSoFar(api));
    this.#steps.set(command, { ...cost, rpcs, requests });
    if (watch === undefined) return;
    watch.end();
    const { count: secrets, lastAt } = watch.usable;
    const { bytes, gzipBytes, resources, providerBytes } = await stateSize(this.stack);
    this.#result = {
      lastSecretSeconds: (lastAt - cost.startedAt) / 1000,
      secrets,
      stateBytes: bytes,
      stateGzipBytes: gzipBytes,
      resources: resources.length,
      providerBytes,
    };
  }

  /** @throws Error before all commands were run. */
  finished(): Cycle {
    return {
      up: this.#step("up"),
      preview: this.#step("preview"),
      refresh: this.#step("refresh"),
      destroy: this.#step("destroy"),
      result: this.#result ?? missing("up"),
    };
  }

  #step(command: Command): Step {
    return this.#steps.get(command) ?? missing(command);
  }
}

function missing(command: Command): never {
  throw new Error(`${command} was not measured`);
}
