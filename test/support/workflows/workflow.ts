import { cluster, newNamespace, type Cluster } from "../../integration/kubernetes/cluster";
import { installDefinitions } from "../../integration/kubernetes/objects";
import { RecordedWorkflow } from "./recorded-workflow";
import { StoringDriver } from "./storing-driver";
import { Timeline } from "./timeline";

/** RPCs as the timeline names them. */
const rpcNames = {
  create: "DriverCreateBucket",
  delete: "DriverDeleteBucket",
  grant: "DriverGrantBucketAccess",
  revoke: "DriverRevokeBucketAccess",
} as const;

/** What the classes of a program say. */
export interface ProgramOptions {
  readonly deletionPolicy?: "Delete" | "Retain";
  readonly parameters?: Readonly<Record<string, string>>;
  readonly accessParameters?: Readonly<Record<string, string>>;
}

/** A workflow of the API that lives today. */
export class Workflow extends RecordedWorkflow<StoringDriver> {
  /**
   * @param own A cluster of the test's own. It is not stopped at the end, and the definitions are not installed there.
   * @default the one that all files of a run share, with the definitions
   */
  static async start(own?: Cluster): Promise<Workflow> {
    const kube = own ?? (await cluster());
    if (own === undefined) await installDefinitions(kube);
    const namespace = await newNamespace(kube);
    const driver = await new StoringDriver().start();
    const path = kube.target.kubeconfig ?? "";
    const timeline = await Timeline.start(kube.client, path, namespace);
    if (own === undefined) await timeline.whenWatchable();
    return new Workflow({ cluster: kube, namespace, driver, timeline, kubeconfigPath: path }, rpcNames);
  }

  /**
   * The beginning of a program: a Driver `driver`, and the classes `gold` and `keys`, whose objects have names of this
   * namespace's own, as classes belong to the cluster.
   */
  programHead({
    deletionPolicy = "Delete",
    parameters = {},
    accessParameters = {},
  }: ProgramOptions = {}): string {
    const { namespace, driver } = this;
    return `
import * as cosi from "pulumi-cosi";
const namespace = ${JSON.stringify(namespace)};
const driver = new cosi.Driver("store", {
  endpoint: ${JSON.stringify(driver.fake.endpoint)}, connectTimeoutSeconds: 10, firstRetryDelayMilliseconds: 20,
});
const gold = new cosi.objectstorage.BucketClass("gold", {
  driver, name: "gold-" + namespace, deletionPolicy: ${JSON.stringify(deletionPolicy)},
  parameters: ${JSON.stringify(parameters)},
});
const keys = new cosi.objectstorage.BucketAccessClass("keys", {
  driver, name: "keys-" + namespace, authenticationType: "Key", parameters: ${JSON.stringify(accessParameters)},
});
`;
  }
}
