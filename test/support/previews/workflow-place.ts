import type { Rpc } from "../workflows/storing-fake";
import type { RecordedWorkflow, RecordingDriver } from "../workflows/recorded-workflow";
import type { PreviewPlace } from "./golden-previews";

/** A workflow's cluster and driver, for previews. */
export class WorkflowPlace<
  Flow extends RecordedWorkflow<RecordingDriver & { rpcs(): readonly Rpc[] }>,
> implements PreviewPlace {
  /** @param more Names of further namespaces, and what stands for them. */
  constructor(
    readonly flow: Flow,
    private readonly more: Readonly<Record<string, string>> = {},
  ) {}

  get names(): Readonly<Record<string, string>> {
    return { ...this.more, [this.flow.namespace]: "shop", [this.flow.kubeconfigPath]: "/etc/kubeconfig" };
  }

  stack(source: string): ReturnType<Flow["stack"]> {
    return this.flow.stack(source) as ReturnType<Flow["stack"]>;
  }

  calls(): readonly Rpc[] {
    return this.flow.driver.rpcs();
  }

  forget(): void {
    this.flow.driver.forget();
  }

  stop(): Promise<void> {
    return this.flow.stop();
  }
}
