import assert from "node:assert/strict";
import * as fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import type { AccessObserver } from "../../../provider/models/model";
import {
  bucketAccessKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { observeAccess, observeBucket } from "../../../provider/models/registry";
import { ClusterProxy } from "../../support/faults/cluster-proxy";
import { cluster, newNamespace, stackId, type Cluster } from "./cluster";
import { accessTo, claimedBucket, finalizersOf, installDefinitions } from "./objects";

describe("the finalizer that all accesses of a Bucket share (objectstorage.k8s.io/v1alpha1)", function () {
  this.timeout(120_000);
  const asked = { name: "ba", rotates: false };
  const account = { name: "ba", accountId: "account" };
  const both = [finalizers.bucket, finalizers.bucketInUse];
  let kube: Cluster;
  let proxy: ClusterProxy;
  let objects: Awaited<ReturnType<typeof claimedBucket>>;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
    proxy = await ClusterProxy.start(kube);
  });

  beforeEach(async () => {
    const kubernetes = { kubeconfig: fs.readFileSync(proxy.api.kubeconfig, "utf8"), stackId };
    objects = { ...(await claimedBucket(kube, await newNamespace(kube))), kubernetes };
    const observer = observeBucket(objects, { driverName: "cosi.example.com" });
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
  });

  afterEach(() => {
    proxy.api.atRead = () => undefined;
  });

  after(() => proxy.stop());

  async function access(name: string) {
    const about = { ...(await accessTo(kube, objects, name)), kubernetes: objects.kubernetes };
    return { about, observer: observeAccess(about) };
  }

  /** A revoke comes to where it has seen that no other access is granted. @returns what lets it go on, and end. */
  async function held(observer: AccessObserver): Promise<() => Promise<void>> {
    const { promise: going, resolve: go } = Promise.withResolvers<undefined>();
    const { promise: there, resolve: arrive } = Promise.withResolvers<undefined>();
    proxy.api.atRead = async (path) => {
      if (!path.endsWith("/bucketaccesses")) return;
      arrive(undefined);
      await going;
    };
    const revoked = observer.revoked(account);
    await there;
    return async () => {
      go(undefined);
      await revoked;
    };
  }

  it("is put on again by a grant that found it, and waited while the last access went [OS1-036]", async () => {
    const last = await access("last");
    await last.observer.beforeGrant(asked);
    await last.observer.granted({ ...account, bucketId: "id-1" });
    const next = await access("next");
    const letGo = await held(last.observer);
    const granting = next.observer.beforeGrant(asked);
    // What it reads before its turn takes a few milliseconds; there is nothing to tell when it waits.
    await pause(500);
    await letGo();
    await granting;
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), both);
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, next.about.access), [finalizers.access]);
  });

  it("is put on again where another run has taken it off since this one has written it [OS1-036]", async () => {
    await (await access("first")).observer.beforeGrant(asked);
    await removeFinalizers(kube.client, bucketKind, objects.bucket, undefined, [finalizers.bucketInUse]);
    await (await access("second")).observer.beforeGrant(asked);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), both);
  });
});
