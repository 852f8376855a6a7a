import assert from "node:assert/strict";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Cluster } from "../../support/end-to-end/cluster";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { Stack } from "../../support/stack";

const namespace = "shop";

/** @param more What the program has since its state was kept. */
const program = (trigger: string, more = ""): string => `
import * as cosi from "pulumi-cosi";
const namespace = "${namespace}";
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });
const gold = new cosi.objectstorage.BucketClass("gold", {
  driver, deletionPolicy: "Delete", parameters: { emptyOnDelete: "true" },
});
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace, protocols: ["S3"], bucketClass: gold });
const access = new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
  rotation: { trigger: "${trigger}" },
});
${more}
export const { accountId, accessKeyId, accessSecretKey } = access;
export const bucket = photos.bucketId;
`;
const sinceThen = `
const films = new cosi.objectstorage.BucketClaim("films", { namespace, protocols: ["S3"], bucketClass: gold });
const logs = new cosi.Bucket("logs", { driver, deletionPolicy: "Delete" });
export const made = [films.bucketId, logs.bucketId];
`;

interface Outputs {
  readonly accountId: string;
  readonly accessKeyId: string;
  readonly accessSecretKey: string;
  readonly bucket: string;
  readonly made: readonly string[];
}

describe("a stack that goes on from an older state, on a real store and a real API server", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let stack: Stack;
  let lost: Outputs;

  const outputs = async (): Promise<Outputs> => (await stack.outputs()) as unknown as Outputs;

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: false })]);
    await cluster.createNamespace(namespace);
    admin = new StoreAdmin(store);
    stack = await Stack.create(
      { source: program("1") },
      { ...s3DriverEnvironment(store), ...cluster.variables, ...quickProgram },
    );
    await stack.up();
    await stack.succeed(["stack", "export", "--file", "older.json"]);
    stack.write(program("2", sinceThen));
    await stack.up();
    lost = await outputs();
    await admin.put(lost.bucket, "before");
    await stack.succeed(["stack", "import", "--file", "older.json"]);
  });

  after(async () => {
    await stack.remove();
    await Promise.all([store.stop(), cluster.stop()]);
  });

  it("finds by their names what was made and rotated since, by up --refresh", async () => {
    await stack.succeed(["up", "--yes", "--skip-preview", "--refresh"]);
    const found = await outputs();
    assert.deepEqual([found.bucket, found.made], [lost.bucket, lost.made]);
    const { accessKeyId, accessSecretKey: secretAccessKey } = found;
    const user = new StoreAdmin({ ...store, accessKeyId, secretAccessKey });
    assert.equal(await user.get(found.bucket, "before"), "text");
    await stack.succeed(["preview", "--expect-no-changes"]);
  });

  it("leaves no account when it is destroyed then, and no bucket", async () => {
    const { accountId } = await outputs();
    assert.ok((await admin.users()).includes(accountId));
    await stack.destroy();
    const users = await admin.users();
    assert.deepEqual(
      [lost.accountId, accountId].filter((user) => users.includes(user)),
      [],
    );
    const left = await Promise.all([lost.bucket, ...lost.made].map((name) => admin.bucketsNamed(name)));
    assert.deepEqual(left, [0, 0, 0]);
  });
});
