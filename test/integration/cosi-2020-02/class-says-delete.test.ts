import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind } from "../../../provider/kubernetes/object";
import { FebruarySteps, specOf, type BucketSteps } from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { printed } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { kinds } from "../kubernetes/cosi-2020-02/february";

const bucketIdentifier = { bucketName: "legacy", region: "eu-9" };

describe("a class of others that says Delete of a bucket that was there before (COSI proposal of 2020-02-27)", function () {
  this.timeout(180_000);
  let workflow: FebruaryWorkflow;
  let steps: FebruarySteps;

  before(async () => {
    workflow = await FebruaryWorkflow.start();
    steps = new FebruarySteps(workflow);
  });

  beforeEach(() => {
    beginRun();
    workflow.driver.forget();
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  for (const [bucketCase, calls] of [
    ["brownfield", ["grant", "revoke"]],
    ["static", []],
  ] as const) {
    it(`is overruled with a warning, and no destroy deletes the bucket: ${bucketCase} [K02-033] [K02-054]`, async () => {
      const secretRef = { namespace: workflow.sourceNamespace, name: `${bucketCase}-keys` };
      const isStatic = bucketCase === "static";
      if (isStatic) await workflow.cluster.client.create(secretKind, { metadata: secretRef });
      const bucketClass = {
        releasePolicy: "Delete",
        bucketIdentifier,
        ...(isStatic ? { provisioner: null, secretRef } : {}),
      } as const;
      let made: BucketSteps | undefined;
      const lines = await printed(async () => {
        made = await steps.up(bucketCase, { bucketClass });
      });
      assert.ok(made !== undefined);
      assert.match(
        lines.join("\n"),
        new RegExp(`releasePolicy Delete and is ${bucketCase}: .*never deleted, so Retain holds`),
      );
      const content = await workflow.cluster.client.get(kinds.bucketContent, {
        name: steps.contentName(made),
      });
      assert.equal(specOf(content)["releasePolicy"], "Retain");
      await steps.destroy(made);
      assert.deepEqual(workflow.driver.rpcs(), calls);
    });
  }
});
