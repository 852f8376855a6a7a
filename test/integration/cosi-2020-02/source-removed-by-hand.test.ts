import assert from "node:assert/strict";
import { closeConnections } from "../../../provider/driver/connections";
import { secretKind } from "../../../provider/kubernetes/object";
import { FebruarySteps } from "../../support/cosi-2020-02/february-steps";
import { FebruaryWorkflow } from "../../support/cosi-2020-02/february-workflow";
import { beginRun } from "../../support/run";
import { kinds } from "../kubernetes/cosi-2020-02/february";

describe("a Bucket whose source Secret is gone (COSI proposal of 2020-02-27)", function () {
  this.timeout(180_000);
  let workflow: FebruaryWorkflow;
  let steps: FebruarySteps;

  before(async () => {
    beginRun();
    workflow = await FebruaryWorkflow.start();
    steps = new FebruarySteps(workflow);
  });

  after(async () => {
    await closeConnections();
    await workflow.stop();
  });

  it("goes in one destroy, as somebody has removed it by hand [K02-092]", async () => {
    const made = await steps.up("by-hand");
    const source = { namespace: workflow.sourceNamespace, name: steps.contentName(made) };
    await workflow.cluster.client.delete(secretKind, source);
    assert.equal(await workflow.cluster.client.get(secretKind, source), undefined);
    await steps.destroy(made);
    assert.deepEqual(workflow.driver.rpcs(), ["create", "delete"]);
    assert.equal(
      await workflow.cluster.client.get(kinds.bucket, { namespace: workflow.namespace, name: "by-hand" }),
      undefined,
    );
  });
});
