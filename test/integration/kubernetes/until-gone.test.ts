import assert from "node:assert/strict";
import { untilGone } from "../../../provider/kubernetes/until-gone";
import { bucketKind, finalizers } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { claimedBucket, installDefinitions } from "./objects";

const theirs = "example.com/theirs";

describe("an object that is not gone 30 s after its deletion", function () {
  this.timeout(120_000);
  let kube: Cluster;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  /** What is said of a deleted Bucket that these finalizers hold. */
  async function textOf(held: readonly string[]): Promise<string> {
    const { bucket } = await claimedBucket(kube, await newNamespace(kube));
    await kube.client.patch(bucketKind, bucket, { metadata: { finalizers: held } });
    await kube.client.delete(bucketKind, bucket);
    try {
      await untilGone(kube.client, bucketKind, bucket, bucket.uid, [finalizers.bucket]);
    } catch (error) {
      return String(error);
    }
    throw new Error("it is gone");
  }

  it("has the finalizers of others told from ours", async () => {
    const [ofOthers, ours, both] = await Promise.all(
      [[theirs], [finalizers.bucket], [finalizers.bucket, theirs]].map(textOf),
    );
    const others = "whoever set the finalizer has to take it off, then run the command again";
    const another = `${finalizers.bucket} is set by pulumi-cosi, and was put on by another run meanwhile`;
    assert.ok(ofOthers?.includes(`30 s: held by ${theirs}; ${others}`), ofOthers);
    assert.ok(ours?.includes(`30 s: held by ${finalizers.bucket}; ${another}`), ours);
    assert.doesNotMatch(ours ?? "", /whoever/);
    assert.ok(both?.includes(`; ${another}`) && both.includes(`; ${theirs} is not: ${others}`), both);
  });
});
