import assert from "node:assert/strict";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { secretKind } from "../../../provider/kubernetes/object";
import { bucketAccessKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Workflow } from "../../support/workflows/workflow";

describe("an access whose object somebody removed together with its finalizer", function () {
  this.timeout(300_000);
  let flow: Workflow;

  before(async () => {
    flow = await Workflow.start();
  });
  after(() => flow.stop());

  it("is granted anew, and its Secret written, by one up, also before a garbage collector has been there", async () => {
    const stack = await flow.stack(`${flow.programHead()}
const bucketClaim = new cosi.objectstorage.BucketClaim("photos", { namespace, bucketClass: gold, protocols: ["S3"] });
new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim, bucketAccessClass: keys, credentialsSecretName: "photos-creds", rotation: { trigger: 1 },
});
`);
    await stack.succeed(["up", "--yes", "--skip-preview"]);
    const { client } = flow.cluster;
    const reference = { namespace: flow.namespace, name: "photos-rw" };
    const removed = await client.get(bucketAccessKind, reference);
    const { uid, finalizers = [] } = removed?.metadata ?? {};
    await removeFinalizers(client, bucketAccessKind, reference, uid, finalizers);
    await client.delete(bucketAccessKind, reference);
    flow.driver.forget();

    await stack.succeed(["up", "--yes", "--refresh"]);
    assert.deepEqual(flow.driver.rpcs(), ["revoke", "grant"]);
    const access = await client.get(bucketAccessKind, reference);
    const secret = await client.get(secretKind, { ...reference, name: "photos-creds" });
    assert.deepEqual(
      secret?.metadata.ownerReferences?.map((owner) => owner.uid),
      [access?.metadata.uid],
    );
    await stack.succeed(["preview", "--expect-no-changes"]);
  });
});
