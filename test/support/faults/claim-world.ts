import assert from "node:assert/strict";
import * as fs from "node:fs";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { isRecord } from "../../../provider/dynamic/values";
import { secretKind } from "../../../provider/kubernetes/object";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { provider as bindingProvider } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";
import {
  apiVersion,
  bucketAccessKind,
  bucketClaimKind,
  finalizers,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { cluster, newNamespace, stackId, type Cluster } from "../../integration/kubernetes/cluster";
import { installDefinitions, owner } from "../../integration/kubernetes/objects";
import { driverName } from "../cosi-v1alpha1";
import type { Properties } from "../lifecycle";
import { quickSettings } from "../settings";
import { StoringDriver } from "../workflows/storing-driver";
import type { ApiProxy } from "./api-proxy";
import { ClusterProxy } from "./cluster-proxy";
import { programObject } from "./program-object";
import { SmallStack, type ProgramResource } from "./small-stack";

const secretName = "rw-creds";

/** A stack of a claim and an access to it, and where its objects are. */
export interface ClaimStack {
  readonly stack: SmallStack;
  readonly namespace: string;
}

/**
 * A driver that keeps what it makes, a real API server, and a network before the API server, in which a test acts.
 * Programs have the resources of the components of objectstorage.k8s.io/v1alpha1; the custom resources, which
 * `@pulumi/kubernetes` writes, do not go through that network.
 */
export class ClaimWorld {
  private constructor(
    readonly cluster: Cluster,
    readonly driver: StoringDriver,
    private readonly proxy: ClusterProxy,
  ) {}

  static async start(): Promise<ClaimWorld> {
    const real = await cluster();
    await installDefinitions(real);
    return new ClaimWorld(real, await new StoringDriver().start(), await ClusterProxy.start(real));
  }

  get api(): ApiProxy {
    return this.proxy.api;
  }

  async stop(): Promise<void> {
    await closeConnections();
    this.driver.fake.stop();
    await this.proxy.stop();
  }

  /** A claim, its bucket under policy Delete, an access to it and its Secret, in a namespace of their own. */
  async stack(): Promise<ClaimStack> {
    const namespace = await newNamespace(this.cluster);
    return { namespace, stack: new SmallStack(this.#program(namespace)) };
  }

  /** What the driver holds, in numbers: buckets, and access keys that work. */
  holds(): { buckets: number; keys: number } {
    return { buckets: this.driver.buckets.size, keys: this.driver.liveKeys().length };
  }

  /** One bucket, one key, which is that of state and Secret. */
  async assertGranted({ stack, namespace }: ClaimStack): Promise<void> {
    assert.deepEqual(this.holds(), { buckets: 1, keys: 1 });
    assert.deepEqual(this.driver.liveKeys(), [stack.outputs("access")["accessKeyId"]]);
    const secret = await this.cluster.client.get(secretKind, { namespace, name: secretName });
    const data = isRecord(secret?.["data"]) ? secret["data"] : {};
    const written = Buffer.from(String(data["key"]), "base64").toString();
    assert.equal(written, stack.outputs("access")["accessSecretKey"]);
  }

  /** Neither state nor driver nor namespace has anything left. A custom resource that is held has stopped the run. */
  async assertNothingLeft({ stack, namespace }: ClaimStack): Promise<void> {
    assert.deepEqual([...stack.state().keys()], []);
    assert.deepEqual(this.holds(), { buckets: 0, keys: 0 });
    assert.deepEqual(await this.cluster.client.list(secretKind, { namespace }), []);
  }

  /** Takes back what a test does, and what it left. */
  reset(): void {
    this.api.at = () => undefined;
    this.api.atRead = () => undefined;
    this.driver.forget();
    this.driver.buckets.clear();
    this.driver.accounts.clear();
  }

  #program(namespace: string): readonly ProgramResource[] {
    const settings = quickSettings(this.driver.fake.endpoint);
    const kubernetes = { kubeconfig: fs.readFileSync(this.api.kubeconfig, "utf8"), stackId };
    const parameters = { tier: "hot" };
    type Outputs = (name: string) => Properties;
    const driver = (outputs: Outputs): Properties => ({
      ...settings,
      driverName,
      seed: outputs("driver")["seed"],
    });
    const claim = (outputs: Outputs): Properties => ({
      namespace,
      name: "photos",
      uid: outputs("BucketClaim")["uid"],
    });
    const bucket = (outputs: Outputs): Properties => ({
      name: outputs("binding")["bucketName"],
      uid: outputs("binding")["bucketUid"],
    });
    return [
      { name: "driver", provider: driverProvider, inputs: () => ({ ...settings, logicalName: namespace }) },
      programObject(this.cluster, "BucketClaim", bucketClaimKind, () => ({
        namespace,
        name: "photos",
        spec: { bucketClassName: "gold", protocols: ["S3"] },
      })),
      {
        name: "binding",
        provider: bindingProvider,
        inputs: (outputs) => ({
          kubernetes,
          owner,
          resource: "photos",
          claim: claim(outputs),
          bucketClass: { name: "gold", driverName, deletionPolicy: "Delete", parameters },
          bucketFields: { deletionPolicy: "Delete", protocols: ["S3"] },
          bucketNameFormat: "v0.2.2",
        }),
      },
      {
        name: "bucket",
        provider: bucketProvider,
        inputs: (outputs) => ({
          driver: driver(outputs),
          logicalName: namespace,
          name: outputs("binding")["bucketName"],
          bucketClassName: "gold",
          parameters,
          deletionPolicy: "Delete",
          objects: { model: modelName, kubernetes, owner, claim: claim(outputs), bucket: bucket(outputs) },
        }),
      },
      programObject(this.cluster, "BucketAccess", bucketAccessKind, () => ({
        namespace,
        name: "rw",
        spec: {
          bucketClaimName: "photos",
          bucketAccessClassName: "keys",
          credentialsSecretName: secretName,
        },
      })),
      {
        name: "access",
        provider: accessProvider,
        inputs: (outputs) => ({
          driver: driver(outputs),
          logicalName: `${namespace}-rw`,
          name: `ba-${String(outputs("BucketAccess")["uid"])}`,
          bucketName: outputs("bucket")["name"],
          bucketId: outputs("bucket")["bucketId"],
          bucketInfo: outputs("bucket")["bucketInfo"],
          objects: {
            model: modelName,
            kubernetes,
            owner,
            access: { namespace, name: "rw", uid: outputs("BucketAccess")["uid"] },
            bucket: bucket(outputs),
            claim: { namespace, name: "photos" },
            secretName,
          },
        }),
      },
      {
        name: "Secret",
        provider: secretProvider,
        inputs: (outputs) => ({
          kubernetes,
          namespace,
          name: secretName,
          owner: {
            apiVersion,
            kind: bucketAccessKind.kind,
            name: "rw",
            uid: outputs("BucketAccess")["uid"],
          },
          data: { key: outputs("access")["accessSecretKey"] },
          finalizer: finalizers.secret,
          model: modelName,
          stack: owner,
        }),
      },
    ];
  }
}
