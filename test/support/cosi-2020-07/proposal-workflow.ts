import { namespaceKind, secretKind } from "../../../provider/kubernetes/object";
import { cluster, newNamespace } from "../../integration/kubernetes/cluster";
import { installJuly, kinds } from "../../integration/kubernetes/cosi-2020-07/july";
import { RecordedWorkflow, type WorkflowParts } from "../workflows/recorded-workflow";
import { Timeline } from "../workflows/timeline";
import { StoringController } from "./storing-controller";

/** RPCs as the timeline names them. */
const rpcNames = {
  create: "CreateBucket",
  delete: "DeleteBucket",
  grant: "GrantBucketAccess",
  revoke: "RevokeBucketAccess",
} as const;

/**
 * The parts of a workflow of the proposal of 2020-07-08: a real API server without a controller, a namespace of its own
 * there, one for the provisioner, a driver, and what happens at both in one list.
 */
export class ProposalWorkflow extends RecordedWorkflow<StoringController> {
  private constructor(
    parts: WorkflowParts<StoringController>,
    /** `<namespace>/<name>` of the driver. */
    readonly provisioner: string,
  ) {
    super(parts, rpcNames);
  }

  static async start(): Promise<ProposalWorkflow> {
    const kube = await cluster();
    await installJuly(kube);
    const namespace = await newNamespace(kube);
    const provisionerNamespace = await newNamespace(kube);
    const driver = await new StoringController().start();
    const path = kube.target.kubeconfig ?? "";
    const timeline = await Timeline.start(kube.client, path, namespace, [
      { kind: kinds.bucketRequest, namespaced: true },
      { kind: kinds.bucket, namespaced: false },
      { kind: kinds.bucketAccessRequest, namespaced: true },
      { kind: kinds.bucketAccess, namespaced: false },
      { kind: secretKind, namespaced: true },
    ]);
    await timeline.whenWatchable();
    const provisioner = `${provisionerNamespace}/rgw.example.com`;
    const parts = { cluster: kube, namespace, driver, timeline, kubeconfigPath: path };
    return new ProposalWorkflow(parts, provisioner);
  }

  /**
   * The beginning of a program: a Driver `driver`, and the classes `gold` and `keys`, whose objects have names of this
   * namespace's own, as classes belong to the cluster.
   *
   * @param gold Arguments of the BucketClass beside driver, name and protocol. @param keys Of the BucketAccessClass.
   */
  programHead(gold = 'releasePolicy: "Delete"', keys = ""): string {
    return `
import * as cosi from "pulumi-cosi";
import { cosi20200708 as july } from "pulumi-cosi";
const namespace = ${JSON.stringify(this.namespace)};
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(this.driver.fake.endpoint)}, contract: "cosi-2020-07", driverName: ${JSON.stringify(this.provisioner)},
  connectTimeoutSeconds: 10, firstRetryDelayMilliseconds: 20,
});
const gold = new july.BucketClass("gold", { driver, name: "gold-" + namespace, protocol: "s3", ${gold} });
const keys = new july.BucketAccessClass("keys", { driver, name: "keys-" + namespace, protocol: "s3", ${keys} });
`;
  }

  /** Another namespace, with its UID. */
  async namespaced(): Promise<{ name: string; uid: string }> {
    const name = await newNamespace(this.cluster);
    return { name, uid: await this.uidOfNamespace(name) };
  }

  async uidOfNamespace(name: string): Promise<string> {
    return (await this.cluster.client.get(namespaceKind, { name }))?.metadata.uid ?? "";
  }
}
