import assert from "node:assert/strict";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { secretKind } from "../../../provider/kubernetes/object";
import { createSentAnnotation } from "../../../provider/models/claimed/annotations";
import { finalizers } from "../../../provider/models/deployment/kinds";
import type { BucketObjects } from "../../../provider/models/model";
import { observeAccess, observeBucket, observeSecret } from "../../../provider/models/registry";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessToDeployment, installDeploymentKinds, kinds, requestedDeployment } from "./deployment-objects";
import { createOwned, finalizersOf, statusOf } from "./objects";

const protection = "deployment.pulumi-cosi/protection";
const inUse = "deployment.pulumi-cosi/in-use";
const call = { driverName: "cosi.example.com", parameters: { size: "s" } };
const going = { name: "d", bucketId: "d", driverName: "cosi.example.com", made: true, deletes: true };

describe("the objects around a deployment (platform.plural.sh/v1alpha1)", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDeploymentKinds(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  const observe = (objects: BucketObjects) => observeBucket(objects, call);

  it("have the finalizer on and the deployment's name told before the call [DEP-093]", async () => {
    const objects = await requestedDeployment(kube, namespace);
    assert.deepEqual(await observe(objects).beforeCreate(), { earlierAttempt: false });
    assert.deepEqual(await finalizersOf(kube, kinds.deployment, objects.bucket), [protection]);
    assert.deepEqual(await statusOf(kube, kinds.deploymentRequest, objects.claim), {
      deploymentName: objects.bucket.name,
      ready: false,
    });
    const { metadata } = (await kube.client.get(kinds.deployment, objects.bucket)) ?? {};
    assert.ok(metadata?.annotations?.[createSentAnnotation]);
    assert.deepEqual(await observe(objects).beforeCreate(), { earlierAttempt: true });
  });

  it("say that it is ready only together with its id, the Deployment before the request [DEP-093]", async () => {
    const objects = await requestedDeployment(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await kube.client.delete(kinds.deploymentRequest, objects.claim);
    // The request is gone: the step after the Deployment's fails, and shows which came first.
    await assert.rejects(observer.created({ bucketId: "id:/%=" }), /DeploymentRequest .*: 404/);
    assert.deepEqual(await statusOf(kube, kinds.deployment, objects.bucket), {
      ready: true,
      deploymentID: "id:/%=",
    });
  });

  it("stay while an access of somebody else uses the request, which is named [DEP-093]", async () => {
    const objects = await requestedDeployment(kube, namespace);
    await accessToDeployment(kube, objects, "ours");
    await observe(objects).beforeDelete(going);
    await accessToDeployment(kube, objects, "theirs", {});
    const users = `DeploymentRequest ${namespace}/orders is used by DeploymentAccess ${namespace}/theirs, which this stack did not make`;
    await assert.rejects(
      observe(objects).beforeDelete(going),
      new RegExp(`${users}.*; the deployment stays`),
    );
  });

  it("go beside an access of somebody else to another request", async () => {
    const objects = await requestedDeployment(kube, namespace);
    await createOwned(kube, kinds.deploymentAccess, {
      namespace,
      name: "of-another",
      spec: {
        deploymentRequestName: "another",
        deploymentAccessClassName: "login",
        credentialsSecretName: "s",
      },
      annotations: {},
    });
    await observeBucket(objects, call).beforeDelete(going);
  });

  it("show what was changed by hand, and are restored [DEP-096]", async () => {
    const objects = await requestedDeployment(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
    assert.deepEqual(await observer.read({ bucketId: "id-1" }), { drift: [], notes: [] });
    await removeFinalizers(kube.client, kinds.deployment, objects.bucket, undefined, [protection]);
    await kube.client.patchStatus(kinds.deployment, objects.bucket, { deploymentID: "other" });
    await kube.client.patchStatus(kinds.deploymentRequest, objects.claim, { ready: false });
    assert.deepEqual((await observer.read({ bucketId: "id-1" })).drift, [
      `Deployment's finalizer ${protection} is missing`,
      'Deployment\'s status.deploymentID is "other"',
      "request's status.ready is not true",
    ]);
    await observer.restore({ bucketId: "id-1" });
    assert.deepEqual(await observer.read({ bucketId: "id-1" }), { drift: [], notes: [] });
  });

  it("tell of a request that is gone, by its kind [DEP-096]", async () => {
    const objects = await requestedDeployment(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
    await kube.client.delete(kinds.deploymentRequest, objects.claim);
    const lost = `DeploymentRequest ${namespace}/orders (UID ${objects.claim.uid})`;
    assert.equal((await observer.read({ bucketId: "id-1" })).lostClaim, lost);
  });

  it("tell of a deletion that somebody has begun, and let go of both finalizers at the end [DEP-093]", async () => {
    const objects = await requestedDeployment(kube, namespace);
    const observer = observe(objects);
    await observer.beforeCreate();
    await observer.created({ bucketId: "id-1" });
    await observeAccess(await accessToDeployment(kube, objects, "rw")).beforeGrant({
      name: "da",
      rotates: false,
    });
    assert.deepEqual(await finalizersOf(kube, kinds.deployment, objects.bucket), [protection, inUse]);
    await kube.client.delete(kinds.deployment, objects.bucket);
    const { notes } = await observer.read({ bucketId: "id-1" });
    assert.match(notes[0]?.text ?? "", /is being deleted since .*`pulumi destroy` completes the deletion/);
    await observer.deleted();
    assert.equal(await kube.client.get(kinds.deployment, objects.bucket), undefined);
  });
});

describe("the objects around an access to a deployment (platform.plural.sh/v1alpha1)", function () {
  this.timeout(120_000);
  const asked = { name: "da", rotates: false };
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDeploymentKinds(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  async function readyDeployment() {
    const objects = await requestedDeployment(kube, namespace);
    const observer = observeBucket(objects, call);
    await observer.beforeCreate();
    await observer.created({ bucketId: objects.bucket.name });
    return objects;
  }

  it("refuse a grant until request and Deployment are ready", async () => {
    const objects = await requestedDeployment(kube, namespace);
    const access = await accessToDeployment(kube, objects, "rw");
    const refused = (what: string) =>
      new RegExp(`rw cannot be granted: ${what} is not ready \\(status\\.ready`);
    await assert.rejects(
      observeAccess(access).beforeGrant(asked),
      refused(`DeploymentRequest ${namespace}/orders`),
    );
    await kube.client.patchStatus(kinds.deploymentRequest, objects.claim, {
      deploymentName: objects.bucket.name,
      ready: true,
    });
    await assert.rejects(
      observeAccess(access).beforeGrant(asked),
      refused(`Deployment ${objects.bucket.name}`),
    );
    assert.deepEqual(await finalizersOf(kube, kinds.deploymentAccess, access.access), []);
  });

  it("refuse a grant beside a Secret of somebody else, which stays as it is [DEP-094]", async () => {
    const access = await accessToDeployment(kube, await readyDeployment(), "rw");
    const metadata = { namespace, name: access.secretName };
    const foreign = await kube.client.create(secretKind, { metadata, data: { key: "c2VjcmV0" } });
    await assert.rejects(
      observeAccess(access).beforeGrant(asked),
      new RegExp(`Secret ${namespace}/rw-login exists and does not belong to DeploymentAccess rw`),
    );
    assert.deepEqual(await kube.client.get(secretKind, metadata), foreign);
    assert.deepEqual(await finalizersOf(kube, kinds.deploymentAccess, access.access), []);
  });

  it("have finalizers before the grant, the account after it, and access once the Secret is there [DEP-093]", async () => {
    const access = await accessToDeployment(kube, await readyDeployment(), "rw");
    const observer = observeAccess(access);
    await observer.beforeGrant(asked);
    assert.deepEqual(await finalizersOf(kube, kinds.deploymentAccess, access.access), [protection]);
    assert.deepEqual(await finalizersOf(kube, kinds.deployment, access.bucket), [protection, inUse]);
    await observer.granted({ name: "da", accountId: "account", bucketId: "another id" });
    const status = () => statusOf(kube, kinds.deploymentAccess, access.access);
    assert.deepEqual(await status(), { accountID: "account", accessGranted: false });
    const { apiVersion, kind } = kinds.deploymentAccess;
    const secret = observeSecret({
      model: access.model,
      kubernetes: access.kubernetes,
      owner: { ...access.access, apiVersion, kind },
    });
    await secret.written();
    assert.deepEqual(await status(), { accountID: "account", accessGranted: true });
    await kube.client.patchStatus(kinds.deploymentAccess, access.access, { accessGranted: false });
    assert.deepEqual(await secret.read(), ["DeploymentAccess's status.accessGranted is not true"]);
    await secret.removing();
    assert.deepEqual(await status(), { accountID: "account", accessGranted: false });
  });

  it("free the Deployment with the last access, and a Secret that no state knows [DEP-093]", async () => {
    const objects = await readyDeployment();
    const first = await accessToDeployment(kube, objects, "first");
    const second = await accessToDeployment(kube, objects, "second");
    for (const access of [first, second]) await observeAccess(access).beforeGrant(asked);
    const { apiVersion, kind } = kinds.deploymentAccess;
    await kube.client.create(secretKind, {
      metadata: {
        namespace,
        name: first.secretName,
        finalizers: [finalizers.secret],
        ownerReferences: [{ apiVersion, kind, name: first.access.name, uid: first.access.uid }],
      },
    });
    await observeAccess(first).revoked({ name: "da", accountId: "account" });
    assert.deepEqual(await finalizersOf(kube, kinds.deploymentAccess, first.access), []);
    assert.deepEqual(await finalizersOf(kube, secretKind, { namespace, name: first.secretName }), []);
    assert.deepEqual(await finalizersOf(kube, kinds.deployment, objects.bucket), [protection, inUse]);
    await observeAccess(second).revoked({ name: "da", accountId: "account" });
    assert.deepEqual(await finalizersOf(kube, kinds.deployment, objects.bucket), [protection]);
  });

  it("show what was changed by hand, and are restored [DEP-096]", async () => {
    const access = await accessToDeployment(kube, await readyDeployment(), "rw");
    const observer = observeAccess(access);
    await observer.beforeGrant(asked);
    await observer.granted({ name: "da", accountId: "account", bucketId: access.bucket.name });
    await removeFinalizers(kube.client, kinds.deploymentAccess, access.access, undefined, [protection]);
    await removeFinalizers(kube.client, kinds.deployment, access.bucket, undefined, [inUse]);
    await kube.client.patchStatus(kinds.deploymentAccess, access.access, { accountID: "other" });
    const { drift } = await observer.read({ name: "da", accountId: "account" });
    assert.deepEqual(drift, [
      'DeploymentAccess\'s status.accountID is "other"',
      `DeploymentAccess's finalizer ${protection} is missing`,
      `Deployment's finalizer ${inUse} is missing`,
    ]);
    await observer.restore({ name: "da", accountId: "account" });
    assert.deepEqual(await observer.read({ name: "da", accountId: "account" }), { drift: [], notes: [] });
  });
});
