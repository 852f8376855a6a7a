import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import {
  bucketAccessKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { freePorts } from "../../../tools/local/free-ports";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { removeByHand } from "../../support/workflows/by-hand";
import { StoringDriver } from "../../support/workflows/storing-driver";
import { cluster, newNamespace, type Cluster } from "../kubernetes/cluster";
import {
  accessTo,
  claimedBucket,
  createOwned,
  finalizersOf,
  installDefinitions,
  statusOf,
} from "../kubernetes/objects";

const notFound = { code: status.NOT_FOUND, message: "no such thing" };

describe("what comes in the way of a delete or a revoke, with the objects at a real API server", function () {
  this.timeout(120_000);
  const bucketLife = new Lifecycle(bucketProvider);
  const accessLife = new Lifecycle(accessProvider);
  let kube: Cluster;
  let driver: StoringDriver;
  let objects: Awaited<ReturnType<typeof claimedBucket>>;
  let bucketInputs: (changes?: Properties) => Properties;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StoringDriver().start();
    driver.bucketIdOf = (name) => `store:/${name}`;
    objects = await claimedBucket(kube, await newNamespace(kube));
    bucketInputs = (changes = {}) => ({
      driver: driverReference(driver.fake.endpoint),
      logicalName: "photos",
      name: objects.bucket.name,
      deletionPolicy: "Delete",
      objects,
      ...changes,
    });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  /** A bucket that is there, as a later run finds it. */
  async function madeBucket(changes?: Properties): Promise<Properties> {
    const { outputs } = await bucketLife.create(bucketInputs(changes));
    beginRun();
    return outputs;
  }

  /** An access to it that is granted, as a later run finds it. */
  async function grantedAccess(changes: Properties = {}) {
    const bucket = await madeBucket();
    const around = await accessTo(kube, objects, "rw");
    const { outputs } = await accessLife.create({
      driver: bucket["driver"],
      logicalName: "photos-rw",
      name: `ba-${around.access.uid}`,
      bucketName: bucket["name"],
      bucketId: bucket["bucketId"],
      objects: around,
      ...changes,
    });
    beginRun();
    return { outputs, around };
  }

  describe("NOT_FOUND", () => {
    it("to a delete counts as done, with a warning [OS1-071] [CASE-P03]", async () => {
      const bucket = await madeBucket();
      driver.refuse("delete", notFound);
      const lines = await printed(() => bucketLife.delete(bucket));
      assert.match(
        lines.join("\n"),
        new RegExp(`^warning: bucket ${objects.bucket.name}: .*NOT_FOUND.*deleted$`),
      );
      assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), []);
    });

    it("to a revoke is an error that keeps account and finalizers, and names the way on [OS1-071]", async () => {
      const { outputs, around } = await grantedAccess();
      driver.refuse("revoke", notFound);
      await assert.rejects(
        accessLife.delete(outputs),
        /DriverRevokeBucketAccess: NOT_FOUND: no such thing .*revokeNotFound to "ignore", or PULUMI_COSI_REVOKE_NOT_FOUND=ignore/,
      );
      assert.deepEqual(await finalizersOf(kube, bucketAccessKind, around.access), [finalizers.access]);
      assert.deepEqual(await statusOf(kube, bucketAccessKind, around.access), {
        accessGranted: false,
        accountID: outputs["accountId"],
      });
    });

    it("to a revoke is a warning where the program asks for it [OS1-071]", async () => {
      const { outputs, around } = await grantedAccess({ revokeNotFound: "ignore" });
      driver.refuse("revoke", notFound);
      const lines = await printed(() => accessLife.delete(outputs));
      assert.match(lines.join("\n"), /^warning: access ba-\S+: .*NOT_FOUND to the revoke/);
      assert.deepEqual(await finalizersOf(kube, bucketAccessKind, around.access), []);
    });

    it("to a revoke after an attempt without an answer means that this one did it [OS1-071]", async () => {
      const { outputs, around } = await grantedAccess();
      driver.refuse("revoke", { code: status.DEADLINE_EXCEEDED, message: "too late" }, notFound);
      await accessLife.delete(outputs);
      assert.equal(driver.requests().revoke.length, 2);
      assert.deepEqual(await finalizersOf(kube, bucketAccessKind, around.access), []);
    });
  });

  it("FAILED_PRECONDITION is shown with the bucket's id, and the Bucket object stays [OS1-075]", async () => {
    const bucket = await madeBucket();
    driver.refuse("delete", { code: status.FAILED_PRECONDITION, message: "it is not empty" });
    await assert.rejects(bucketLife.delete(bucket), (error: Error) => {
      assert.match(error.message, /^DriverDeleteBucket: FAILED_PRECONDITION: it is not empty \[/);
      assert.ok(error.message.includes(`store:/${objects.bucket.name}`), error.message);
      return true;
    });
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
    await bucketLife.delete(bucket);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), []);
    assert.equal(driver.requests().delete.length, 2);
  });

  it("an API server that is stopped has nothing revoked and nothing deleted [OS1-072]", async () => {
    const { outputs, around } = await grantedAccess();
    const [port = 0] = await freePorts(1);
    const kubernetes = { kubeconfig: kube.kubeconfig.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`) };
    driver.fake.calls.length = 0;
    const unreachable = /ECONNREFUSED: the API server .* cannot be reached/;
    await assert.rejects(accessLife.delete({ ...outputs, objects: { ...around, kubernetes } }), unreachable);
    const bucket = bucketInputs({ objects: { ...objects, kubernetes } });
    await assert.rejects(bucketLife.delete({ ...outputs, ...bucket, onDelete: "" }), unreachable);
    assert.deepEqual(driver.rpcs(), []);
  });

  it("an access of somebody else keeps the objects under Retain too [OS1-072]", async () => {
    const bucket = await madeBucket({ deletionPolicy: "Retain" });
    await accessTo(kube, objects, "theirs", {});
    await assert.rejects(
      bucketLife.delete(bucket),
      new RegExp(`is used by BucketAccess ${objects.claim.namespace}/theirs, which this stack did not make`),
    );
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
  });

  describe("what somebody made under the name of an object that is gone", () => {
    it("has nothing revoked, and stays as it is", async () => {
      const { outputs, around } = await grantedAccess();
      const { access, secretName, claim } = around;
      await removeByHand(kube.client, bucketAccessKind, access);
      const theirs = await createOwned(kube, bucketAccessKind, {
        namespace: access.namespace,
        name: access.name,
        spec: { bucketClaimName: claim.name, bucketAccessClassName: "x", credentialsSecretName: secretName },
        annotations: {},
      });
      const objectsOfState = { ...around, owner: objects.owner };
      await assert.rejects(
        accessLife.delete({ ...outputs, objects: objectsOfState }),
        new RegExp(
          `BucketAccess ${access.namespace}/rw is not the one of this stack, which is gone: .* it stays as it is`,
        ),
      );
      assert.deepEqual(driver.requests().revoke, []);
      assert.deepEqual(await kube.client.get(bucketAccessKind, access), theirs);
    });

    it("has nothing deleted, and stays as it is", async () => {
      const bucket = await madeBucket();
      await removeByHand(kube.client, bucketKind, objects.bucket);
      const spec = { driverName: "x", bucketClassName: "x", protocols: ["S3"], bucketClaim: {} };
      const { name } = objects.bucket;
      const theirs = await createOwned(kube, bucketKind, { name, spec, annotations: {} });
      await assert.rejects(
        bucketLife.delete(bucket),
        new RegExp(`Bucket ${name} is not the one of this stack`),
      );
      assert.deepEqual(driver.requests().delete, []);
      assert.deepEqual(await kube.client.get(bucketKind, { name }), theirs);
    });
  });
});
