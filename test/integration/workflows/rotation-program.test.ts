import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { bucketAccessKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { accountsOf } from "../../../provider/models/account-record";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";

const configMapKind: KubernetesKind = { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" };

describe("a program that rotates the keys of a workload", function () {
  this.timeout(600_000);
  let flow: Workflow;
  let stack: Stack;

  before(async () => {
    flow = await Workflow.start();
    flow.driver.mintsKeyPerGrant = true;
    stack = await flow.stack(`${flow.programHead()}
import * as k8s from "@pulumi/kubernetes";
const bucketClaim = new cosi.objectstorage.BucketClaim("photos", {
  namespace, bucketClass: gold, protocols: ["S3"],
});
const access = new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
  rotation: { trigger: process.env.TRIGGER },
});
new k8s.core.v1.ConfigMap("workload", {
  metadata: {
    namespace, name: "workload",
    annotations: {
      checksum: access.checksum.apply(String), secret: access.secretName,
      "pulumi.com/deletionPropagationPolicy": "background",
    },
  },
});
`);
    await upAsPlanned({ TRIGGER: "1" });
  });

  /** As CI does it: what was reviewed, and nothing else. When an account's turn begins no plan can hold. */
  const upAsPlanned = async (variables: Record<string, string>): Promise<void> => {
    await stack.succeed(["preview", "--save-plan=plan.json"], variables);
    await stack.succeed(["up", "--yes", "--skip-preview", "--plan=plan.json"], variables);
  };

  after(() => flow.stop());

  const get = async (kind: KubernetesKind, name: string): Promise<KubernetesObject> => {
    const found = await flow.cluster.client.get(kind, { namespace: flow.namespace, name });
    assert.ok(found !== undefined, `${kind.kind} ${name}`);
    return found;
  };
  const revisionOf = ({ metadata }: KubernetesObject): number => Number(metadata.resourceVersion);

  it("shows the rotation in the preview, then grants, writes the Secret in place, rolls the workload, and revokes", async () => {
    const before = await get(secretKind, "photos-creds");
    const [oldKey] = flow.driver.liveKeys();
    await flow.restart();

    const steps = (await stack.plannedSteps({ TRIGGER: "2" })).filter(({ op }) => op !== "same");
    const shown = steps.map(({ op, urn }) => `${op} ${urn.slice(urn.lastIndexOf("$") + 1)}`);
    const dynamic = "pulumi-nodejs:dynamic/cosi";
    assert.ok(shown.includes(`replace ${dynamic}:BucketAccess::photos-rw`), shown.join("\n"));
    assert.ok(shown.includes(`update ${dynamic}/kubernetes:Secret::photos-rw`), shown.join("\n"));
    assert.ok(
      shown.some((step) => /^update .*ConfigMap::workload$/.test(step)),
      shown.join("\n"),
    );
    assert.deepEqual(steps.find(({ op }) => op === "replace")?.replaceReasons, ["rotation"]);
    assert.deepEqual(flow.driver.fake.calls, []);

    await upAsPlanned({ TRIGGER: "2" });
    assert.deepEqual(flow.driver.rpcs(), ["grant", "revoke"]);
    const after = await get(secretKind, "photos-creds");
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.notDeepEqual(after["data"], before["data"]);
    assert.equal(flow.driver.liveKeys().length, 1);
    assert.notEqual(flow.driver.liveKeys()[0], oldKey);

    const events = await flow.timeline.events();
    const at = (text: string): number => {
      const found = events.find((event) => event.text.startsWith(text));
      assert.ok(found !== undefined, `${text} in ${events.map((event) => event.text).join("\n")}`);
      return found.revision;
    };
    const order = [
      at("DriverGrantBucketAccess done"),
      // The only event of the Secret is the one that changes it.
      at("Secret photos-creds "),
      revisionOf(await get(configMapKind, "workload")),
      at("DriverRevokeBucketAccess received"),
    ];
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    const states = accountsOf(await get(bucketAccessKind, "photos-rw")).map(({ state }) => state);
    assert.deepEqual(states.sort(), ["active", "revoked"]);
    assert.deepEqual(
      (await stack.plannedSteps({ TRIGGER: "2" })).filter(({ op }) => op !== "same"),
      [],
    );
  });

  it("revokes in the next run what could not be revoked in this one, and says so in state and object", async () => {
    await flow.restart();
    flow.driver.refuse("revoke", { code: status.PERMISSION_DENIED, message: "not yours" });
    assert.match(await stack.fail(["up", "--yes", "--skip-preview"], { TRIGGER: "3" }), /not yours/);
    const entries = (await stack.state()).resources.filter(({ type }) => type.endsWith(":BucketAccess"));
    const accesses = entries.filter(({ urn }) => urn.includes("dynamic"));
    assert.equal(accesses.length, 2, "the old one waits for its end");
    const accounts = accountsOf(await get(bucketAccessKind, "photos-rw"));
    assert.deepEqual(accounts.map(({ state }) => state).sort(), ["active", "retiring", "revoked"]);

    await stack.up({ TRIGGER: "3" });
    assert.deepEqual(flow.driver.rpcs(), ["grant", "revoke", "revoke"]);
    assert.equal(flow.driver.liveKeys().length, 1);
  });

  it("keeps the account with --replace and a rotation, and leaves nothing after destroy", async () => {
    await flow.restart();
    const urn = (await stack.state()).resources.find(({ type }) => type.endsWith("cosi:BucketAccess"))?.urn;
    assert.ok(urn !== undefined);
    await stack.succeed(["up", "--yes", "--skip-preview", "--replace", urn], { TRIGGER: "3" });
    assert.equal(flow.driver.accounts.size, 1);
    await stack.destroy({ TRIGGER: "3" });
    assert.deepEqual([...flow.driver.accounts.keys()], []);
    assert.deepEqual([...flow.driver.buckets.keys()], []);
  });
});
