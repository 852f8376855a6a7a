import assert from "node:assert/strict";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import type { KubernetesObject } from "../../../provider/kubernetes/object";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";

/** The endpoint is that of the environment; with CLAIMED there are a claim and an access too. */
const program = (namespace: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { connectTimeoutSeconds: 8 });
const bucketClass = new cosi.objectstorage.BucketClass("gold-${namespace}", { driver, deletionPolicy: "Delete" });
const bucketAccessClass = new cosi.objectstorage.BucketAccessClass("keys-${namespace}", {
  driver, authenticationType: "Key",
});
if (process.env["CLAIMED"] === "yes") {
  const bucketClaim = new cosi.objectstorage.BucketClaim("photos", {
    namespace: "${namespace}", bucketClass, protocols: ["S3"],
  });
  new cosi.objectstorage.BucketAccess("photos-rw", {
    namespace: "${namespace}", bucketClaim, bucketAccessClass, credentialsSecretName: "photos-creds",
  });
}
`;

describe("a claim that was made while the endpoint was wrong, on a real API server without a controller", function () {
  this.timeout(300_000);
  let workflow: Workflow;
  let stack: Stack;

  before(async () => {
    workflow = await Workflow.start();
    stack = await workflow.stack(program(workflow.namespace));
    await stack.up({ COSI_ENDPOINT: workflow.driver.fake.endpoint });
  });
  after(() => workflow.stop());

  const bucketsOfClaim = async (): Promise<KubernetesObject[]> =>
    (await workflow.cluster.client.list(bucketKind)).filter(({ spec }) =>
      JSON.stringify(spec).includes(`"namespace":"${workflow.namespace}"`),
    );

  it("is destroyed without a driver, since nothing was made, and leaves nothing [CASE-P07]", async () => {
    const { cluster, namespace, driver } = workflow;
    const wrong = { COSI_ENDPOINT: driver.fake.endpoint.replace("cosi.sock", "absent.sock") };
    driver.forget();
    const text = await stack.fail(["up", "--yes", "--skip-preview"], { ...wrong, CLAIMED: "yes" });
    assert.match(text, /no socket appeared at .*absent\.sock/);
    assert.equal((await cluster.client.list(bucketClaimKind, { namespace })).length, 1);

    await stack.destroy(wrong);
    assert.deepEqual((await stack.state()).resources, []);
    for (const kind of [bucketClaimKind, bucketAccessKind]) {
      assert.deepEqual(await cluster.client.list(kind, { namespace }), []);
    }
    assert.deepEqual(await bucketsOfClaim(), []);
    assert.deepEqual(driver.fake.paths(), []);
    assert.equal(driver.buckets.size, 0);
  });
});
