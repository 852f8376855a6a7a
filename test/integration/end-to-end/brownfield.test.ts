import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { emptyBucket } from "../../../drivers/s3/core/bucket-contents";
import { bucketKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { Stack } from "../../support/stack";

const namespace = "shop";
const traced = { PULUMI_COSI_TRACE: "1" };

/** Two buckets that exist, one with and one without a cluster, and one that is made under the policy of a class that names none. */
const program = (existing: string, existingStatic: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });

const archive = new cosi.Bucket("archive", { driver, existingBucketId: "${existing}" });
const archiveKeys = new cosi.BucketAccess("archive-rw", { bucket: archive });

const gold = new cosi.objectstorage.BucketClass("gold", { driver, parameters: { emptyOnDelete: "true" } });
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const claims = {
  old: new cosi.objectstorage.BucketClaim("old", {
    namespace: "${namespace}", protocols: ["S3"],
    existingBucket: new cosi.objectstorage.Bucket("old", {
      bucketClass: gold, existingBucketId: "${existingStatic}", protocols: ["S3"],
      bucketClaim: { namespace: "${namespace}", name: "old" },
    }),
  }),
  fresh: new cosi.objectstorage.BucketClaim("fresh", {
    namespace: "${namespace}", protocols: ["S3"], bucketClass: gold,
  }),
};
const accesses = Object.entries(claims).map(([name, bucketClaim]) =>
  new cosi.objectstorage.BucketAccess(name + "-rw", {
    namespace: "${namespace}", bucketClaim, bucketAccessClass: keys, credentialsSecretName: name + "-creds",
  }));

export const fresh = claims.fresh.bucketId;
export const users = [archiveKeys, ...accesses].map(({ accessKeyId, accessSecretKey }) => (
  { accessKeyId, secretAccessKey: accessSecretKey }
));
`;

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

describe("buckets that outlive their stack, on a real store and a real API server", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let stack: Stack;
  let existing: string;
  let existingStatic: string;
  let fresh: string;
  let users: readonly [Keys, Keys, Keys];
  let accounts: readonly string[];

  /** The calls about a bucket in the output of a command. */
  const callsAbout = (bucket: string, text: string): string[] => {
    const lines = diagnostics(text).matchAll(/rpc \/[\w.]+\/(\w+) OK .*?\{(.*?)\}/g);
    return [...lines].flatMap(([, rpc = "", sent = ""]) => (sent.includes(`"${bucket}"`) ? [rpc] : []));
  };

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: false })]);
    await cluster.createNamespace(namespace);
    admin = new StoreAdmin(store);
    [existing, existingStatic] = [admin.name(), admin.name()];
    for (const bucket of [existing, existingStatic]) await admin.makeBucket(bucket);
    stack = await Stack.create(
      { source: program(existing, existingStatic) },
      { ...s3DriverEnvironment(store), ...cluster.variables, ...quickProgram, ...traced },
    );
  });
  after(async () => {
    await stack.remove();
    if (await admin.bucketsNamed(fresh)) {
      await emptyBucket(admin.s3, fresh);
      await admin.removeBucket(fresh);
    }
    await admin.cleanUp();
    await Promise.all([store.stop(), cluster.stop()]);
  });

  describe("after up", () => {
    let up: string;

    before(async () => {
      for (const bucket of [existing, existingStatic]) await fill(admin, bucket, "before");
      up = await stack.up();
      const outputs = (await stack.outputs()) as { fresh: string; users: [Keys, Keys, Keys] };
      ({ fresh, users } = outputs);
      const { resources } = await stack.state();
      accounts = resources.flatMap(({ outputs: { accountId } = {} }) =>
        typeof accountId === "string" ? [accountId] : [],
      );
    });

    it("has granted access to each bucket, and created only the one that did not exist", () => {
      assert.deepEqual(callsAbout(existing, up), ["DriverGrantBucketAccess"]);
      assert.deepEqual(callsAbout(existingStatic, up), ["DriverGrantBucketAccess"]);
      assert.deepEqual(callsAbout(fresh, up), ["DriverCreateBucket", "DriverGrantBucketAccess"]);
    });

    it("gives credentials that read what was there before, and write", async () => {
      const buckets = [existing, existingStatic, fresh] as const;
      for (const [index, bucket] of buckets.entries()) {
        const user = new StoreAdmin({ ...store, ...users[index] });
        if (bucket !== fresh)
          assert.deepEqual(await read(user, bucket, "before"), await read(admin, bucket, "before"));
        await fill(user, bucket, "after");
      }
    });

    describe("and destroy", () => {
      let destroy: string;
      let contents: unknown;

      before(async () => {
        assert.deepEqual((await admin.users()).filter((user) => accounts.includes(user)).length, 3);
        contents = await contentsOf(admin, [existing, existingStatic, fresh]);
        destroy = await stack.destroy();
      });

      it("has revoked every access", async () => {
        for (const bucket of [existing, existingStatic, fresh]) {
          assert.deepEqual(callsAbout(bucket, destroy), ["DriverRevokeBucketAccess"]);
        }
        assert.deepEqual(
          (await admin.users()).filter((user) => accounts.includes(user)),
          [],
        );
        const user = new StoreAdmin({ ...store, ...users[0] });
        await assert.rejects(user.get(existing, "before"));
      });

      it("leaves the buckets that existed before with every object, byte for byte", async () => {
        assert.deepEqual(await contentsOf(admin, [existing, existingStatic, fresh]), contents);
      });

      it("keeps the bucket of a class without policy in the store, and deletes only its Bucket object [OS1-067]", async () => {
        assert.doesNotMatch(destroy, /DriverDeleteBucket/);
        assert.deepEqual(await cluster.client.list(bucketKind), []);
        assert.equal(await admin.bucketsNamed(fresh), 1);
        assert.deepEqual(await cluster.objects(namespace), []);
      });
    });
  });
});

/** Writes an object of 64 random KiB. */
async function fill(client: StoreAdmin, bucket: string, key: string): Promise<void> {
  await client.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: randomBytes(65_536) }));
}

async function read(client: StoreAdmin, bucket: string, key: string): Promise<string> {
  const { Body } = await client.s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return (await Body?.transformToString("base64")) ?? "";
}

/** Every object of the buckets, by bucket and key. */
async function contentsOf(admin: StoreAdmin, buckets: readonly string[]): Promise<unknown> {
  const entries: [string, string][] = [];
  for (const bucket of buckets) {
    const { Contents = [] } = await admin.s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    assert.ok(Contents.length > 0, `there is nothing in ${bucket}`);
    for (const { Key = "" } of Contents) entries.push([`${bucket}/${Key}`, await read(admin, bucket, Key)]);
  }
  return Object.fromEntries(entries);
}
