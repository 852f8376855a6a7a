import assert from "node:assert/strict";
import * as fs from "node:fs";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { provider as accessRequestProvider } from "../../../provider/models/cosi-2020-07/access-request-binding";
import { provider as bindingProvider } from "../../../provider/models/cosi-2020-07/bucket-binding";
import { accessNameOf, bucketNameOf } from "../../../provider/models/cosi-2020-07/names";
import { readBucket, readStatus } from "../../../provider/models/cosi-2020-07/records";
import { provider as requestProvider } from "../../../provider/models/cosi-2020-07/request-binding";
import { cluster, newNamespace, stackId, type Cluster } from "../../integration/kubernetes/cluster";
import { installJuly, july, kinds } from "../../integration/kubernetes/cosi-2020-07/july";
import { createOwned, owner } from "../../integration/kubernetes/objects";
import { controllerReference } from "../cosi-2020-07";
import type { ApiProxy } from "../faults/api-proxy";
import { ClusterProxy } from "../faults/cluster-proxy";
import { SmallStack, type ProgramResource } from "../faults/small-stack";
import type { Properties } from "../lifecycle";
import { keysOf, StoringController } from "./storing-controller";

/** A stack of a request and an access to its bucket, and where its objects are. */
export interface RequestStack {
  readonly stack: SmallStack;
  readonly namespace: string;
  /** That of the driver, where the source of the Secret is. */
  readonly driverNamespace: string;
}

const accessSecretName = "web-creds";

/**
 * A driver that keeps what it makes, a real API server, and a network before the API server, in which a test acts.
 * Programs have the resources of the components of the proposal of 2020-07-08; the custom resources, which
 * `@pulumi/kubernetes` writes, do not go through that network.
 */
export class ProposalWorld {
  private constructor(
    readonly cluster: Cluster,
    readonly driver: StoringController,
    private readonly proxy: ClusterProxy,
  ) {}

  static async start(): Promise<ProposalWorld> {
    const real = await cluster();
    await installJuly(real);
    return new ProposalWorld(real, await new StoringController().start(), await ClusterProxy.start(real));
  }

  get api(): ApiProxy {
    return this.proxy.api;
  }

  async stop(): Promise<void> {
    await closeConnections();
    this.driver.fake.stop();
    await this.proxy.stop();
  }

