import assert from "node:assert/strict";
import { secretKind } from "../../../provider/kubernetes/object";
import { ownerAnnotation } from "../../../provider/kubernetes/ownership";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { obligingDriver } from "../../support/cosi-v1alpha1";
import { Cluster } from "../../support/end-to-end/cluster";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import type { FakeDriver } from "../../support/fake-driver";
import { Stack } from "../../support/stack";

const namespace = "shop";

/** A part of it belongs to whichever stack the environment says. */
const program = `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store");
const { objectstorage } = cosi;
objectstorage.install();
if (process.env.HAS_PHOTOS === "yes") {
  const bucketClass = new objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
  const bucketAccessClass = new objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
  const namespace = ${JSON.stringify(namespace)};
  const bucketClaim = new objectstorage.BucketClaim("photos", { namespace, bucketClass, protocols: ["S3"] });
  new objectstorage.BucketAccess("photos-rw", {
    namespace, bucketClaim, bucketAccessClass, credentialsSecretName: "photos-creds",
  });
}
`;
const withPhotos = { HAS_PHOTOS: "yes" };

describe("a stack whose name or parts go elsewhere, on a real API server", function () {
  this.timeout(300_000);
  let cluster: Cluster;
  let driver: FakeDriver;
  let stack: Stack;

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    await cluster.createNamespace(namespace);
    driver = await obligingDriver().start();
    stack = await Stack.create(
      { source: program },
      { ...cluster.variables, ...quickProgram, COSI_ENDPOINT: driver.endpoint },
    );
    await stack.up(withPhotos);
  });
  after(async () => {
    await stack.remove();
    driver.stop();
    await cluster.stop();
  });
  beforeEach(() => {
    driver.calls.length = 0;
  });

  const rpcs = (): string[] => driver.paths().filter((rpc) => rpc !== "DriverGetInfo");
  const ownerOf = async (): Promise<unknown> =>
    (await cluster.get(bucketClaimKind, "photos", namespace)).metadata.annotations?.[ownerAnnotation];
  const secretUid = async (): Promise<unknown> =>
    (await cluster.get(secretKind, "photos-creds", namespace)).metadata.uid;

  it("calls no driver after a rename, marks its objects, and has nothing to do then", async () => {
    const uid = await secretUid();
    await stack.succeed(["stack", "rename", "renamed"]);
    await stack.up(withPhotos);
    assert.deepEqual(rpcs(), []);
    assert.equal(await ownerOf(), "organization/program/renamed");
    assert.equal(await secretUid(), uid);
    assert.deepEqual(await stack.plannedSteps(withPhotos), []);
  });

  it("hands components over by state move: the other stack's up marks them, and no driver is called", async () => {
    const uid = await secretUid();
    await stack.succeed(["stack", "init", "other"]);
    await stack.up();
    const components = (await stateOf("renamed")).filter(
      ({ type, id }) => type.startsWith("cosi:objectstorage:") && id === undefined,
    );
    assert.equal(components.length, 4);
    driver.calls.length = 0;
    await stack.succeed([
      "state",
      "move",
      "--yes",
      "--source",
      "organization/program/renamed",
      "--dest",
      "organization/program/other",
      ...components.map(({ urn }) => urn),
    ]);
    await stack.up(withPhotos);
    assert.deepEqual(rpcs(), []);
    assert.equal(await ownerOf(), "organization/program/other");
    assert.equal(await secretUid(), uid);
    assert.deepEqual(await stack.plannedSteps(withPhotos), []);
  });

  it("has no more to do with what it has handed over", async () => {
    await stack.succeed(["stack", "select", "renamed"]);
    assert.deepEqual(await stack.plannedSteps(), []);
    const text = await stack.fail(["up", "--yes", "--skip-preview"], withPhotos);
    assert.match(diagnostics(text), /belongs to the stack organization\/program\/other/);
    assert.deepEqual(rpcs(), []);
    await stack.destroy();
    assert.deepEqual(rpcs(), []);
  });

  it("ends with the stack that has it", async () => {
    await stack.succeed(["stack", "select", "other"]);
    await stack.destroy();
    assert.deepEqual(rpcs(), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
    assert.equal(await cluster.client.get(secretKind, { namespace, name: "photos-creds" }), undefined);
  });

  async function stateOf(name: string): Promise<Awaited<ReturnType<Stack["state"]>>["resources"]> {
    const exported = JSON.parse(await stack.succeed(["stack", "export", "--stack", name])) as {
      deployment: { resources: Awaited<ReturnType<Stack["state"]>>["resources"] };
    };
    return exported.deployment.resources;
  }
});
