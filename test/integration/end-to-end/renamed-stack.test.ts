import assert from "node:assert/strict";
import { customResourceDefinitionKind } from "../../../provider/kubernetes/object";
import { definitions } from "../../../provider/models/objectstorage-v1alpha1/definitions";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { obligingDriver } from "../../support/cosi-v1alpha1";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import type { FakeDriver } from "../../support/fake-driver";
import { Stack } from "../../support/stack";

const photos = { namespace: "shop", name: "photos" };

/** @param name What the program calls the component of the claim. */
const program = (name: string, settings: string, opts = "{}"): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store");
const { objectstorage } = cosi;
objectstorage.install({ removeCrds: process.env.REMOVE_CRDS === "yes" });
const bucketClass = new objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
const bucketAccessClass = new objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const bucketClaim = new objectstorage.BucketClaim(
  ${JSON.stringify(name)},
  { namespace: "shop", name: "photos", bucketClass, protocols: ["S3"], ${settings} },
  ${opts},
);
new objectstorage.BucketAccess("photos-rw", {
  namespace: "shop", bucketClaim, bucketAccessClass, credentialsSecretName: "photos-creds",
});
`;
const protecting = "";
const givingUp = "protectData: false";

describe("a renamed stack, on a real API server", function () {
  this.timeout(300_000);
  let cluster: Cluster;
  let driver: FakeDriver;
  let stack: Stack;

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    await cluster.createNamespace(photos.namespace);
    driver = await obligingDriver().start();
    stack = await Stack.create(
      { source: program("photos", protecting) },
      { ...cluster.variables, ...quickProgram, COSI_ENDPOINT: driver.endpoint },
    );
    await stack.up();
    await stack.succeed(["stack", "rename", "renamed"]);
    await stack.up();
  });
  after(async () => {
    await stack.remove();
    driver.stop();
    await cluster.stop();
  });
  beforeEach(() => {
    driver.calls.length = 0;
  });

  const rpcs = (): string[] => driver.paths().filter((rpc) => rpc !== "DriverGetInfo");

  /** As somebody does who takes the finalizer off, too. */
  async function loseClaim(): Promise<void> {
    await cluster.client.patch(bucketClaimKind, photos, { metadata: { finalizers: null } });
    await cluster.client.delete(bucketClaimKind, photos);
    await stack.succeed(["refresh", "--yes", "--skip-preview"]);
  }

  /** Loses the claim, and gives its bucket up as the refusal says. */
  async function giveUp(name: string, opts?: string): Promise<void> {
    await loseClaim();
    stack.write(program(name, protecting, opts));
    const refused = await stack.fail(["up", "--yes", "--skip-preview"]);
    assert.match(
      diagnostics(refused),
      /BucketClaim shop\/photos .* is gone, .*set protectData to false and run pulumi up/,
    );
    assert.deepEqual(rpcs(), []);
    stack.write(program(name, givingUp, opts));
    await stack.up();
    assert.deepEqual(rpcs(), [
      "DriverRevokeBucketAccess",
      "DriverDeleteBucket",
      "DriverCreateBucket",
      "DriverGrantBucketAccess",
    ]);
    assert.deepEqual(await stack.plannedSteps(), []);
  }

  it("gives a bucket whose claim is lost up by protectData: false, as the refusal says", async () => {
    await giveUp("photos");
  });

  it("does so after a rename of the claim by an alias, too", async () => {
    const alias = `{ aliases: [{ name: "photos" }] }`;
    stack.write(program("images", protecting, alias));
    await stack.up();
    assert.deepEqual(rpcs(), []);
    await giveUp("images", alias);
  });

  it("removes with removeCrds the definitions that it created under its earlier name", async () => {
    await stack.up({ REMOVE_CRDS: "yes" });
    await stack.destroy();
    for (const { metadata } of definitions)
      assert.equal(
        await cluster.client.get(customResourceDefinitionKind, metadata),
        undefined,
        metadata.name,
      );
  });
});

const july = async () => {
  const workflow = await ProposalWorkflow.start();
  const source = `${workflow.programHead()}
const photos = new july.BucketRequest("photos", { namespace, protocol: "s3", bucketClass: gold });
new july.BucketAccessRequest("web", {
  namespace, bucketRequest: photos, bucketAccessClass: keys, accessSecretName: "photos-creds", connectionKeys: true,
});`;
  return { workflow, source, ends: ["revoke", "delete"] };
};

const february = async () => {
  const workflow = await FebruaryWorkflow.start();
  const source = `${workflow.programHead()}
const gold = new february.BucketClass("gold", {
  driver, name: "gold-" + namespace, supportedProtocols: ["s3"], releasePolicy: "Delete",
});
new february.Bucket("photos", { namespace, requestProtocol: "s3", bucketClass: gold, secretName: "photos-creds" });`;
  return { workflow, source, ends: ["delete"] };
};

for (const [proposal, begin] of Object.entries({ "2020-07-08": july, "2020-02-27": february })) {
  describe(`a renamed stack of the COSI proposal of ${proposal}, on a real API server`, function () {
    this.timeout(300_000);
    let parts: Awaited<ReturnType<typeof july>> | Awaited<ReturnType<typeof february>>;
    let stack: Stack;

    before(async () => {
      parts = await begin();
      stack = await parts.workflow.stack(parts.source);
      await stack.up();
      parts.workflow.driver.forget();
      await stack.succeed(["stack", "rename", "renamed"]);
    });
    after(() => parts.workflow.stop());

    it("is replaced in no part, and its state says nothing of the earlier name once it is up", async () => {
      const steps = await stack.plannedSteps();
      assert.deepEqual(new Set(steps.map(({ op }) => op)), new Set(["update"]));
      await stack.up();
      assert.deepEqual(parts.workflow.driver.rpcs(), []);
      assert.deepEqual(await stack.plannedSteps(), []);
      assert.doesNotMatch((await stack.state()).text, /organization\/[-\w]+\/(?!renamed)/);
    });

    it("is destroyed as one that was never renamed", async () => {
      await stack.destroy();
      assert.deepEqual(parts.workflow.driver.rpcs(), parts.ends);
    });
  });
}
