import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import type { KubernetesKind, KubernetesObject } from "../../../provider/kubernetes/object";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { errors } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { removeByHand } from "../../support/workflows/by-hand";
import { Workflow } from "../../support/workflows/workflow";

const program = (endpoint: string, namespace: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
const bucketClass = new cosi.objectstorage.BucketClass("gold", {
  driver, name: "${namespace}-gold", deletionPolicy: "Delete",
});
new cosi.objectstorage.BucketClass("spare", { driver, name: "${namespace}-spare" });
const bucketAccessClass = new cosi.objectstorage.BucketAccessClass("keys", {
  driver, name: "${namespace}-keys", authenticationType: "Key",
});
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace: "${namespace}", bucketClass, protocols: ["S3"] });
const films = new cosi.objectstorage.BucketClaim("films", { namespace: "${namespace}", bucketClass, protocols: ["S3"] });
new cosi.objectstorage.BucketAccess("films-rw", {
  namespace: "${namespace}", bucketClaim: films, bucketAccessClass, credentialsSecretName: "films-creds",
});
`;

const told = (namespace: string): string[] => [
  `BucketClaim ${namespace}/photos`,
  `BucketAccess ${namespace}/films-rw`,
  `BucketClass ${namespace}-spare`,
];

/** @pulumi/kubernetes tells objects by their names: it would take these over at a refresh, and delete them. */
describe("objects that somebody made in the place of removed ones, on a real API server", function () {
  this.timeout(300_000);
  let workflow: Workflow;
  let stack: Stack;
  let theirs: KubernetesObject[];

  let replaced: readonly (readonly [KubernetesKind, { namespace?: string; name: string }, object])[];
  const current = (): Promise<(KubernetesObject | undefined)[]> =>
    Promise.all(replaced.map(([kind, reference]) => workflow.cluster.client.get(kind, reference)));

  before(async () => {
    workflow = await Workflow.start();
    const { driver, namespace, cluster } = workflow;
    stack = await workflow.stack(program(driver.fake.endpoint, namespace));
    await stack.up();
    const ofClaim = { bucketClaimName: "x", bucketAccessClassName: "x", credentialsSecretName: "x" };
    replaced = [
      [
        bucketClaimKind,
        { namespace, name: "photos" },
        { spec: { bucketClassName: "x", protocols: ["Azure"] } },
      ],
      [bucketAccessKind, { namespace, name: "films-rw" }, { spec: ofClaim }],
      [bucketClassKind, { name: `${namespace}-spare` }, { driverName: "x", deletionPolicy: "Delete" }],
    ];
    theirs = [];
    for (const [kind, reference, fields] of replaced) {
      await removeByHand(cluster.client, kind, reference);
      theirs.push(await cluster.client.create(kind, { metadata: { ...reference }, ...fields }));
    }
    driver.forget();
  });
  after(() => workflow.stop());

  it("are not deleted by a destroy that no refresh preceded", async () => {
    const { driver, namespace } = workflow;
    // The bucket of the claim is ours, and stays for the next steps.
    driver.refuse("delete", { code: status.FAILED_PRECONDITION, message: "not yet" });
    const text = await stack.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
    for (const object of [`BucketAccess ${namespace}/films-rw`, `BucketClass ${namespace}-spare`]) {
      const refusal = `${object} is not the one of this stack, which is gone`;
      assert.equal(errors(text).filter((error) => error.includes(refusal)).length, 1, text);
    }
    assert.deepEqual(await current(), theirs);
    assert.deepEqual(driver.rpcs(), ["delete"]);
  });

  it("are told by a refresh, and the up after it stops at them [OS1-018]", async () => {
    const { driver, namespace } = workflow;
    driver.forget();
    const refreshed = await stack.succeed(["refresh", "--yes", "--skip-preview"]);
    const text = await stack.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    for (const object of told(namespace)) {
      const warning = `warning: ${object}: the object of this name was not made by pulumi-cosi`;
      assert.ok(refreshed.includes(warning), refreshed);
      const refusal = `${object} exists and was not made by pulumi-cosi; it stays as it is`;
      assert.equal(errors(text).filter((error) => error.includes(refusal)).length, 1, text);
    }
    assert.deepEqual(await current(), theirs);
    assert.deepEqual(driver.rpcs(), []);
  });

  it("are not deleted by the destroy after it [OS1-018]", async () => {
    const { driver, namespace } = workflow;
    driver.forget();
    const text = await stack.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
    for (const object of told(namespace)) {
      const refusal = `${object} is not the one of this stack, which is gone`;
      assert.equal(errors(text).filter((error) => error.includes(refusal)).length, 1, text);
    }
    assert.deepEqual(await current(), theirs);
    assert.deepEqual(driver.rpcs(), ["delete"]);
  });

  it("are no hindrance once they are gone", async () => {
    const { driver, cluster } = workflow;
    for (const [kind, reference] of replaced) await cluster.client.delete(kind, reference);
    driver.forget();
    await stack.destroy();
    assert.deepEqual(driver.rpcs(), ["revoke", "delete"]);
    assert.deepEqual([...driver.buckets.keys(), ...driver.accounts.keys()], []);
    assert.deepEqual((await stack.state()).resources, []);
  });
});
