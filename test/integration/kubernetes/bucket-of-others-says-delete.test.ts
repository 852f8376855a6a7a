import assert from "node:assert/strict";
import { provider } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";
import { bucketClaimKind, bucketKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { createOwned, installDefinitions, owner } from "./objects";

describe("a claim of a static Bucket that was made elsewhere", function () {
  this.timeout(120_000);
  const binding = new Lifecycle(provider);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    beginRun();
    namespace = await newNamespace(kube);
  });

  /** A Bucket that no stack has made, and the inputs of a claim that takes it. */
  async function bucketOfOthers(deletionPolicy: string): Promise<{ name: string; inputs: Properties }> {
    const name = `archive-${namespace}`;
    const spec = {
      driverName: "d",
      bucketClassName: "gold",
      protocols: ["S3"],
      existingBucketID: "archive",
      bucketClaim: {},
      deletionPolicy,
    };
    await createOwned(kube, bucketKind, { name, spec, annotations: {} });
    await kube.client.patchStatus(bucketKind, { name }, { bucketReady: true, bucketID: "archive" });
    const claim = await createOwned(kube, bucketClaimKind, {
      namespace,
      name: "photos",
      spec: { protocols: ["S3"] },
    });
    const inputs = {
      kubernetes: kube.target,
      owner,
      resource: "photos",
      claim: { namespace, name: "photos", uid: claim.metadata.uid },
      bucketClass: null,
      bucketFields: null,
      existingBucketName: name,
      bucketNameFormat: "v0.2.2",
    };
    return { name, inputs };
  }
  const found = (name: string) => kube.client.get(bucketKind, { name });

  it("says that it is kept though it says Delete, and leaves it where it is when the claim goes [OS1-068]", async () => {
    const { name, inputs } = await bucketOfOthers("Delete");
    const before = await found(name);
    let outputs: Properties = {};
    const lines = await printed(async () => {
      ({ outputs } = await binding.create(inputs));
    });
    assert.deepEqual(lines, [
      `warning: Bucket ${name}: has deletionPolicy "Delete", and was there before the claim: it is treated as "Retain", ` +
        "and never deleted",
    ]);
    beginRun();
    await binding.delete(outputs);
    const after = await found(name);
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.equal(after?.metadata.deletionTimestamp, undefined);
    assert.deepEqual(after?.["spec"], before?.["spec"]);
  });

  it("says nothing of one that says Retain [OS1-068]", async () => {
    const { inputs } = await bucketOfOthers("Retain");
    assert.deepEqual(await printed(() => binding.create(inputs)), []);
  });
});
