import assert from "node:assert/strict";
import * as fs from "node:fs";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";
import { accountsOf } from "../../../provider/models/account-record";
import {
  bucketAccessKind,
  bucketKind,
  createSentAnnotation,
  revokeSentAnnotation,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { observeAccess } from "../../../provider/models/registry";
import { ClusterProxy } from "../../support/faults/cluster-proxy";
import { allAttempts, loseAnswer } from "../../support/faults/lost-answer";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StrictDriver } from "../../support/strict-driver";
import { cluster, newNamespace, stackId, type Cluster } from "./cluster";
import { accessTo, claimedBucket, installDefinitions, statusOf } from "./objects";

const absent = { code: status.NOT_FOUND, message: "no secret of the administrator" };
const markOfRevoke = /^PATCH \S+\/bucketaccesses\/\S+ .*revoke-sent":"true"/;

/** The mark is on, nothing was sent, and it is seen again: the write was repeated, as its answer was lost. */
describe("a mark of this very call, the answer to whose write was lost (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let kube: Cluster;
  let proxy: ClusterProxy;
  let driver: StrictDriver;
  let objects: Awaited<ReturnType<typeof claimedBucket>>;
  let ofBucket: Properties;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
    proxy = await ClusterProxy.start(kube);
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
    driver.refusesKnownNames = true;
    const kubernetes = { kubeconfig: fs.readFileSync(proxy.api.kubeconfig, "utf8"), stackId };
    objects = { ...(await claimedBucket(kube, await newNamespace(kube))), kubernetes };
    ofBucket = {
      driver: driverReference(driver.fake.endpoint),
      logicalName: "photos",
      name: objects.bucket.name,
      deletionPolicy: "Delete",
      objects,
    };
  });

  afterEach(async () => {
    proxy.api.at = () => undefined;
    await closeConnections();
    driver.fake.stop();
  });

  after(() => proxy.stop());

  async function newAccess() {
    return { ...(await accessTo(kube, objects, "rw")), kubernetes: objects.kubernetes };
  }

  /** A bucket with an access to it, as the components have them. */
  async function granted(): Promise<{ outputs: Properties; reference: ObjectReference }> {
    await bucket.create(ofBucket);
    const about = await newAccess();
    const { driver: reference, name } = ofBucket;
    const { outputs } = await access.create({
      driver: reference,
      logicalName: "rw",
      name: `ba-${about.access.uid}`,
      bucketName: name,
      bucketId: name,
      objects: about,
    });
    beginRun();
    return { outputs, reference: about.access };
  }

  async function isMarked(
    kind: KubernetesKind,
    reference: ObjectReference,
    annotation: string,
  ): Promise<boolean> {
    const found = await kube.client.get(kind, reference);
    return found?.metadata.annotations?.[annotation] !== undefined;
  }

  it("leaves NOT_FOUND an error of the revoke, and goes again [GRPC-075] [OS1-071]", async () => {
    const { outputs, reference } = await granted();
    driver.answer("revoke", absent);
    const found = loseAnswer(proxy.api, markOfRevoke);
    await assert.rejects(access.delete(outputs), /NOT_FOUND: no secret.*revokeNotFound/s);
    found();
    assert.ok(!(await isMarked(bucketAccessKind, reference, revokeSentAnnotation)));
  });

  it("stops the revoke where no answer comes at all, and the next run does not believe it [GRPC-075]", async () => {
    const { outputs, reference } = await granted();
    const found = loseAnswer(proxy.api, markOfRevoke, allAttempts);
    await assert.rejects(access.delete(outputs), /500 InternalError/);
    found();
    assert.deepEqual(driver.rpcs(), ["Create", "Grant"]);
    assert.ok(!(await isMarked(bucketAccessKind, reference, revokeSentAnnotation)));
    beginRun();
    driver.answer("revoke", absent);
    await assert.rejects(access.delete(outputs), /NOT_FOUND: no secret/);
  });

  it("leaves ALREADY_EXISTS an error of the create, and goes again [OS1-060]", async () => {
    driver.buckets.set(objects.bucket.name, "of somebody else");
    const found = loseAnswer(proxy.api, /^PATCH \S+\/buckets\/\S+ .*create-sent":"/);
    await assert.rejects(bucket.create(ofBucket), /ALREADY_EXISTS.*take the bucket over by its id/);
    found();
    assert.ok(!(await isMarked(bucketKind, objects.bucket, createSentAnnotation)));
  });

  describe("in the record of a rotation", () => {
    const recordOfAccounts = /^PATCH \S+\/bucketaccesses\/\S+ .*cosi\/accounts"/;
    const asked = { name: "ba", rotates: true };
    const key = { name: "ba", accountId: "account", handsOut: () => false };

    it("is no earlier attempt of the grant", async () => {
      await bucket.create(ofBucket);
      const observer = observeAccess(await newAccess());
      const found = loseAnswer(proxy.api, recordOfAccounts);
      assert.deepEqual(await observer.beforeGrant(asked), {});
      found();
      assert.deepEqual(await observer.beforeGrant(asked), { earlierAttempt: true });
    });

    it("keeps the account that is asked for once more, which is that again if the driver refuses", async () => {
      await bucket.create(ofBucket);
      const about = await newAccess();
      const observer = observeAccess(about);
      await observer.beforeGrant(asked);
      await observer.granted({ name: "ba", accountId: "account", bucketId: objects.bucket.name });
      const found = loseAnswer(proxy.api, recordOfAccounts);
      await observer.beforeGrant({ ...asked, inState: "ba" });
      found();
      await observer.failed({ name: "ba", kept: false, isFinal: true, reason: "refused" });
      const after = await kube.client.get(bucketAccessKind, about.access);
      const records = after === undefined ? [] : accountsOf(after);
      assert.deepEqual(
        records.map(({ name, account, state }) => ({ name, account, state })),
        [{ name: "ba", account: "account", state: "active" }],
      );
    });

    it("leaves the account in use that was to give way, if the driver refuses the next one", async () => {
      await bucket.create(ofBucket);
      const about = await newAccess();
      const observer = observeAccess(about);
      await observer.beforeGrant(asked);
      await observer.granted({ name: "ba", accountId: "account", bucketId: objects.bucket.name });
      const retiring = { name: "ba", accountId: "account" };
      await observer.beforeGrant({ name: "ba-2", rotates: true, inState: "ba", retiring });
      const found = loseAnswer(proxy.api, recordOfAccounts);
      await observer.failed({ name: "ba-2", kept: false, isFinal: true, reason: "refused" });
      found();
      assert.deepEqual(await statusOf(kube, bucketAccessKind, about.access), {
        accountID: "account",
        accessGranted: true,
      });
    });

    it("goes again where no answer comes to that of a former account, and nothing is sent", async () => {
      await bucket.create(ofBucket);
      const observer = observeAccess(await newAccess());
      await observer.beforeGrant(asked);
      await observer.granted({ name: "ba", accountId: "account", bucketId: objects.bucket.name });
      const retiring = { name: "ba", accountId: "account" };
      await observer.beforeGrant({ name: "ba-2", rotates: true, inState: "ba", retiring });
      await observer.granted({ name: "ba-2", accountId: "account-2", bucketId: objects.bucket.name });
      const found = loseAnswer(proxy.api, recordOfAccounts, allAttempts);
      await assert.rejects(observer.beforeRevoke(key), /500 InternalError/);
      found();
      assert.deepEqual(await observer.beforeRevoke(key), { earlierAttempt: false });
    });
  });
});
