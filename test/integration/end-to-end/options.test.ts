import assert from "node:assert/strict";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Cluster } from "../../support/end-to-end/cluster";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const namespace = "shop";

/** What a program says of its resources: what they are called, what they were called, and of the claim its options. */
interface Said {
  readonly prefix: string;
  readonly before?: string;
  readonly claim?: string;
  /** @default true */
  readonly hasClaim?: boolean;
}

/** Names of objects and buckets are left to the package. */
const program = (endpoint: string, { prefix, before, claim = "", hasClaim = true }: Said): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";
const { BucketClass, BucketAccessClass, BucketClaim, BucketAccess } = cosi.objectstorage;
const { StorageClass, ObjectBucketClaim } = cosi.objectbucket;

const before = ${JSON.stringify(before)} as string | undefined;
const called = (name: string) => ${JSON.stringify(prefix)} + name;
const was = (name: string) => before === undefined ? {} : { aliases: [{ name: before + name }] };
const namespace = ${JSON.stringify(namespace)};

const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
const gold = new BucketClass(called("gold"), { driver, deletionPolicy: "Delete" }, was("gold"));
const keys = new BucketAccessClass(called("keys"), { driver, authenticationType: "Key" }, was("keys"));
${
  hasClaim
    ? `
const photos = new BucketClaim(called("photos"), { namespace, bucketClass: gold, protocols: ["S3"] },
  { ...was("photos"), ${claim} });
new BucketAccess(called("photos-rw"),
  { namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds" }, was("photos-rw"));`
    : ""
}

const shared = new StorageClass(called("shared"), { driver, reclaimPolicy: "Delete" }, was("shared"));
new ObjectBucketClaim(called("films"), { namespace, storageClass: shared, generateBucketName: "films", endpoint: "https://s3.example.com" }, was("films"));

class Team extends pulumi.ComponentResource {
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("example:Team", name, {}, opts);
    const bucket = new cosi.Bucket(name, { driver, deletionPolicy: "Delete" }, { parent: this });
    new cosi.BucketAccess(name + "-rw", { bucket }, { parent: this });
  }
}
new Team(called("team"), was("team"));
`;

describe("options of components, on a real API server", function () {
  this.timeout(600_000);
  let cluster: Cluster;
  let driver: WatchedDriver;
  let stack: Stack;
  const write = (said: Said) => {
    stack.write(program(driver.fake.endpoint, said));
  };

  before(async () => {
    [cluster, driver] = await Promise.all([
      Cluster.start({ controllerManager: true }),
      new WatchedDriver().start(),
    ]);
    await cluster.createNamespace(namespace);
    stack = await Stack.create(
      { source: program(driver.fake.endpoint, { prefix: "" }) },
      { ...cluster.variables, ...quickProgram },
    );
    await stack.up();
    assert.deepEqual(driver.counts()["DriverCreateBucket"], 3);
    driver.forget();
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
    await cluster.stop();
  });

  it("have an alias change nothing: no step, no object and no call, nor when it is taken away again", async () => {
    const objects = await cluster.snapshot();
    write({ prefix: "new-", before: "" });
    assert.deepEqual(await stack.plannedSteps(), []);
    await stack.up();
    write({ prefix: "new-" });
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.succeed(["refresh", "--yes", "--skip-preview"]);
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(await cluster.snapshot(), objects);
    assert.deepEqual(driver.counts(), {});
  });

  it("have protect of a claim keep its bucket, by which a run that would delete it is stopped", async () => {
    write({ prefix: "new-", claim: "protect: true" });
    await stack.up();
    write({ prefix: "new-", hasClaim: false });
    assert.match(await stack.fail(["up", "--yes", "--skip-preview"]), /protected/);
    assert.deepEqual(
      driver.events.filter((event) => event.includes(" delete ")),
      [],
    );
  });

  it("have retainOnDelete of a claim leave its bucket and its objects when it goes", async () => {
    write({ prefix: "new-", claim: "retainOnDelete: true" });
    await stack.up();
    driver.forget();
    write({ prefix: "new-", hasClaim: false });
    await stack.up();
    assert.deepEqual(
      driver.events.filter((event) => event.includes(" delete ")),
      [],
    );
    const left = await cluster.client.list(bucketClaimKind, { namespace });
    assert.deepEqual(
      left.map(({ metadata }) => metadata.name),
      ["photos"],
    );
  });
});
