import type { Cluster } from "../../integration/kubernetes/cluster";
import type { When } from "../call-script";
import { quickProgram } from "../end-to-end/program";
import type { Answer, FakeDriver } from "../fake-driver";
import { Stack } from "../stack";
import type { Rpc } from "./storing-fake";
import type { Timeline } from "./timeline";

/** What a workflow needs of its driver. */
export interface RecordingDriver {
  readonly fake: FakeDriver;
  forget(): void;
  on(when: When, moment: (call: { readonly rpc: Rpc }) => Promise<Answer | undefined>): () => void;
}

/** The parts of a workflow that every model has. */
export interface WorkflowParts<Driver extends RecordingDriver> {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly driver: Driver;
  readonly timeline: Timeline;
  readonly kubeconfigPath: string;
}

/**
 * A real API server without a controller, a namespace of its own there, a driver, and what happens at both in one list.
 */
export abstract class RecordedWorkflow<Driver extends RecordingDriver> implements WorkflowParts<Driver> {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly driver: Driver;
  readonly timeline: Timeline;
  readonly kubeconfigPath: string;
  readonly #stacks: Stack[] = [];

  /** @param rpcNames RPCs as the timeline names them. */
  constructor(parts: WorkflowParts<Driver>, rpcNames: Readonly<Record<Rpc, string>>) {
    ({
      cluster: this.cluster,
      namespace: this.namespace,
      driver: this.driver,
      timeline: this.timeline,
      kubeconfigPath: this.kubeconfigPath,
    } = parts);
    for (const when of ["received", "done"] as const) {
      this.driver.on(when, async ({ rpc }) => {
        await this.timeline.mark(`${rpcNames[rpc]} ${when}`);
        return undefined;
      });
    }
  }

  /** A stack of a program, run by the real CLI; it is removed at the end, and not destroyed. */
  async stack(source: string): Promise<Stack> {
    const stack = await Stack.create({ source }, { KUBECONFIG: this.kubeconfigPath, ...quickProgram });
    this.#stacks.push(stack);
    return stack;
  }

  /** Forgets the calls and events so far; what driver and API server hold stays. */
  async restart(): Promise<void> {
    this.driver.forget();
    await this.timeline.restart();
  }

  async stop(): Promise<void> {
    for (const stack of this.#stacks) await stack.remove();
    this.driver.fake.stop();
  }
}
