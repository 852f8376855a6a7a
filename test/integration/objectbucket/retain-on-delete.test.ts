import assert from "node:assert/strict";
import { objectBucketClaimKind } from "../../../provider/models/objectbucket/kinds";
import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import type { Stack } from "../../support/stack";

describe("a claim with retainOnDelete, by the real CLI (object bucket claims)", function () {
  this.timeout(300_000);
  let workflow: ClaimWorkflow;
  let stack: Stack;

  before(async () => {
    workflow = await ClaimWorkflow.start();
    stack = await workflow.stack(`${workflow.programHead()}
const gold = new objectbucket.StorageClass("gold", { driver, name: "gold-" + namespace, reclaimPolicy: "Delete" });
new objectbucket.ObjectBucketClaim("photos", { namespace, storageClass: gold, generateBucketName: "photos" }, { retainOnDelete: true });
`);
    await stack.succeed(["up", "--yes", "--skip-preview"]);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "grant"]);
    workflow.driver.forget();
  });

  after(() => workflow.stop());

  it("sends nothing to the driver when the stack goes, and bucket, key and claim stay [OBC-094]", async () => {
    const { driver, cluster, namespace } = workflow;
    await stack.succeed(["destroy", "--yes", "--skip-preview"]);
    assert.deepEqual((await stack.state()).resources, []);
    assert.deepEqual(driver.rpcs(), []);
    assert.deepEqual([driver.buckets.size, driver.liveKeys().length], [1, 1]);
    assert.ok(await cluster.client.get(objectBucketClaimKind, { namespace, name: "photos" }));
  });
});
