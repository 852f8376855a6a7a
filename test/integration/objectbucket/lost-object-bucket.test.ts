import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { readClaimId } from "../../../provider/models/objectbucket/claim-id";
import { finalizer, objectBucketKind } from "../../../provider/models/objectbucket/kinds";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimBench } from "../../support/objectbucket/claim-bench";

/** What the ObjectBucket does not tell any more, the state has. */
describe("a bucket that another claim is bound to, and whose own ObjectBucket is lost (object bucket claims)", function () {
  this.timeout(180_000);
  let bench: ClaimBench;

  before(async () => {
    bench = await ClaimBench.start();
  });

  beforeEach(async () => {
    bench = await bench.elsewhere();
    bench.workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await bench.workflow.stop();
  });

  const losses: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    "is gone, by hand": async (name) => {
      const { client } = bench.workflow.cluster;
      await removeFinalizers(client, objectBucketKind, { name }, undefined, [finalizer]);
      await client.delete(objectBucketKind, { name });
    },
    "has lost its additionalState": (name) =>
      bench.workflow.cluster.client.patch(objectBucketKind, { name }, { spec: { additionalState: null } }),
  };

  for (const [what, lose] of Object.entries(losses)) {
    it(`is not deleted with its claim where that ${what}`, async () => {
      const { driver } = bench.workflow;
      const maker = bench.stack("maker");
      assertEnded(await maker.up());
      const { bucket } = readClaimId(maker.id("claim"));
      const parameters = { bucketName: bucket };
      const guest = bench.stack("guest", {
        storageClass: { name: `brown-${bench.namespace}`, reclaimPolicy: "Retain", parameters },
      });
      assertEnded(await guest.up());
      await lose(String(maker.outputs("binding")["name"]));
      driver.forget();
      const { stoppedAt, message } = await maker.destroy();
      assert.equal(stoppedAt, "bucket");
      assert.match(
        message,
        new RegExp(`${bucket} .*is used by ObjectBucketClaim .*/guest too.*Next: remove`),
      );
      assert.deepEqual(driver.rpcs(), ["revoke"]);
      assert.ok(driver.buckets.has(bucket));
      assertEnded(await guest.destroy());
      assertEnded(await maker.destroy());
      assert.deepEqual(driver.rpcs(), ["revoke", "revoke", "delete"]);
      assert.deepEqual([await bench.left("maker"), await bench.left("guest")], [[], []]);
    });
  }
});
