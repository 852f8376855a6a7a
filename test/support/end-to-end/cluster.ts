import * as fs from "node:fs";
import * as path from "node:path";
import { isRecord } from "../../../provider/dynamic/values";
import { connectKubernetes, type KubernetesClient } from "../../../provider/kubernetes/client";
import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import {
  customResourceDefinitionKind,
  namespaceKind,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import { kindsOf as kindsOfFebruary } from "../../../provider/models/cosi-2020-02/kinds";
import { kindsOf } from "../../../provider/models/cosi-2020-07/kinds";
import { defaultGroup, kindsOf as kindsOfDeployment } from "../../../provider/models/deployment/kinds";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
  group,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startControlPlane } from "../../../tools/local/control-plane";
import type { ControlPlane } from "../../../tools/local/control-plane-access";
import { freePorts } from "../../../tools/local/free-ports";
import { forgetCluster, watchCluster } from "./watched-clusters";

/** The kinds of objectstorage.k8s.io/v1alpha1. */
export const objectStorageKinds: readonly KubernetesKind[] = [
  bucketClassKind,
  bucketAccessClassKind,
  bucketClaimKind,
  bucketKind,
  bucketAccessKind,
];

const july = kindsOf("cosi.io");

/** The kinds of the COSI proposal of 2020-07-08. */
export const proposalKinds: readonly KubernetesKind[] = [
  july.bucketClass,
  july.bucketAccessClass,
  july.bucketRequest,
  july.bucket,
  july.bucketAccessRequest,
  july.bucketAccess,
];

const february = kindsOfFebruary("cosi.io");

/** The kinds of the COSI proposal of 2020-02-27. */
export const februaryKinds: readonly KubernetesKind[] = [
  february.bucketClass,
  february.bucket,
  february.bucketContent,
];

const deployment = kindsOfDeployment(defaultGroup);

/** The kinds of platform.plural.sh/v1alpha1. */
export const deploymentKinds: readonly KubernetesKind[] = [
  deployment.deploymentClass,
  deployment.deploymentAccessClass,
  deployment.deploymentRequest,
  deployment.deployment,
  deployment.deploymentAccess,
];

const otherKinds: readonly KubernetesKind[] = [
  namespaceKind,
  { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" },
  { apiVersion: "v1", kind: "Event", plural: "events" },
  { apiVersion: "v1", kind: "ServiceAccount", plural: "serviceaccounts" },
];

/** A real API server, and what the tests ask it. */
export class Cluster {
  private constructor(
    readonly plane: ControlPlane,
    readonly client: KubernetesClient,
  ) {}

  /** @param options Without the controller manager nobody deletes what is in a namespace, and nobody collects garbage. */
  static async start(options: { controllerManager: boolean }): Promise<Cluster> {
    const plane = await startControlPlane(options);
    const cluster = new Cluster(plane, await connectKubernetes({ kubeconfig: plane.kubeconfig }));
    watchCluster(cluster);
    return cluster;
  }

  /** For the environment of the commands. */
  get variables(): Record<string, string> {
    return { KUBECONFIG: this.plane.kubeconfig };
  }

  /** The same for a cluster at an address where nobody listens. */
  async unreachable(folder: string): Promise<Record<string, string>> {
    const [port] = await freePorts(1);
    const text = fs.readFileSync(this.plane.kubeconfig, "utf8");
    const KUBECONFIG = path.join(folder, "unreachable-kubeconfig");
    fs.writeFileSync(KUBECONFIG, text.replaceAll(this.plane.server, `https://127.0.0.1:${String(port)}`));
    return { KUBECONFIG };
  }

  /** The object. @throws Error if there is none. */
  async get(kind: KubernetesKind, name: string, namespace?: string): Promise<KubernetesObject> {
    const found = await this.client.get(kind, { name, namespace });
    if (found === undefined) throw new Error(`there is no ${kind.kind} ${name}`);
    return found;
  }

  createNamespace(name: string): Promise<KubernetesObject> {
    return this.client.create(namespaceKind, { metadata: { name } });
  }

  /** `<kind> <name>` of every object of objectstorage.k8s.io and of every Secret of a namespace. */
  async objects(namespace: string): Promise<string[]> {
    const ofModel = await Promise.all(
      objectStorageKinds.map(async (kind) => named(kind, await this.client.list(kind))),
    );
    return [...ofModel.flat(), ...named(secretKind, await this.client.list(secretKind, { namespace }))];
  }

  /** Everything in the cluster that is no Secret, as text by kind. */
  async textOfAllButSecrets(): Promise<Record<string, string>> {
    const entries = [...objectStorageKinds, ...proposalKinds, ...deploymentKinds, ...otherKinds].map(
      async (kind) =>
        [`${kind.kind} of ${kind.apiVersion}`, JSON.stringify(await this.client.list(kind))] as const,
    );
    // The other kinds of that proposal have the names of the later one.
    const contents = await this.client.list(february.bucketContent);
    const text = JSON.stringify(contents.map(withoutIdentity));
    return { ...Object.fromEntries(await Promise.all(entries)), "BucketContent of cosi.io/v1alpha1": text };
  }

  /** UID and version of every object that the package could write, by kind and name; any write changes it. */
  async snapshot(): Promise<Record<string, string>> {
    const kinds = [...objectStorageKinds, secretKind, customResourceDefinitionKind];
    const entries = kinds.map(async (kind) =>
      (await this.client.list(kind)).map(
        ({ metadata: { namespace = "", name, uid = "", resourceVersion = "" } }) =>
          [`${kind.kind} ${namespace}/${name}`, `${uid} ${resourceVersion}`] as const,
      ),
    );
    return Object.fromEntries((await Promise.all(entries)).flat());
  }

  /** Installs the definitions of objectstorage.k8s.io, as a stack would. */
  async installDefinitions(): Promise<void> {
    const kubernetes = { kubeconfig: this.plane.kubeconfig };
    await definitions.create({ kubernetes, model: modelName, owner: "organization/base/test" });
  }

  /** Names of the definitions of objectstorage.k8s.io. */
  async definitions(): Promise<string[]> {
    const all = await this.client.list(customResourceDefinitionKind);
    return all.map(({ metadata }) => metadata.name).filter((name) => name.endsWith(`.${group}`));
  }

  async stop(): Promise<void> {
    forgetCluster(this);
    await this.plane.stop();
  }
}

function named({ kind }: KubernetesKind, objects: readonly KubernetesObject[]): string[] {
  return objects.map(({ metadata }) => `${kind} ${metadata.name}`);
}

/** A BucketContent without what the proposal has it say of an account: its names, which log nobody in (K02-043, K02-107). */
function withoutIdentity({ spec, ...object }: KubernetesObject): Record<string, unknown> {
  const { protocolS3, protocolGcs, protocolAzureBlob, ...others } = isRecord(spec) ? spec : {};
  const blocks = [protocolS3, protocolGcs, protocolAzureBlob].filter(isRecord).map((block) => {
    return Object.fromEntries(Object.entries(block).filter(([field]) => !identityFields.includes(field)));
  });
  return { ...object, spec: { ...others, blocks } };
}

const identityFields: readonly string[] = [
  "accessKeyId",
  "userName",
  "privateKeyName",
  "serviceAccount",
  "storageAccountName",
];
