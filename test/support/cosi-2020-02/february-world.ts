import assert from "node:assert/strict";
import * as fs from "node:fs";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { isRecord } from "../../../provider/dynamic/values";
import { secretKind, type KubernetesKind, type ObjectReference } from "../../../provider/kubernetes/object";
import { provider as bindingProvider } from "../../../provider/models/cosi-2020-02/bucket-binding";
import { provider as contentProvider } from "../../../provider/models/cosi-2020-02/content-binding";
import { contentNameOf } from "../../../provider/models/cosi-2020-02/names";
import { readBucket, readContent } from "../../../provider/models/cosi-2020-02/records";
import { provider as sourceProvider } from "../../../provider/models/cosi-2020-02/source-secret";
import { cluster, newNamespace, stackId, type Cluster } from "../../integration/kubernetes/cluster";
import { february, installFebruary, kinds } from "../../integration/kubernetes/cosi-2020-02/february";
import { owner } from "../../integration/kubernetes/objects";
import { handlerReference, provisioner } from "../cosi-2020-02";
import type { ApiProxy } from "../faults/api-proxy";
import { ClusterProxy } from "../faults/cluster-proxy";
import { programObject } from "../faults/program-object";
import { SmallStack, type ProgramResource } from "../faults/small-stack";
import type { Properties } from "../lifecycle";
import { StoringHandler, type Rpc } from "./storing-handler";

/** Cases in which the driver is called, with the call that issues credentials, and the one that ends them. */
export const calledCases = {
  greenfield: { begin: "create", end: "delete" },
  brownfield: { begin: "grant", end: "revoke" },
} as const satisfies Record<string, { readonly begin: Rpc; readonly end: Rpc }>;

export type CalledCase = keyof typeof calledCases;

/** A stack of a Bucket, and where its objects are. */
export interface BucketStack {
  readonly stack: SmallStack;
  readonly bucketCase: CalledCase;
  readonly namespace: string;
  /** Where the source Secret is. */
  readonly sourceNamespace: string;
}

const secretName = "photos-creds";
/** The bucket that a brownfield class names. */
const existingBucket = "archive-2019";

/**
 * A driver that keeps what it makes, a real API server, and a network before the API server, in which a test acts.
 * Programs have the resources of the component Bucket of the proposal of 2020-02-27; the Bucket object, which
 * `@pulumi/kubernetes` writes, does not go through that network.
 */
export class FebruaryWorld {
  private constructor(
    readonly cluster: Cluster,
    readonly driver: StoringHandler,
    private readonly proxy: ClusterProxy,
  ) {}

  static async start(): Promise<FebruaryWorld> {
    const real = await cluster();
    await installFebruary(real);
    return new FebruaryWorld(real, await new StoringHandler().start(), await ClusterProxy.start(real));
  }

  get api(): ApiProxy {
    return this.proxy.api;
  }

  async stop(): Promise<void> {
    await closeConnections();
    this.driver.fake.stop();
    await this.proxy.stop();
  }

  /** A Bucket in namespaces of its own: a new one under policy Delete, or one that was there before. */
  async stack(bucketCase: CalledCase): Promise<BucketStack> {
    const namespace = await newNamespace(this.cluster);
    const sourceNamespace = await newNamespace(this.cluster);
    const resources = this.#program(bucketCase, namespace, sourceNamespace);
    return { bucketCase, namespace, sourceNamespace, stack: new SmallStack(resources) };
  }

