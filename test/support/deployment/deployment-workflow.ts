import { cluster, newNamespace } from "../../integration/kubernetes/cluster";
import { owner } from "../../integration/kubernetes/objects";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { defaultGroup, kindsOf, modelNameOf } from "../../../provider/models/deployment/kinds";
import { contractsUnderTest } from "../contracts-under-test";
import { FakeDriver } from "../fake-driver";
import { RecordedWorkflow } from "../workflows/recorded-workflow";
import { StoringDriver } from "../workflows/storing-driver";
import { Timeline } from "../workflows/timeline";

/** The kinds of platform.plural.sh/v1alpha1. */
export const kinds = kindsOf(defaultGroup);

/** RPCs as the timeline names them. */
const rpcNames = {
  create: "DriverCreateDeployment",
  delete: "DriverDeleteDeployment",
  grant: "DriverGrantDeploymentAccess",
  revoke: "DriverRevokeDeploymentAccess",
} as const;

/** What the classes of a program say. */
export interface ClassOptions {
  readonly deletionPolicy?: "Delete" | "Retain";
  readonly parameters?: Readonly<Record<string, string>>;
  readonly accessParameters?: Readonly<Record<string, string>>;
}

/** A workflow of deployments: a driver with a memory, a namespace of its own, and what happens at both in one list. */
export class DeploymentWorkflow extends RecordedWorkflow<StoringDriver> {
  static async start(): Promise<DeploymentWorkflow> {
    const kube = await cluster();
    await definitions.create({ kubernetes: kube.target, model: modelNameOf(defaultGroup), owner });
    const namespace = await newNamespace(kube);
    const fake = new FakeDriver(contractsUnderTest.deployment.onWire);
    const driver = await new StoringDriver("db.example.com", fake).start();
    const kubeconfigPath = kube.target.kubeconfig ?? "";
    const timeline = await Timeline.start(kube.client, kubeconfigPath, namespace, [
      { kind: kinds.deploymentRequest, namespaced: true },
      { kind: kinds.deployment, namespaced: false },
      { kind: kinds.deploymentAccess, namespaced: true },
      { kind: secretKind, namespaced: true },
    ]);
    await timeline.whenWatchable();
    return new DeploymentWorkflow({ cluster: kube, namespace, driver, timeline, kubeconfigPath }, rpcNames);
  }

  /** The beginning of a program: a Driver `driver`, and the classes `gold` and `keys`, named for this namespace. */
  programHead({
    deletionPolicy = "Delete",
    parameters = {},
    accessParameters = {},
  }: ClassOptions = {}): string {
    const { namespace, driver } = this;
    return `
import * as cosi from "pulumi-cosi";
const { Deployment, DeploymentAccess, DeploymentAccessClass, DeploymentClass, DeploymentRequest } = cosi.deployment;
const namespace = ${JSON.stringify(namespace)};
const driver = new cosi.Driver("db", {
  contract: "deployment.v1alpha1", endpoint: ${JSON.stringify(driver.fake.endpoint)},
  connectTimeoutSeconds: 10, firstRetryDelayMilliseconds: 20,
});
const gold = new DeploymentClass("gold", {
  driver, name: "gold-" + namespace, deletionPolicy: ${JSON.stringify(deletionPolicy)},
  parameters: ${JSON.stringify(parameters)},
});
const keys = new DeploymentAccessClass("keys", {
  driver, name: "keys-" + namespace, authenticationType: "Key", parameters: ${JSON.stringify(accessParameters)},
});
`;
  }

  /** The Deployment object that a request of the namespace names. */
  async deploymentOf(request: string): Promise<KubernetesObject> {
    const { client } = this.cluster;
    const found = await client.get(kinds.deploymentRequest, { namespace: this.namespace, name: request });
    const { deploymentName = "" } = (found?.["status"] ?? {}) as { deploymentName?: string };
    const deployment = await client.get(kinds.deployment, { name: deploymentName });
    if (deployment === undefined) throw new Error(`the request ${request} has no Deployment`);
    return deployment;
  }
}
