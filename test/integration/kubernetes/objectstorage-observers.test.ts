import assert from "node:assert/strict";
import { secretKind } from "../../../provider/kubernetes/object";
import type { BucketObjects, BucketObserver, CreateRequest } from "../../../provider/models/model";
import { observeAccess, observeBucket } from "../../../provider/models/registry";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
  createSentAnnotation,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { freePorts } from "../../../tools/local/free-ports";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessTo, claimedBucket, createOwned, finalizersOf, installDefinitions, statusOf } from "./objects";

const goingBucket = { name: "b", bucketId: "b", driverName: "cosi.example.com", made: true, deletes: true };
const request = { driverName: "cosi.example.com", parameters: { tier: "hot" } };

function observe(objects: BucketObjects, asked: CreateRequest = request): BucketObserver {
  return observeBucket(objects, asked);
}

describe("the objects around a bucket (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  it("has the finalizer on and the bucket's name told before the call [OS1-036]", async () => {
    const objects = await claimedBucket(kube, namespace);
    const { earlierAttempt } = await observe(objects).beforeCreate();
    assert.equal(earlierAttempt, false);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
    assert.deepEqual(await statusOf(kube, bucketClaimKind, objects.claim), {
      bucketName: objects.bucket.name,
      bucketReady: false,
    });
    assert.equal(await statusOf(kube, bucketKind, objects.bucket), undefined);
  });

  it("knows the attempt of a run that was killed by its mark", async () => {
    const objects = await claimedBucket(kube, namespace);
    await observe(objects).beforeCreate();
    assert.deepEqual(await observe(objects).beforeCreate(), { earlierAttempt: true });
  });

  it("takes the mark of a call with other attributes for no attempt of its own, and leaves it [OS1-060]", async () => {
    const objects = await claimedBucket(kube, namespace);
    await observe(objects).beforeCreate();
    for (const other of [
      { ...request, parameters: { tier: "cold" } },
      { ...request, driverName: "other.example.com" },
    ]) {
      const observer = observe(objects, other);
      assert.deepEqual(await observer.beforeCreate(), { earlierAttempt: false });
      await observer.failed({ kept: false, isFinal: true, reason: "refused" });
      assert.deepEqual(await observer.beforeCreate(), { earlierAttempt: false });
    }
    assert.deepEqual(await observe(objects).beforeCreate(), { earlierAttempt: true });
  });

  it("says that the bucket is ready only together with its id, and of the claim after the Bucket [OS1-024] [OS1-055]", async () => {
    const objects = await claimedBucket(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await kube.client.delete(bucketClaimKind, objects.claim);
    // The claim is gone: the step after the Bucket's fails, and shows which came first.
    await assert.rejects(observer.created({ bucketId: "id:/%=" }), /BucketClaim .*: 404/);
    assert.deepEqual(await statusOf(kube, bucketKind, objects.bucket), {
      bucketReady: true,
      bucketID: "id:/%=",
    });
  });

  it("leaves no finalizer and no mark where nothing was made, and keeps both where something may have been", async () => {
    const objects = await claimedBucket(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.failed({ kept: true, isFinal: true, reason: "refused" });
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
    assert.deepEqual(await statusOf(kube, bucketKind, objects.bucket), { bucketReady: false });
    await observer.failed({ kept: false, isFinal: true, reason: "refused" });
    const bucket = await kube.client.get(bucketKind, objects.bucket);
    assert.deepEqual(bucket?.metadata.finalizers ?? [], []);
    assert.equal(bucket?.metadata.annotations?.[createSentAnnotation], undefined);
  });

  it("leaves no finalizer behind when a step before the call fails", async () => {
    const objects = await claimedBucket(kube, namespace);
    const claim = { ...objects.claim, uid: "another" };
    const observer = observe({ ...objects, claim });
    await assert.rejects(
      observer.beforeCreate(),
      /is not the object of this stack: its UID is .*, but another is recorded/,
    );
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), []);
    await observe(objects).beforeCreate();
    await assert.rejects(observer.beforeCreate());
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
  });

  it("does not delete a bucket that an access of somebody else uses, and names it", async () => {
    const objects = await claimedBucket(kube, namespace);
    await accessTo(kube, objects, "ours");
    await observe(objects).beforeDelete(goingBucket);
    await accessTo(kube, objects, "theirs", {});
    await assert.rejects(
      observe(objects).beforeDelete(goingBucket),
      new RegExp(
        `is used by BucketAccess ${namespace}/theirs, which this stack did not make; the bucket stays`,
      ),
    );
  });

  it("does not delete a bucket when the API server cannot be asked", async () => {
    const objects = await claimedBucket(kube, namespace);
    const [port = 0] = await freePorts(1);
    const gone = kube.kubeconfig.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    const observer = observe({ ...objects, kubernetes: { kubeconfig: gone } });
    await assert.rejects(
      observer.beforeDelete(goingBucket),
      /ECONNREFUSED: the API server .* cannot be reached/,
    );
  });

  it("lets go of the Bucket object, and of one that is gone", async () => {
    const objects = await claimedBucket(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await kube.client.delete(bucketKind, objects.bucket);
    await observer.deleted();
    assert.equal(await kube.client.get(bucketKind, objects.bucket), undefined);
    await observer.deleted();
  });

  it("sees what was changed by hand, and restores it", async () => {
    const objects = await claimedBucket(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
    assert.deepEqual(await observer.read({ bucketId: "id-1" }), { drift: [], notes: [] });
    await removeFinalizers(kube.client, bucketKind, objects.bucket, undefined, [finalizers.bucket]);
    await kube.client.patchStatus(bucketKind, objects.bucket, { bucketID: "other" });
    await kube.client.patchStatus(bucketClaimKind, objects.claim, { bucketReady: false });
    const { drift } = await observer.read({ bucketId: "id-1" });
    assert.deepEqual(drift, [
      `Bucket's finalizer ${finalizers.bucket} is missing`,
      'Bucket\'s status.bucketID is "other"',
      "claim's status.bucketReady is not true",
    ]);
    await observer.restore({ bucketId: "id-1" });
    assert.deepEqual(await observer.read({ bucketId: "id-1" }), { drift: [], notes: [] });
  });

  it("sees that the claim is gone, or that another one has its name", async () => {
    const objects = await claimedBucket(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
    assert.equal((await observer.read({ bucketId: "id-1" })).lostClaim, undefined);
    await kube.client.delete(bucketClaimKind, objects.claim);
    const lost = `BucketClaim ${namespace}/photos (UID ${objects.claim.uid})`;
    assert.equal((await observer.read({ bucketId: "id-1" })).lostClaim, lost);
    await createOwned(kube, bucketClaimKind, { namespace, name: "photos", spec: { protocols: ["S3"] } });
    assert.equal((await observer.read({ bucketId: "id-1" })).lostClaim, lost);
  });

  it("tells of a Bucket that somebody deletes, and how to go on", async () => {
    const objects = await claimedBucket(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
    await kube.client.delete(bucketKind, objects.bucket);
    const { notes } = await observer.read({ bucketId: "id-1" });
    assert.equal(notes.length, 1);
    assert.match(notes[0]?.text ?? "", /is being deleted since .*`pulumi destroy` completes the deletion/);
    assert.match((await observer.beforeCreate()).held ?? "", /is being deleted since .*`pulumi destroy`/);
  });
});

describe("the objects around an access (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  const asked = { name: "ba", rotates: false };
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  async function readyBucket() {
    const objects = await claimedBucket(kube, namespace);
    await observe(objects).beforeCreate();
    await observe(objects).created({ bucketId: "id-1" });
    return objects;
  }

  it("has both finalizers on before the call [OS1-036]", async () => {
    const objects = await accessTo(kube, await readyBucket(), "rw");
    assert.deepEqual(await observeAccess(objects).beforeGrant(asked), {});
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, objects.access), [finalizers.access]);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [
      finalizers.bucket,
      finalizers.bucketInUse,
    ]);
  });

  it("stops before the grant at a Secret of somebody else, and leaves it and all else as it is [OS1-046]", async () => {
    const objects = await accessTo(kube, await readyBucket(), "rw");
    const secret = await kube.client.create(secretKind, {
      metadata: { namespace, name: objects.secretName },
    });
    await assert.rejects(
      observeAccess(objects).beforeGrant(asked),
      new RegExp(`Secret ${namespace}/rw-creds exists and does not belong to BucketAccess rw`),
    );
    const after = await kube.client.get(secretKind, { namespace, name: objects.secretName });
    assert.equal(after?.metadata.resourceVersion, secret.metadata.resourceVersion);
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, objects.access), []);
  });

  it("grants nothing before claim and bucket are ready", async () => {
    const objects = await accessTo(kube, await claimedBucket(kube, namespace), "rw");
    await assert.rejects(observeAccess(objects).beforeGrant(asked), /BucketClaim .* is not ready/);
  });

  it("stores the account, and does not say that access is granted: the Secret is not there yet", async () => {
    const objects = await accessTo(kube, await readyBucket(), "rw");
    await observeAccess(objects).beforeGrant(asked);
    await observeAccess(objects).granted({ name: "ba", accountId: "account", bucketId: objects.bucket.name });
    assert.deepEqual(await statusOf(kube, bucketAccessKind, objects.access), {
      accountID: "account",
      accessGranted: false,
    });
  });

  it("finds the account of a run that was killed, until it is revoked", async () => {
    const objects = await accessTo(kube, await readyBucket(), "rw");
    const observer = observeAccess(objects);
    await observer.beforeGrant(asked);
    await observer.granted({ name: "ba", accountId: "account", bucketId: objects.bucket.name });
    assert.deepEqual(await observer.beforeGrant(asked), { recordedAccountId: "account" });
    await observer.revoked({ name: "ba", accountId: "account" });
    assert.deepEqual(await observer.beforeGrant(asked), {});
  });

  it("frees the Bucket with the last access, and not before", async () => {
    const bucket = await readyBucket();
    const first = await accessTo(kube, bucket, "first");
    const second = await accessTo(kube, bucket, "second");
    for (const objects of [first, second]) await observeAccess(objects).beforeGrant(asked);
    await observeAccess(first).revoked({ name: "ba", accountId: "account" });
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, first.access), []);
    assert.ok((await finalizersOf(kube, bucketKind, bucket.bucket))?.includes(finalizers.bucketInUse));
    await observeAccess(second).revoked({ name: "ba", accountId: "account" });
    assert.deepEqual(await finalizersOf(kube, bucketKind, bucket.bucket), [finalizers.bucket]);
  });

  it("frees the Bucket when the last two accesses are revoked at one time", async () => {
    const bucket = await readyBucket();
    const all = await Promise.all(["a", "b", "c", "d"].map((name) => accessTo(kube, bucket, name)));
    await Promise.all(all.map((objects) => observeAccess(objects).beforeGrant(asked)));
    await Promise.all(
      all.map((objects) => observeAccess(objects).revoked({ name: "ba", accountId: "account" })),
    );
    assert.deepEqual(await finalizersOf(kube, bucketKind, bucket.bucket), [finalizers.bucket]);
  });

  it("leaves no finalizer behind where nothing was granted", async () => {
    const objects = await accessTo(kube, await readyBucket(), "rw");
    const observer = observeAccess(objects);
    await observer.beforeGrant(asked);
    await observer.failed({ name: "ba", kept: false, isFinal: true, reason: "refused" });
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, objects.access), []);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
  });

  it("revokes although the objects are gone", async () => {
    const bucket = await readyBucket();
    const objects = await accessTo(kube, bucket, "rw");
    const observer = observeAccess(objects);
    await observer.beforeGrant(asked);
    await removeFinalizers(kube.client, bucketAccessKind, objects.access, undefined, [finalizers.access]);
    await kube.client.delete(bucketAccessKind, objects.access);
    await observer.beforeRevoke({ name: "ba", accountId: "account", handsOut: () => false });
    await observer.revoked({ name: "ba", accountId: "account" });
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
  });

  it("sees what was changed by hand, and restores it", async () => {
    const objects = await accessTo(kube, await readyBucket(), "rw");
    const observer = observeAccess(objects);
    await observer.beforeGrant(asked);
    await observer.granted({ name: "ba", accountId: "account", bucketId: objects.bucket.name });
    await removeFinalizers(kube.client, bucketAccessKind, objects.access, undefined, [finalizers.access]);
    await removeFinalizers(kube.client, bucketKind, objects.bucket, undefined, [finalizers.bucketInUse]);
    await kube.client.patchStatus(bucketAccessKind, objects.access, { accountID: "other" });
    const { drift } = await observer.read({ name: "ba", accountId: "account" });
    assert.deepEqual(drift, [
      'BucketAccess\'s status.accountID is "other"',
      `BucketAccess's finalizer ${finalizers.access} is missing`,
      `Bucket's finalizer ${finalizers.bucketInUse} is missing`,
    ]);
    await observer.restore({ name: "ba", accountId: "account" });
    assert.deepEqual(await observer.read({ name: "ba", accountId: "account" }), { drift: [], notes: [] });
  });
});