  /** A request for a bucket under policy Delete, with an access to it, in namespaces of their own. */
  async stack(): Promise<RequestStack> {
    const namespace = await newNamespace(this.cluster);
    const driverNamespace = await newNamespace(this.cluster);
    return { namespace, driverNamespace, stack: new SmallStack(this.#program(namespace, driverNamespace)) };
  }

  /** One bucket, which is that of the state, one account, whose key both Secrets have, one binding, all Bound. */
  async assertBound({ stack, namespace, driverNamespace }: RequestStack): Promise<void> {
    const { client } = this.cluster;
    const access = accessNameOf({ namespace, name: "web" });
    assert.deepEqual([...this.driver.buckets.keys()], [stack.outputs("bucket")["name"]]);
    assert.deepEqual([...this.driver.accounts.keys()], [access]);
    const { credentials } = keysOf(access);
    const issued =
      credentials?.$case === "genericCredentials" ? credentials.value.credentials.get("accessKeyID") : "";
    for (const reference of [
      { namespace, name: accessSecretName },
      { namespace: driverNamespace, name: access },
    ]) {
      const secret = await client.get(secretKind, reference);
      const data = isRecord(secret?.["data"]) ? secret["data"] : {};
      assert.equal(Buffer.from(String(data["key"]), "base64").toString(), issued);
    }
    const bucketName = bucketNameOf({ namespace, name: "photos" });
    const objects = [
      await client.get(kinds.bucketRequest, { namespace, name: "photos" }),
      await client.get(kinds.bucket, { name: bucketName }),
      await client.get(kinds.bucketAccessRequest, { namespace, name: "web" }),
      await client.get(kinds.bucketAccess, { name: access }),
    ].filter((object) => object !== undefined);
    assert.deepEqual(
      objects.map((object) => readStatus(object).phase),
      ["Bound", "Bound", "Bound", "Bound"],
    );
    const { bindings } = readBucket(objects[1] ?? assert.fail("there is no Bucket"));
    assert.deepEqual(bindings, [`${access}:${namespace}/photos`]);
  }

  /** Neither state nor driver nor cluster has anything left. */
  async assertNothingLeft({ stack, namespace, driverNamespace }: RequestStack): Promise<void> {
    assert.deepEqual([...stack.state().keys()], []);
    assert.deepEqual([this.driver.buckets.size, this.driver.accounts.size], [0, 0]);
    const inNamespaces = await Promise.all([
      ...[namespace, driverNamespace].map((each) => this.#names(secretKind, each)),
      ...[kinds.bucketRequest, kinds.bucketAccessRequest].map((kind) => this.#names(kind, namespace)),
    ]);
    // Those of this program have its namespace in their names; other tests leave some of theirs.
    const ofCluster = await Promise.all([kinds.bucket, kinds.bucketAccess].map((kind) => this.#names(kind)));
    const own = ofCluster.flat().filter((name) => name.endsWith(`-${namespace}`));
    assert.deepEqual([...inNamespaces.flat(), ...own], []);
  }

  /** Takes back what a test does, and what it left. */
  reset(): void {
    this.api.at = () => undefined;
    this.driver.forget();
    this.driver.buckets.clear();
    this.driver.accounts.clear();
  }

  async #names({ kind, ...rest }: KubernetesKind, namespace?: string): Promise<string[]> {
    const scope = namespace === undefined ? undefined : { namespace };
    const found: readonly KubernetesObject[] = await this.cluster.client.list({ kind, ...rest }, scope);
    return found.map(({ metadata }) => `${kind} ${metadata.name}`);
  }

  #program(namespace: string, driverNamespace: string): readonly ProgramResource[] {
    const kubernetes = { kubeconfig: fs.readFileSync(this.api.kubeconfig, "utf8"), stackId };
    const provisioner = `${driverNamespace}/rgw.example.com`;
    const driver = controllerReference(this.driver.fake.endpoint, { driverName: provisioner });
    const common = { kubernetes, owner, model: july };
    const bucketName = bucketNameOf({ namespace, name: "photos" });
    const accessName = accessNameOf({ namespace, name: "web" });
    const { apiVersion } = kinds;
    type Outputs = (name: string) => Properties;
    const bucketRequest = (outputs: Outputs): Properties => ({
      namespace,
      name: "photos",
      uid: outputs("BucketRequest")["uid"],
    });
    const accessRequest = (outputs: Outputs): Properties => ({
      namespace,
      name: "web",
      uid: outputs("BucketAccessRequest")["uid"],
    });
    const account = (outputs: Outputs): Properties => ({
      name: accessName,
      uid: outputs("accessRequest")["accessUid"],
    });
    const secret = (name: string, inputs: (outputs: Outputs) => Properties): ProgramResource => ({
      name,
      provider: secretProvider,
      inputs: (outputs) => ({
        kubernetes,
        model: july,
        data: { key: outputs("access")["accessKeyId"] },
        ...inputs(outputs),
      }),
    });
    return [
      this.#object("BucketRequest", kinds.bucketRequest, () => ({
        namespace,
        name: "photos",
        spec: { protocol: "s3" },
      })),
      {
        name: "request",
        provider: requestProvider,
        inputs: (outputs) => ({
          ...common,
          resource: "photos",
          request: bucketRequest(outputs),
          protocol: "s3",
          bucketClass: {
            name: "gold",
            provisioner,
            protocol: "s3",
            releasePolicy: "Delete",
            anonymousAccessMode: "private",
            additionalPermittedNamespaces: [],
            parameters: { tier: "gold" },
          },
          provisioner,
        }),
      },
      {
        name: "bucket",
        provider: bucketProvider,
        inputs: (outputs) => ({
          driver,
          logicalName: "photos",
          name: outputs("BucketRequest")["uid"],
          protocol: "S3",
          anonymousAccess: "private",
          bucketClassName: "gold",
          parameters: { tier: "gold" },
          deletionPolicy: "Delete",
          objects: {
            ...common,
            claim: bucketRequest(outputs),
            bucket: { name: bucketName, uid: "" },
            secretName: null,
          },
        }),
      },
      this.#object("BucketAccessRequest", kinds.bucketAccessRequest, () => ({
        namespace,
        name: "web",
        spec: { bucketInstance: bucketName, bucketAccessClassName: "keys", accessSecretName },
      })),
      {
        name: "accessRequest",
        provider: accessRequestProvider,
        inputs: (outputs) => ({
          ...common,
          resource: "web",
          request: accessRequest(outputs),
          bucketRequest: { namespace, name: "photos" },
          bucketInstance: bucketName,
          bucketResource: outputs("bucket")["name"],
          accessClass: { name: "keys", provisioner, protocol: "s3", policyActions: null, parameters: {} },
          provisioner,
          accessSecretName,
        }),
      },
      {
        name: "access",
        provider: accessProvider,
        inputs: (outputs) => ({
          driver,
          logicalName: "web",
          bucketName: outputs("bucket")["name"],
          bucketId: outputs("bucket")["bucketId"],
          bucketInfo: outputs("bucket")["bucketInfo"],
          name: accessName,
          authenticationType: "Key",
          bucketAccessClassName: "keys",
          parameters: {},
          policyActions: null,
          serviceAccount: null,
          objects: {
            ...common,
            access: accessRequest(outputs),
            bucket: { name: bucketName, uid: "" },
            claim: { namespace, name: "photos" },
            secretName: accessSecretName,
            serviceAccountName: null,
            account: account(outputs),
          },
        }),
      },
      secret("source", (outputs) => ({
        namespace: driverNamespace,
        name: accessName,
        owner: { apiVersion, kind: kinds.bucketAccess.kind, ...account(outputs) },
      })),
      secret("copy", (outputs) => ({
        namespace,
        name: accessSecretName,
        owner: {
          apiVersion,
          kind: kinds.bucketAccessRequest.kind,
          name: "web",
          uid: outputs("BucketAccessRequest")["uid"],
        },
        moves: true,
      })),
      {
        name: "binding",
        provider: bindingProvider,
        inputs: (outputs) => ({
          ...common,
          bucket: bucketName,
          access: account(outputs),
          accessRequest: accessRequest(outputs),
          bucketRequest: { namespace, name: "photos" },
          provisioner,
        }),
      },
    ];
  }

  /** A custom resource as `@pulumi/kubernetes` keeps it: its deletion waits for the finalizers of others, not for long. */
  #object(
    name: string,
    kind: KubernetesKind,
    inputs: () => { namespace: string; name: string; spec: object },
  ): ProgramResource {
    const { client } = this.cluster;
    const { spec, ...reference } = inputs();
    const provider = {
      check: (_olds: Properties, news: Properties) => Promise.resolve({ inputs: news }),
      diff: () => Promise.resolve({ changes: false }),
      create: async (news: Properties) => {
        const made = await createOwned(this.cluster, kind, { ...reference, spec });
        return { id: made.metadata.name, outs: { ...news, uid: made.metadata.uid } };
      },
      delete: async () => {
        await client.delete(kind, reference);
        const held = await client.get(kind, reference);
        if (held === undefined) return;
        throw new Error(`${name} is held by ${(held.metadata.finalizers ?? []).join()}`);
      },
    };
    return { name, provider, inputs: () => ({ ...reference }) };
  }
}
