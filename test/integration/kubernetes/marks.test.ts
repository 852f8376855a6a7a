import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import {
  bucketAccessKind,
  finalizers,
  revokeSentAnnotation,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { lost, StrictDriver } from "../../support/strict-driver";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessTo, claimedBucket, installDefinitions, statusOf } from "./objects";

/** A run that is killed leaves no entry for what it was at; what the objects say is all that the next one has. */
describe("what the objects tell a run of the one that was killed (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let kube: Cluster;
  let driver: StrictDriver;
  let objects: Awaited<ReturnType<typeof claimedBucket>>;
  let ofBucket: Properties;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
    driver.refusesKnownNames = true;
    objects = await claimedBucket(kube, await newNamespace(kube));
    ofBucket = {
      // One attempt per call: its answer is lost, and its outcome is not known.
      driver: driverReference(driver.fake.endpoint, { retryBudgetSeconds: 0.001 }),
      logicalName: "photos",
      name: objects.bucket.name,
      deletionPolicy: "Delete",
      objects,
    };
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** A bucket with an access to it, as the components have them. */
  async function granted(): Promise<{ news: Properties; outputs: Properties; about: AccessReference }> {
    await bucket.create(ofBucket);
    const about = await accessTo(kube, objects, "rw");
    const { driver: reference, name } = ofBucket;
    const ofIt = { bucketName: name, bucketId: name };
    const account = `ba-${about.access.uid}`;
    const news = { driver: reference, logicalName: "rw", name: account, ...ofIt, objects: about };
    return { news, about, outputs: (await access.create(news)).outputs };
  }

  type AccessReference = Awaited<ReturnType<typeof accessTo>>;

  async function isMarked({ access: reference }: AccessReference): Promise<boolean> {
    const found = await kube.client.get(bucketAccessKind, reference);
    return found?.metadata.annotations?.[revokeSentAnnotation] !== undefined;
  }

  it("makes ALREADY_EXISTS a success of the create that was sent before [GRPC-039] [OS1-060]", async () => {
    driver.answer("create", lost);
    await failedResource(bucket.create(ofBucket));
    beginRun();
    let outputs: Properties = {};
    const lines = await printed(async () => ({ outputs } = await bucket.create(ofBucket)));
    assert.equal(outputs["bucketId"], objects.bucket.name);
    assert.match(
      lines.join(),
      /^warning: bucket bucket-[\w-]+: .*it stems from an attempt whose answer was lost/,
    );
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
    beginRun();
    await bucket.delete(outputs);
    assert.equal(driver.buckets.size, 0);
  });

  it("leaves a first ALREADY_EXISTS an error, without a mark that a later run would believe [OS1-060]", async () => {
    driver.buckets.set(objects.bucket.name, "of somebody else");
    for (let run = 0; run < 2; run += 1) {
      beginRun();
      await assert.rejects(bucket.create(ofBucket), /ALREADY_EXISTS.*take the bucket over by its id/);
    }
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
  });

  it("makes NOT_FOUND a success of the revoke that was sent before, with a warning [GRPC-039] [OS1-071]", async () => {
    const { outputs, about } = await granted();
    driver.answer("revoke", lost);
    beginRun();
    await assert.rejects(access.delete(outputs), /UNAVAILABLE: reply lost/);
    assert.equal(driver.accounts.size, 0);
    assert.ok(await isMarked(about));
    beginRun();
    const lines = await printed(() => access.delete(outputs));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /^warning: access ba-[\w-]+: the driver says that the account is gone/);
    assert.ok(!(await isMarked(about)));
  });

  it("leaves NOT_FOUND an error after a revoke that the driver refused, or never saw", async () => {
    const { outputs, about } = await granted();
    const denied = { code: status.PERMISSION_DENIED, message: "no" };
    const absent = { code: status.NOT_FOUND, message: "no secret of the administrator" };
    driver.answer("revoke", denied, absent, absent);
    for (const text of [
      /PERMISSION_DENIED: no/,
      /NOT_FOUND: no secret.*revokeNotFound/s,
      /NOT_FOUND: no secret/,
    ]) {
      beginRun();
      await assert.rejects(access.delete(outputs), text);
      assert.ok(!(await isMarked(about)));
    }
  });

  it("has the account revoked first whose credentials were lost with the run, then grants one live key [GRPC-055]", async () => {
    const { news, about } = await granted();
    const { access: reference } = about;
    // Killed before the state was written: nobody has the outputs.
    beginRun();
    driver.refusesKnownNames = false;
    const { outputs } = await access.create(news);
    assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Revoke", "Grant"]);
    assert.deepEqual([...driver.accounts.keys()], [outputs["accountId"]]);
    assert.equal(outputs["accessKeyId"], "AK-2");
    assert.deepEqual(await statusOf(kube, bucketAccessKind, reference), {
      accountID: outputs["accountId"],
      accessGranted: false,
    });
    assert.ok(!(await isMarked(about)), "the new account is none that a revoke was sent for");
  });

  it("names no account any more that was revoked before a grant that failed, so none is revoked twice [GRPC-055]", async () => {
    const denied = { code: status.PERMISSION_DENIED, message: "no" };
    const { news, outputs, about } = await granted();
    driver.refusesKnownNames = false;
    const attempts = [
      // Killed before the state was written, and an account that the state holds without credentials.
      () => assert.rejects(access.create(news), /PERMISSION_DENIED: no/),
      () => failedResource(access.update({ ...outputs, granted: null }, news)),
    ];
    for (const attempt of attempts) {
      const before = driver.rpcs().length;
      beginRun();
      driver.answer("grant", denied);
      await attempt();
      assert.deepEqual(await statusOf(kube, bucketAccessKind, about.access), { accessGranted: false });
      driver.accounts.clear();
      beginRun();
      await access.create(news);
      assert.deepEqual(driver.rpcs().slice(before), ["Revoke", "Grant", "Grant"]);
    }
  });

  it("keeps an access whose objects could not be written after the grant, and a delete revokes it [GRPC-055]", async () => {
    await bucket.create(ofBucket);
    const about = await accessTo(kube, objects, "rw");
    const { driver: reference, name } = ofBucket;
    const news = { driver: reference, logicalName: "rw", bucketName: name, bucketId: name, objects: about };
    driver.meanwhile = async (rpc) => {
      if (rpc !== "grant") return;
      await removeFinalizers(kube.client, bucketAccessKind, about.access, undefined, [finalizers.access]);
      await kube.client.delete(bucketAccessKind, about.access);
    };
    const failed = await failedResource(access.create(news));
    assert.match(failed.message, /is granted, but its objects could not be written/);
    beginRun();
    await access.delete(wire(failed.properties));
    assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Revoke"]);
    assert.equal(driver.accounts.size, 0);
  });
});
