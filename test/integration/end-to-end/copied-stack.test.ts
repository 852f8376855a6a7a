import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { secretKind } from "../../../provider/kubernetes/object";
import { bucketAccessKind, bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { obligingDriver } from "../../support/cosi-v1alpha1";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import type { FakeDriver } from "../../support/fake-driver";
import { restoreFromBackup } from "../../support/faults/restored";
import { Stack } from "../../support/stack";

const namespace = "shop";
const secret = { namespace, name: "photos-creds" };

const program = (deletionPolicy: "Delete" | "Retain"): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store");
const { objectstorage } = cosi;
objectstorage.install();
const bucketClass = new objectstorage.BucketClass("gold", { driver, deletionPolicy: "${deletionPolicy}" });
const bucketAccessClass = new objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const namespace = "${namespace}";
const bucketClaim = new objectstorage.BucketClaim("photos", { namespace, bucketClass, protocols: ["S3"] });
new objectstorage.BucketAccess("photos-rw", {
  namespace, bucketClaim, bucketAccessClass, credentialsSecretName: "${secret.name}",
});
`;

describe("objects that another state, or another UID, has by now, on a real API server", function () {
  this.timeout(300_000);
  let cluster: Cluster;
  let driver: FakeDriver;
  let stack: Stack;
  let folder: string;

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "copied-stack-"));
    cluster = await Cluster.start({ controllerManager: false });
    await cluster.createNamespace(namespace);
    driver = await obligingDriver().start();
  });
  after(async () => {
    driver.stop();
    await cluster.stop();
    fs.rmSync(folder, { recursive: true });
  });
  beforeEach(async function () {
    stack = await Stack.create(
      { source: program(this.currentTest?.title.includes("Retain") === true ? "Retain" : "Delete") },
      { ...cluster.variables, ...quickProgram, COSI_ENDPOINT: driver.endpoint },
    );
    await stack.up();
    driver.calls.length = 0;
  });
  afterEach(() => stack.remove());

  const rpcs = (): string[] => driver.paths().filter((rpc) => rpc !== "DriverGetInfo");

  it("is refused to the stack of which an export was imported into another one: a destroy there sends nothing, and nothing goes", async () => {
    const first = (await stack.succeed(["stack", "--show-name"])).trim();
    const exported = await stack.succeed(["stack", "export", "--show-secrets"]);
    const file = path.join(folder, "copy.json");
    fs.writeFileSync(file, exported.replaceAll(`urn:pulumi:${first}::`, "urn:pulumi:copy::"));
    await stack.succeed(["stack", "init", "copy"]);
    await stack.succeed(["stack", "import", "--file", file]);
    await stack.up();
    assert.deepEqual(rpcs(), []);
    const { uid } = (await cluster.get(secretKind, secret.name, namespace)).metadata;

    await stack.succeed(["stack", "select", first]);
    const refused = diagnostics(await stack.fail(["destroy", "--yes", "--skip-preview"]));
    assert.match(
      refused,
      /BucketAccess shop\/photos-rw belongs to the stack organization\/program\/copy; nothing was sent/,
    );
    assert.match(refused, /pulumi stack rm --force, never with pulumi destroy/);
    assert.deepEqual(rpcs(), []);
    assert.equal((await cluster.get(secretKind, secret.name, namespace)).metadata.uid, uid);
    await stack.succeed(["stack", "rm", "--yes", "--force", first]);

    await stack.succeed(["stack", "select", "copy"]);
    assert.deepEqual(await stack.plannedSteps(), []);
    await stack.destroy();
    assert.deepEqual(rpcs(), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
  });

  it("ends an up --refresh, and a destroy after it, where claim and access were restored from a backup (Retain)", async () => {
    for (const [kind, name] of [
      [bucketClaimKind, "photos"],
      [bucketAccessKind, "photos-rw"],
    ] as const) {
      await restoreFromBackup(cluster.client, kind, { namespace, name });
    }
    await stack.succeed(["up", "--yes", "--skip-preview", "--refresh"]);
    assert.deepEqual(rpcs(), ["DriverRevokeBucketAccess", "DriverCreateBucket", "DriverGrantBucketAccess"]);
    assert.deepEqual(await stack.plannedSteps(), []);
    await stack.destroy();
    assert.equal(await cluster.client.get(bucketClaimKind, { namespace, name: "photos" }), undefined);
  });

  it("ends a destroy without a refresh, too (Delete)", async () => {
    for (const [kind, name] of [
      [bucketClaimKind, "photos"],
      [bucketAccessKind, "photos-rw"],
    ] as const) {
      await restoreFromBackup(cluster.client, kind, { namespace, name });
    }
    await stack.destroy();
    assert.deepEqual(rpcs(), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
    assert.equal(await cluster.client.get(bucketClaimKind, { namespace, name: "photos" }), undefined);
  });
});
