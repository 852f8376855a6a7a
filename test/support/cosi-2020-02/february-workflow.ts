import { secretKind } from "../../../provider/kubernetes/object";
import { cluster, newNamespace, type Cluster } from "../../integration/kubernetes/cluster";
import { group, installFebruary, kinds } from "../../integration/kubernetes/cosi-2020-02/february";
import { quickProgram } from "../end-to-end/program";
import { Stack } from "../stack";
import { Timeline } from "../workflows/timeline";
import { provisioner } from "../cosi-2020-02";
import { StoringHandler } from "./storing-handler";

/** RPCs as the timeline names them. */
const rpcNames = {
  create: "CreateBucket",
  delete: "DeleteBucket",
  grant: "GrantBucketAccess",
  revoke: "RevokeBucketAccess",
} as const;

/**
 * The parts of a workflow of the proposal of 2020-02-27: a real API server without a controller, a namespace of its own
 * there, one for source Secrets, a driver, and what happens at both in one list.
 */
export class FebruaryWorkflow {
  readonly #stacks: Stack[] = [];

  private constructor(
    readonly cluster: Cluster,
    readonly namespace: string,
    /** Where the Secrets are that users do not read. */
    readonly sourceNamespace: string,
    readonly driver: StoringHandler,
    readonly timeline: Timeline,
    readonly kubeconfigPath: string,
  ) {}

  static async start(): Promise<FebruaryWorkflow> {
    const kube = await cluster();
    await installFebruary(kube);
    const namespace = await newNamespace(kube);
    const sourceNamespace = await newNamespace(kube);
    const driver = await new StoringHandler().start();
    const path = kube.target.kubeconfig ?? "";
    const timeline = await Timeline.start(kube.client, path, namespace, [
      { kind: kinds.bucket, namespaced: true },
      { kind: kinds.bucketContent, namespaced: false },
      { kind: secretKind, namespaced: false },
    ]);
    await timeline.whenWatchable();
    const workflow = new FebruaryWorkflow(kube, namespace, sourceNamespace, driver, timeline, path);
    workflow.#recordCalls();
    return workflow;
  }

  /** A stack of a program, run by the real CLI; it is removed at the end, and not destroyed. */
  async stack(source: string): Promise<Stack> {
    const stack = await Stack.create({ source }, { KUBECONFIG: this.kubeconfigPath, ...quickProgram });
    this.#stacks.push(stack);
    return stack;
  }

  /** The beginning of a program: the group of the tests, a Driver `driver`, and `namespace`. */
  programHead(): string {
    return `
import * as cosi from "pulumi-cosi";
import { cosi20200227 as february } from "pulumi-cosi";
const namespace = ${JSON.stringify(this.namespace)};
february.install({ group: ${JSON.stringify(group)}, sourceSecretNamespace: ${JSON.stringify(this.sourceNamespace)} });
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(this.driver.fake.endpoint)}, contract: "cosi-2020-02", driverName: ${JSON.stringify(provisioner)},
  connectTimeoutSeconds: 10, firstRetryDelayMilliseconds: 20,
});
`;
  }

  /** Another namespace. */
  otherNamespace(): Promise<string> {
    return newNamespace(this.cluster);
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

  #recordCalls(): void {
    this.driver.on("received", async ({ rpc }) => {
      await this.timeline.mark(`${rpcNames[rpc]} received`);
      return undefined;
    });
    this.driver.on("done", async ({ rpc }) => {
      await this.timeline.mark(`${rpcNames[rpc]} done`);
      return undefined;
    });
  }
}
