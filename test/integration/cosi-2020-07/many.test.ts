import assert from "node:assert/strict";
import { ProposalWorkflow } from "../../support/cosi-2020-07/proposal-workflow";
import { specOf } from "../../support/cosi-2020-07/proposal-steps";
import { kinds } from "../kubernetes/cosi-2020-07/july";

const requests = 20;

describe("twenty requests with two accesses each (COSI proposal of 2020-07-08)", function () {
  this.timeout(900_000);

  it("are all Bound after one up, and gone after one destroy [K07-033]", async () => {
    const workflow = await ProposalWorkflow.start();
    try {
      const stack = await workflow.stack(`${workflow.programHead()}
for (let index = 0; index < ${requests}; index += 1) {
  const bucketRequest = new july.BucketRequest("photos-" + index, { namespace, protocol: "s3", bucketClass: gold });
  for (const who of ["reader", "writer"]) {
    new july.BucketAccessRequest(who + "-" + index, {
      namespace, bucketRequest, bucketAccessClass: keys, accessSecretName: who + "-" + index + "-creds",
    });
  }
}
`);
      await stack.succeed(["up", "--yes", "--skip-preview"]);
      const { create, grant } = workflow.driver.requests();
      assert.deepEqual([create.length, grant.length], [requests, 2 * requests]);
      const { client } = workflow.cluster;
      const { namespace } = workflow;
      const buckets = (await client.list(kinds.bucket)).filter(({ metadata }) =>
        metadata.name.endsWith(namespace),
      );
      const bindings = buckets.flatMap((bucket) => specOf(bucket)["bindings"] as string[]);
      assert.equal(buckets.length, requests);
      assert.equal(new Set(bindings).size, 2 * requests);
      const bound = [
        ...(await client.list(kinds.bucketRequest, { namespace })),
        ...(await client.list(kinds.bucketAccessRequest, { namespace })),
        ...buckets,
        ...(await client.list(kinds.bucketAccess)).filter(({ metadata }) =>
          metadata.name.endsWith(namespace),
        ),
      ];
      assert.equal(bound.length, 6 * requests);
      assert.deepEqual(
        [...new Set(bound.map(({ status }) => (status as { phase: string }).phase))],
        ["Bound"],
      );
      await stack.succeed(["destroy", "--yes", "--skip-preview"]);
      assert.deepEqual([workflow.driver.buckets.size, workflow.driver.accounts.size], [0, 0]);
    } finally {
      await workflow.stop();
    }
  });
});
