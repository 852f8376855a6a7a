import assert from "node:assert/strict";
import * as fs from "node:fs";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import {
  configMapKind,
  secretKind,
  type KubernetesKind,
  type ObjectMetadata,
  type ObjectReference,
} from "../../../provider/kubernetes/object";
import { objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import {
  apiVersion,
  bucketAccessKind,
  finalizers,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { FebruaryWorld } from "../../support/cosi-2020-02/february-world";
import type { ApiProxy } from "../../support/faults/api-proxy";
import { ClusterProxy } from "../../support/faults/cluster-proxy";
import { assertEnded } from "../../support/faults/small-stack";
import { Lifecycle } from "../../support/lifecycle";
import { ClaimWorld } from "../../support/objectbucket/claim-world";
import { cluster, newNamespace, stackId, type Cluster } from "./cluster";
import { accessTo, claimedBucket, installDefinitions } from "./objects";

const foreignFinalizer = "example.com/backup";

/** An operator writes into our object between our read and our write. */
describe("finalizers and owners that others put on while this package writes", function () {
  this.timeout(180_000);
  let kube: Cluster;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  /** An owner that is there: the server looks for none. */
  async function foreignOwner(namespace: string) {
    const { metadata } = await kube.client.create(configMapKind, { metadata: { namespace, name: "backup" } });
    return { apiVersion: "v1", kind: "ConfigMap", name: metadata.name, uid: metadata.uid ?? "" };
  }

  /** Has somebody write before the first request of ours that fits. @returns what takes it back. */
  function meanwhile(api: ApiProxy, request: RegExp, write: () => Promise<unknown>): () => void {
    let isDone = false;
    api.at = async ({ stage, method, path }) => {
      if (isDone || stage === "after" || !request.test(`${method} ${path}`)) return undefined;
      isDone = true;
      await write();
      return undefined;
    };
    return () => {
      api.at = () => undefined;
      assert.ok(isDone, "the write did not come");
    };
  }

  async function metadataOf(kind: KubernetesKind, reference: ObjectReference): Promise<ObjectMetadata> {
    const found = await kube.client.get(kind, reference);
    return found?.metadata ?? assert.fail(`there is no ${kind.kind}`);
  }

  /** Adds to what is there by then. */
  async function add(kind: KubernetesKind, reference: ObjectReference, change: Partial<ObjectMetadata>) {
    const { finalizers: live = [], ownerReferences: owners = [] } = await metadataOf(kind, reference);
    const metadata = {
      finalizers: [...live, ...(change.finalizers ?? [])],
      ownerReferences: [...owners, ...(change.ownerReferences ?? [])],
    };
    await kube.client.patch(kind, reference, { metadata });
  }

  it("stay on a Secret of credentials, which is brought to what it should be", async () => {
    const proxy = await ClusterProxy.start(kube);
    const provider = new Lifecycle(secretProvider);
    const namespace = await newNamespace(kube);
    const { access, secretName } = await accessTo(kube, await claimedBucket(kube, namespace), "rw");
    const inputs = {
      kubernetes: { kubeconfig: fs.readFileSync(proxy.api.kubeconfig, "utf8"), stackId },
      namespace,
      name: secretName,
      owner: { apiVersion, kind: bucketAccessKind.kind, name: access.name, uid: access.uid },
      data: { key: "first" },
      finalizer: finalizers.secret,
      model: modelName,
    };
    const reference = { namespace, name: secretName };
    const { outputs } = await provider.create(inputs);
    const owner = await foreignOwner(namespace);
    const found = meanwhile(proxy.api, /^PATCH \S+\/secrets\//, () =>
      add(secretKind, reference, { finalizers: [foreignFinalizer], ownerReferences: [owner] }),
    );
    await provider.update(outputs, { ...inputs, data: { key: "second" } });
    found();
    const after = await kube.client.get(secretKind, reference);
    assert.deepEqual(after?.["data"], { key: Buffer.from("second").toString("base64") });
    const { metadata } = after;
    assert.deepEqual(new Set(metadata.finalizers), new Set([finalizers.secret, foreignFinalizer]));
    const owners = metadata.ownerReferences?.map(({ uid }) => uid);
    assert.deepEqual(new Set(owners), new Set([access.uid, owner.uid]));
    await kube.client.patch(secretKind, reference, { metadata: { finalizers: null } });
    await proxy.stop();
  });

  it("stay on an ObjectBucket, which is brought to what it should be", async () => {
    const world = await ClaimWorld.start();
    const made = await world.claimFor("greenfield", "update");
    const name = objectBucketNameOf({ namespace: made.namespace, name: "photos" });
    const found = meanwhile(world.api, /^PATCH \S+\/objectbuckets\/[^/]+$/, () =>
      add(objectBucketKind, { name }, { finalizers: [foreignFinalizer] }),
    );
    assertEnded(await world.run(made, "update"));
    found();
    const { finalizers: live = [], annotations } = await metadataOf(objectBucketKind, { name });
    assert.ok(live.includes(foreignFinalizer), live.join());
    assert.equal(annotations?.["note"], made.choice.note);
    await removeFinalizers(kube.client, objectBucketKind, { name }, undefined, [foreignFinalizer]);
    await world.assertBound(made);
    assertEnded(await made.stack.destroy());
    await world.stop();
  });

  it("stay on the copy of a Secret, which is brought to what its original is", async () => {
    const world = await FebruaryWorld.start();
    const made = await world.stack("greenfield");
    assertEnded(await made.stack.up());
    const reference = { namespace: made.namespace, name: "photos-creds" };
    await kube.client.patch(secretKind, reference, { data: { secretKey: "ZWRpdGVk" } });
    assertEnded(await made.stack.refresh());
    const owner = await foreignOwner(made.namespace);
    const found = meanwhile(world.api, /^PATCH \S+\/secrets\/photos-creds$/, () =>
      add(secretKind, reference, { ownerReferences: [owner] }),
    );
    assertEnded(await made.stack.up());
    found();
    const { ownerReferences } = await metadataOf(secretKind, reference);
    assert.ok(
      ownerReferences?.some(({ uid }) => uid === owner.uid),
      "the owner is lost",
    );
    await world.assertBound(made);
    assertEnded(await made.stack.destroy());
    await world.stop();
  });
});