  /** One bucket, which is that of the state, one account, whose key both Secrets have, and all is Bound. */
  async assertBound({ stack, bucketCase, namespace, sourceNamespace }: BucketStack): Promise<void> {
    const { client } = this.cluster;
    const made = bucketCase === "greenfield" ? [stack.outputs("bucket")["name"]] : [];
    assert.deepEqual([...this.driver.buckets.keys()], made);
    const [account, ...others] = this.driver.accounts.values();
    assert.ok(account !== undefined && others.length === 0, "there is not one account");
    const bucket = await client.get(kinds.bucket, { namespace, name: "photos" });
    assert.ok(bucket !== undefined, "there is no Bucket");
    const { uid = "" } = bucket.metadata;
    const name = contentNameOf(className(namespace), { uid });
    const content = await client.get(kinds.bucketContent, { name });
    assert.ok(content !== undefined, "there is no BucketContent");
    const { phase, isDeleting, bucketRef, secretRef, protocolFields } = readContent(content);
    const source = { namespace: sourceNamespace, name };
    assert.deepEqual(
      { phase, isDeleting, uuid: bucketRef["uuid"], secretRef, key: protocolFields["accessKeyId"] },
      { phase: "Bound", isDeleting: false, uuid: uid, secretRef: source, key: account.accessKeyId },
    );
    const told = readBucket(bucket);
    assert.deepEqual([told.phase, told.isDeleting, told.bucketContentName], ["Bound", false, name]);
    for (const reference of [source, { namespace, name: secretName }]) {
      assert.equal(await this.#keyIn(reference), account.secretKey, reference.name);
    }
  }

  /** Neither state nor driver nor cluster has anything left. */
  async assertNothingLeft({ stack, namespace, sourceNamespace }: BucketStack): Promise<void> {
    assert.deepEqual([...stack.state().keys()], []);
    assert.deepEqual([this.driver.buckets.size, this.driver.accounts.size], [0, 0]);
    const left = await Promise.all([
      ...[namespace, sourceNamespace].map((each) => this.#names(secretKind, each)),
      this.#names(kinds.bucket, namespace),
      this.#names(kinds.bucketContent),
    ]);
    // Contents of other tests have their namespace in their name.
    const contentsOfOthers = `${kinds.bucketContent.kind} `;
    assert.deepEqual(
      left.flat().filter((name) => !name.startsWith(contentsOfOthers) || name.includes(namespace)),
      [],
    );
  }

  /** Takes back what a test does, and what it left. */
  reset(): void {
    this.api.at = () => undefined;
    this.driver.forget();
    this.driver.buckets.clear();
    this.driver.accounts.clear();
  }

  async #keyIn(reference: ObjectReference): Promise<string> {
    const secret = await this.cluster.client.get(secretKind, reference);
    const data = isRecord(secret?.["data"]) ? secret["data"] : {};
    return Buffer.from(String(data["secretKey"]), "base64").toString();
  }

  async #names(kind: KubernetesKind, namespace?: string): Promise<string[]> {
    const scope = namespace === undefined ? undefined : { namespace };
    const found = await this.cluster.client.list(kind, scope);
    return found.map(({ metadata }) => `${kind.kind} ${metadata.name}`);
  }

  #program(bucketCase: CalledCase, namespace: string, sourceNamespace: string): readonly ProgramResource[] {
    const kubernetes = { kubeconfig: fs.readFileSync(this.api.kubeconfig, "utf8"), stackId };
    const common = { kubernetes, owner, model: february };
    const isNew = bucketCase === "greenfield";
    const bucketIdentifier = isNew ? null : { bucketName: existingBucket, region: "eu-1" };
    const bucketClass = {
      name: className(namespace),
      provisioner,
      supportedProtocols: ["s3"],
      accessMode: "rw",
      releasePolicy: isNew ? "Delete" : "Retain",
      bucketIdentifier,
      secretRef: null,
      parameters: isNew ? { tier: "gold" } : {},
    };
    type Outputs = (name: string) => Properties;
    const bucket = (outputs: Outputs) => ({
      namespace,
      name: "photos",
      uid: String(outputs("Bucket")["uid"]),
    });
    const content = (outputs: Outputs): string => contentNameOf(bucketClass.name, bucket(outputs));
    return [
      programObject(this.cluster, "Bucket", kinds.bucket, () => ({
        namespace,
        name: "photos",
        spec: { requestProtocol: "s3", bucketClassName: bucketClass.name, secretName },
      })),
      {
        name: "content",
        provider: contentProvider,
        inputs: (outputs) => ({
          ...common,
          resource: "photos",
          bucket: bucket(outputs),
          requestProtocol: "s3",
          bucketClass,
          isManaged: true,
          provisioner,
          secretName,
          secretTimeoutSeconds: 1,
          sourceNamespace,
        }),
      },
      {
        name: "bucket",
        provider: bucketProvider,
        inputs: (outputs) => ({
          driver: handlerReference(this.driver.fake.endpoint),
          logicalName: "photos",
          ...(bucketIdentifier === null
            ? { name: bucket(outputs).uid }
            : { existingBucketId: existingBucket, bucketIdentifier }),
          protocol: "S3",
          accessMode: bucketClass.accessMode,
          bucketClassName: bucketClass.name,
          parameters: bucketClass.parameters,
          deletionPolicy: bucketClass.releasePolicy,
          objects: {
            ...common,
            claim: bucket(outputs),
            bucket: { name: content(outputs), uid: "" },
            secretName: null,
          },
        }),
      },
      {
        name: "source",
        provider: sourceProvider,
        inputs: (outputs) => ({
          ...common,
          content: content(outputs),
          bucket: bucket(outputs),
          namespace: sourceNamespace,
          data: outputs("bucket")["credentials"],
          provisioner,
        }),
      },
      {
        name: "binding",
        provider: bindingProvider,
        inputs: (outputs) => ({
          ...common,
          content: content(outputs),
          bucket: bucket(outputs),
          secretName,
          secretTimeoutSeconds: 1,
          source: { namespace: sourceNamespace, name: content(outputs) },
          revision: outputs("bucket")["checksum"],
          provisioner,
        }),
      },
    ];
  }
}

/** Contents of it have the namespace in their names. */
function className(namespace: string): string {
  return `gold-${namespace}`;
}
