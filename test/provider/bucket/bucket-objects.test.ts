import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../../provider/bucket/provider";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { driverReference } from "../../support/settings";

const unknown = pulumi.runtime.unknownValue;
const bucket = new Lifecycle(provider);

const objects = (uid: string): Properties => ({
  model: "objectstorage.k8s.io/v1alpha1",
  kubernetes: {},
  owner: "organization/shop/test",
  claim: null,
  bucket: { name: "archive-2019", uid },
});

describe("a bucket that exists, and has a Bucket object", () => {
  const inputs = {
    driver: driverReference("unix:///run/absent.sock"),
    logicalName: "archive",
    existingBucketId: "archive-2019",
    objects: objects("uid-1"),
  };

  /** What the state keeps of it. */
  const recorded = async (): Promise<Properties> => {
    const { inputs: checked, failures } = await bucket.check({}, inputs);
    assert.deepEqual(failures, []);
    return { ...checked, bucketId: "archive-2019", bucketInfo: null, drift: null, schemaVersion: 1 };
  };
  const replaces = async (change: Properties): Promise<string[] | undefined> => {
    const olds = await recorded();
    return (await bucket.diff(olds, { ...olds, ...change })).replaces;
  };

  it("goes with the object when that will be replaced, which the engine asks with objects that are unknown", async () => {
    assert.deepEqual(await replaces({ objects: unknown, existingBucketId: unknown }), ["existingBucketId"]);
    assert.deepEqual(await replaces({ objects: unknown }), ["existingBucketId"]);
  });

  it("stays while only its id, or the object's UID, is not known yet", async () => {
    assert.deepEqual(await replaces({ existingBucketId: unknown }), []);
    assert.deepEqual(await replaces({ objects: objects(unknown) }), []);
  });
});
