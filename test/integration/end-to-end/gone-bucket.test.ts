import assert from "node:assert/strict";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Cluster } from "../../support/end-to-end/cluster";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { Stack } from "../../support/stack";

/** @param reader Whether a second access of the bucket without a cluster is asked for. */
const program = (reader: boolean): string => `
import * as cosi from "pulumi-cosi";
const namespace = "shop";
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });
const gold = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: "Retain" });
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace, protocols: ["S3"], bucketClass: gold });
const photosKeys = new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
});
const logs = new cosi.Bucket("logs", { driver, deletionPolicy: "Delete" });
const logsKeys = new cosi.BucketAccess("logs-rw", { bucket: logs });
${reader ? 'new cosi.BucketAccess("logs-ro", { bucket: logs, parameters: { accessMode: "ro" } });' : ""}

export const buckets = [photos.bucketId, logs.bucketId];
export const users = [photosKeys, logsKeys].map(({ accessKeyId, accessSecretKey }) => (
  { accessKeyId, secretAccessKey: accessSecretKey }
));
`;

interface Outputs {
  readonly buckets: readonly [string, string];
  readonly users: readonly { readonly accessKeyId: string; readonly secretAccessKey: string }[];
}

describe("a bucket that somebody deleted at the store", function () {
  this.timeout(180_000);
  let store: Store;
  let cluster: Cluster;
  let admin: StoreAdmin;
  let stack: Stack;
  let made: Outputs;

  const outputs = async (): Promise<Outputs> => (await stack.outputs()) as unknown as Outputs;

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: false })]);
    await cluster.createNamespace("shop");
    admin = new StoreAdmin(store);
    stack = await Stack.create(
      { source: program(false) },
      { ...s3DriverEnvironment(store), ...cluster.variables, ...quickProgram },
    );
    await stack.up();
    made = await outputs();
    for (const bucket of made.buckets) await admin.removeBucket(bucket);
  });

  after(async () => {
    await stack.remove();
    for (const bucket of made.buckets)
      if ((await admin.bucketsNamed(bucket)) > 0) await admin.removeBucket(bucket);
    await admin.cleanUp();
    await cluster.stop();
    await store.stop();
  });

  it("is seen by no refresh, and by the next grant, which says how it is made again", async () => {
    assert.match(await stack.succeed(["refresh", "--yes"]), /unchanged/);
    stack.write(program(true));
    const text = await stack.fail(["up", "--yes", "--skip-preview"]);
    assert.match(text, /NOT_FOUND/);
    assert.match(text, /`pulumi up --replace` with its URN/);
    stack.write(program(false));
    await stack.up();
  });

  it("is made again by `pulumi up --replace` under its name, with new keys, under either policy", async () => {
    const { resources } = await stack.state();
    const urns = resources
      .filter(({ type }) => type === "pulumi-nodejs:dynamic/cosi:Bucket")
      .map(({ urn }) => urn);
    assert.equal(urns.length, 2);
    await stack.succeed(["up", "--yes", "--skip-preview", ...urns.flatMap((urn) => ["--replace", urn])]);
    const anew = await outputs();
    assert.deepEqual(anew.buckets, made.buckets);
    for (const [index, bucket] of anew.buckets.entries()) {
      assert.notDeepEqual(anew.users[index], made.users[index]);
      const user = new StoreAdmin({ ...store, ...anew.users[index] });
      await user.put(bucket, "after");
      await user.remove(bucket, "after");
    }
    assert.deepEqual(await stack.plannedSteps(), []);
  });

  it("goes with the stack by its policy", async () => {
    await stack.destroy();
    assert.deepEqual(await Promise.all(made.buckets.map((bucket) => admin.bucketsNamed(bucket))), [1, 0]);
  });
});
