import { secretKind } from "../../../provider/kubernetes/object";
import { cluster, newNamespace } from "../../integration/kubernetes/cluster";
import { group, installFebruary, kinds } from "../../integration/kubernetes/cosi-2020-02/february";
import { RecordedWorkflow, type WorkflowParts } from "../workflows/recorded-workflow";
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
export class FebruaryWorkflow extends RecordedWorkflow<StoringHandler> {
  private constructor(
    parts: WorkflowParts<StoringHandler>,
    /** Where the Secrets are that users do not read. */
    readonly sourceNamespace: string,
  ) {
    super(parts, rpcNames);
  }

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
    const parts = { cluster: kube, namespace, driver, timeline, kubeconfigPath: path };
    return new FebruaryWorkflow(parts, sourceNamespace);
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
}
