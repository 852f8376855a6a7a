import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { bucketAccessKind, bucketKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StrictDriver } from "../../support/strict-driver";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessInputs, accessTo, claimedBucket, finalizersOf, installDefinitions } from "./objects";

interface Claimed {
  objects: Awaited<ReturnType<typeof claimedBucket>>;
}

/** An `up` was killed, and a `destroy` came next: the object is being deleted, and held by our own finalizer. */
describe("an object whose deletion our own finalizer holds, while the state knows of nothing behind it", function () {
  this.timeout(120_000);
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let kube: Cluster;
  let driver: StrictDriver;
  let ofBucket: (deletionPolicy?: string) => Promise<Properties & Claimed>;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
    const reference = driverReference(driver.fake.endpoint);
    ofBucket = async (deletionPolicy = "Delete") => {
      const objects = await claimedBucket(kube, await newNamespace(kube));
      const name = objects.bucket.name;
      return { driver: reference, logicalName: "photos", name, deletionPolicy, objects };
    };
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  it("comes into the state, by which a destroy deletes the bucket and completes the deletion", async () => {
    const inputs = await ofBucket();
    await bucket.create(inputs);
    await kube.client.delete(bucketKind, inputs.objects.bucket);
    beginRun();
    const failed = await failedResource(bucket.create(inputs));
    assert.match(
      failed.message,
      /^Bucket bucket-.* is being deleted since .*as failed\. Next: run `pulumi destroy`/,
    );
    assert.deepEqual(driver.rpcs(), ["Create"]);
    beginRun();
    await bucket.delete(wire(failed.properties));
    assert.deepEqual(driver.rpcs(), ["Create", "Create", "Delete"]);
    assert.equal(driver.buckets.size, 0);
    assert.equal(await kube.client.get(bucketKind, inputs.objects.bucket), undefined);
  });

  it("stays as failed at every further up, and sends nothing", async () => {
    const inputs = await ofBucket("Retain");
    await bucket.create(inputs);
    await kube.client.delete(bucketKind, inputs.objects.bucket);
    const failed = await failedResource(bucket.create(inputs));
    await failedResource(bucket.update(wire(failed.properties), inputs));
    await printed(() => bucket.delete(wire(failed.properties)));
    assert.deepEqual(driver.rpcs(), ["Create"]);
    assert.equal(await kube.client.get(bucketKind, inputs.objects.bucket), undefined);
  });

  for (const recorded of [true, false]) {
    const account = recorded ? "that the BucketAccess names" : "that nothing names";
    it(`comes into the state, by which a destroy revokes the account ${account}`, async () => {
      const bucketInputs = await ofBucket();
      const { outputs } = await bucket.create(bucketInputs);
      const objects = await accessTo(kube, bucketInputs.objects, "rw");
      const inputs = accessInputs(bucketInputs["driver"], outputs, "photos-rw", objects);
      await access.create(inputs);
      if (!recorded) await kube.client.patchStatus(bucketAccessKind, objects.access, { accountID: null });
      await kube.client.delete(bucketAccessKind, objects.access);
      beginRun();
      const failed = await failedResource(access.create(inputs));
      assert.match(failed.message, /^BucketAccess .*rw is being deleted since .*Next: run `pulumi destroy`/);
      assert.deepEqual(driver.rpcs(), ["Create", "Grant"]);
      beginRun();
      await access.delete(wire(failed.properties));
      const learned = recorded ? [] : ["Grant"];
      assert.deepEqual(driver.rpcs(), ["Create", "Grant", ...learned, "Revoke"]);
      assert.equal(driver.accounts.size, 0);
      assert.equal(await finalizersOf(kube, bucketAccessKind, objects.access), undefined);
    });
  }
});

describe("a Bucket object that was kept with its bucket, and is to have other attributes", function () {
  this.timeout(120_000);

  it("is no reason to take ALREADY_EXISTS for the answer to an earlier attempt [OS1-060]", async () => {
    const kube = await cluster();
    await installDefinitions(kube);
    const objects = await claimedBucket(kube, await newNamespace(kube));
    const driver = await new StrictDriver().start();
    const bucket = new Lifecycle(bucketProvider);
    const inputs = {
      driver: driverReference(driver.fake.endpoint),
      logicalName: "photos",
      name: objects.bucket.name,
      bucketClassName: "gold",
      objects,
    };
    try {
      beginRun();
      await bucket.create(inputs);
      const other = { ...inputs, bucketClassName: "silver", parameters: { tier: "cold" } };
      for (let run = 1; run <= 2; run += 1) {
        beginRun();
        await assert.rejects(bucket.create(other), /ALREADY_EXISTS.*taken with other attributes/s);
      }
    } finally {
      await closeConnections();
      driver.fake.stop();
    }
  });
});
