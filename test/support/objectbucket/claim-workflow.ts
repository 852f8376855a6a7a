import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { configMapKind, secretKind } from "../../../provider/kubernetes/object";
import {
  modelName,
  objectBucketClaimKind,
  objectBucketKind,
} from "../../../provider/models/objectbucket/kinds";
import { cluster, newNamespace, type Cluster } from "../../integration/kubernetes/cluster";
import { owner } from "../../integration/kubernetes/objects";
import { RecordedWorkflow } from "../workflows/recorded-workflow";
import { StoringDriver } from "../workflows/storing-driver";
import { Timeline } from "../workflows/timeline";

/** RPCs as the timeline names them. */
const rpcNames = {
  create: "DriverCreateBucket",
  delete: "DriverDeleteBucket",
  grant: "DriverGrantBucketAccess",
  revoke: "DriverRevokeBucketAccess",
} as const;

/** Installs the two kinds, once per cluster. */
export async function installObjectBuckets({ target }: Cluster): Promise<void> {
  await definitions.create({ kubernetes: target, model: modelName, owner });
}

/** A workflow of object bucket claims, served by a driver of the contract cosi.v1alpha1. */
export class ClaimWorkflow extends RecordedWorkflow<StoringDriver> {
  /**
   * @param own A cluster of the test's own, with definitions of its own.
   * @default the one that all files of a run share, with the definitions
   */
  static async start(own?: Cluster): Promise<ClaimWorkflow> {
    const kube = own ?? (await cluster());
    if (own === undefined) await installObjectBuckets(kube);
    const namespace = await newNamespace(kube);
    const driver = await new StoringDriver().start();
    const path = kube.target.kubeconfig ?? "";
    const timeline = await Timeline.start(kube.client, path, namespace, [
      { kind: objectBucketClaimKind, namespaced: true },
      { kind: objectBucketKind, namespaced: false },
      { kind: secretKind, namespaced: true },
      { kind: configMapKind, namespaced: true },
    ]);
    await timeline.whenWatchable();
    return new ClaimWorkflow({ cluster: kube, namespace, driver, timeline, kubeconfigPath: path }, rpcNames);
  }

  /** The beginning of a program: `namespace`, and a Driver `driver`. */
  programHead(): string {
    return `
import * as cosi from "pulumi-cosi";
import { objectbucket } from "pulumi-cosi";
const namespace = ${JSON.stringify(this.namespace)};
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(this.driver.fake.endpoint)}, connectTimeoutSeconds: 10, firstRetryDelayMilliseconds: 20,
});
`;
  }

  /** Another namespace. */
  otherNamespace(): Promise<string> {
    return newNamespace(this.cluster);
  }
}
