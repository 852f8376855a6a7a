import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { closeConnections } from "../../../provider/driver/connections";
import { connectKubernetes } from "../../../provider/kubernetes/client";
import { provider as definitionsProvider } from "../../../provider/kubernetes/custom-resource-definitions";
import {
  customResourceDefinitionKind,
  namespaceKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import {
  modelName,
  objectBucketClaimKind,
  objectBucketKind,
} from "../../../provider/models/objectbucket/kinds";
import { startControlPlane } from "../../../tools/local/control-plane";
import type { ControlPlane } from "../../../tools/local/control-plane-access";
import { assertEnded, SmallStack } from "../../support/faults/small-stack";
import { Lifecycle } from "../../support/lifecycle";
import { claimProgram, type ClaimPlace } from "../../support/objectbucket/claim-program";
import { StoringDriver } from "../../support/workflows/storing-driver";
import { stackId, type Cluster } from "../kubernetes/cluster";
import { owner } from "../kubernetes/objects";

/** The definitions as operators install them, who know less of an ObjectBucket, or other phases. */
function definition(
  names: { readonly kind: string; readonly plural: string },
  scope: "Cluster" | "Namespaced",
  properties: object,
  phase: object,
): KubernetesObject {
  const { kind, plural } = names;
  return {
    metadata: { name: `${plural}.objectbucket.io` },
    spec: {
      group: "objectbucket.io",
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", properties },
                status: { type: "object", properties: { phase: { type: "string", ...phase } } },
              },
            },
          },
        },
      ],
    },
  };
}

const text = { type: "string" };
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const claimFields = {
  storageClassName: text,
  bucketName: text,
  generateBucketName: text,
  objectBucketName: text,
  additionalConfig: open,
};

describe("object bucket claims where an operator's definitions are installed", function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let cluster: Cluster;
  let driver: StoringDriver;
  let place: ClaimPlace;
  const generation = async (plural: string): Promise<unknown> => {
    const found = await cluster.client.get(customResourceDefinitionKind, {
      name: `${plural}.objectbucket.io`,
    });
    return [found?.metadata.uid, (found?.metadata as { generation?: number }).generation];
  };

  before(async () => {
    plane = await startControlPlane({ controllerManager: false });
    const target = { kubeconfig: plane.kubeconfig, stackId };
    cluster = {
      target,
      client: await connectKubernetes(target),
      server: plane.server,
      kubeconfig: await readFile(plane.kubeconfig, "utf8"),
    };
    const { client } = cluster;
    await client.create(namespaceKind, { metadata: { name: "shop" } });
    const phases = { enum: ["Pending", "Bound", "Released", "Failed"] };
    for (const wanted of [
      definition(objectBucketClaimKind, "Namespaced", claimFields, phases),
      // The reference to the claim is there, and all its fields are dropped.
      definition(
        objectBucketKind,
        "Cluster",
        {
          storageClassName: text,
          reclaimPolicy: text,
          claimRef: { type: "object" },
          endpoint: open,
          additionalState: open,
        },
        {},
      ),
    ])
      await client.create(customResourceDefinitionKind, wanted);
    driver = await new StoringDriver().start();
    place = { namespace: "shop", target, endpoint: driver.fake.endpoint };
  });

  after(async () => {
    await closeConnections();
    driver.fake.stop();
    await plane.stop();
  });

  it("uses them as they are, and leaves them [OBC-013] [OBC-018]", async () => {
    const before = [await generation("objectbuckets"), await generation("objectbucketclaims")];
    const installed = new Lifecycle(definitionsProvider);
    const inputs = { kubernetes: cluster.target, model: modelName, owner, removeCrds: true };
    const { outputs } = await installed.create(inputs);
    assert.deepEqual(outputs["created"], []);
    await installed.delete(outputs);
    assert.deepEqual([await generation("objectbuckets"), await generation("objectbucketclaims")], before);
  });

  it("keeps the claim of an ObjectBucket in an annotation where they drop it, with one warning, and finds it at the end [OBC-018]", async () => {
    const stack = new SmallStack(claimProgram(place, "photos"));
    const made = await stack.up();
    assertEnded(made);
    const told = made.warnings.filter((line) => line.includes("pulumi-cosi/claim-ref"));
    assert.equal(told.length, 1);
    const found = await cluster.client.get(objectBucketKind, { name: "obc-shop-photos" });
    assert.deepEqual((found?.["spec"] as Record<string, unknown>)["claimRef"], {});
    assert.match(found?.metadata.annotations?.["pulumi-cosi/claim-ref"] ?? "", /"name":"photos".*"uid":"/);
    const again = await stack.refresh();
    assertEnded(again);
    assertEnded(await stack.up());
    assert.deepEqual(driver.rpcs(), ["create", "grant"]);
    assertEnded(await stack.destroy());
    for (const kind of [objectBucketKind, objectBucketClaimKind])
      assert.deepEqual(await cluster.client.list(kind), []);
  });

  it("refuses phases that they do not allow, before any call [OBC-095]", async () => {
    driver.forget();
    const { message } = await new SmallStack(
      claimProgram(place, "lower", { inputs: { dialect: "seed" } }),
    ).up();
    assert.match(message, /objectbucketclaims.objectbucket.io allows Pending, Bound, Released, Failed only/);
    assert.deepEqual(driver.rpcs(), []);
  });

  it("refuses the fields of the design document where they are dropped, before any call [OBC-028]", async () => {
    const { client } = cluster;
    await client.delete(customResourceDefinitionKind, { name: "objectbucketclaims.objectbucket.io" });
    for (;;) {
      try {
        await client.create(
          customResourceDefinitionKind,
          definition(objectBucketClaimKind, "Namespaced", claimFields, {}),
        );
        break;
      } catch {
        // Its deletion takes the server a moment.
      }
    }
    const { message } = await new SmallStack(
      claimProgram(place, "fields", { inputs: { dialect: "seed" } }),
    ).up();
    assert.match(
      message,
      /writes spec.connection, and CustomResourceDefinition objectbuckets.objectbucket.io has no such field/,
    );
    assert.deepEqual(driver.rpcs(), []);
  });
});
