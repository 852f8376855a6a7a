import assert from "node:assert/strict";
import { connectKubernetes, type KubernetesClient } from "../../../provider/kubernetes/client";
import { provider } from "../../../provider/kubernetes/custom-resource-definitions";
import { customResourceDefinitionKind } from "../../../provider/kubernetes/object";
import { definitions } from "../../../provider/models/objectbucket/definitions";
import { modelName, objectBucketClaimKind } from "../../../provider/models/objectbucket/kinds";
import { startControlPlane } from "../../../tools/local/control-plane";
import type { ControlPlane } from "../../../tools/local/control-plane-access";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { owner } from "../kubernetes/objects";

const claims = "objectbucketclaims.objectbucket.io";
const buckets = "objectbuckets.objectbucket.io";

describe("the definitions of object bucket claims on a server without any", function () {
  this.timeout(180_000);
  const installed = new Lifecycle(provider);
  let plane: ControlPlane;
  let client: KubernetesClient;

  // A server for each test: one takes minutes, now and then, to end a definition that it has just begun to serve.
  beforeEach(async () => {
    plane = await startControlPlane({ controllerManager: false });
    client = await connectKubernetes({ kubeconfig: plane.kubeconfig });
  });

  afterEach(() => plane.stop());

  const inputs = (changes: Properties = {}): Properties => ({
    kubernetes: { kubeconfig: plane.kubeconfig },
    model: modelName,
    owner,
    ...changes,
  });
  /** Name and UID of those that are there, as their status changes by itself. */
  const present = async (): Promise<[name: string, uid: string][]> =>
    (await client.list(customResourceDefinitionKind))
      .map(({ metadata }): [string, string] => [metadata.name, metadata.uid ?? ""])
      .filter(([name]) => name.endsWith(".objectbucket.io"))
      .sort();
  const names = async (): Promise<string[]> => (await present()).map(([name]) => name);

  it("are installed by the first up, and stay when the stack goes [OBC-013]", async () => {
    assert.deepEqual(await names(), []);
    const { outputs } = await installed.create(inputs());
    assert.deepEqual(await names(), [claims, buckets]);
    const before = await present();
    await installed.delete(outputs);
    assert.deepEqual(await present(), before);
  });

  it("go with removeCrds, but not while somebody's claim is there, which is named [OBC-013]", async () => {
    const { outputs } = await installed.create(inputs({ removeCrds: true }));
    const foreign = { namespace: "default", name: "of-others" };
    await client.create(objectBucketClaimKind, { metadata: foreign, spec: { storageClassName: "theirs" } });
    await assert.rejects(
      installed.delete(outputs),
      /removeCrds: true would delete ObjectBucketClaim default\/of-others with its definition/,
    );
    assert.deepEqual(await names(), [claims, buckets]);
    await client.delete(objectBucketClaimKind, foreign);
    await installed.delete(outputs);
    assert.deepEqual(await names(), []);
  });

  it("go with removeCrds only as far as this stack has made them [OBC-013]", async () => {
    const theirs = definitions.find(({ metadata }) => metadata.name === claims);
    assert.ok(theirs !== undefined);
    await client.create(customResourceDefinitionKind, theirs);
    const before = await present();
    const { outputs } = await installed.create(inputs({ removeCrds: true }));
    assert.deepEqual(await names(), [claims, buckets]);
    await installed.delete(outputs);
    assert.deepEqual(await present(), before);
  });
});
