import assert from "node:assert/strict";
import * as path from "node:path";
import { secretKind } from "../../../provider/kubernetes/object";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Cluster } from "../../support/end-to-end/cluster";
import { OwnTemporaryFolder } from "../../support/end-to-end/leftovers";
import { errors, hasStackTrace } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const namespace = "shop";

const program = (endpoint: string, rest: string, waits = ""): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)}, ${waits} });
${rest}`;

const classes = `
const gold = new cosi.objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
`;
const claim = (args: string, name = "photos"): string =>
  `const photos = new cosi.objectstorage.BucketClaim("${name}", { namespace: "${namespace}", ${args} });\n`;
const goodClaim = claim('bucketClass: gold, protocols: ["S3"]');

describe("bad input, on a real API server", function () {
  this.timeout(200_000);
  let cluster: Cluster;
  let driver: WatchedDriver;
  let stack: Stack;

  const up = ["up", "--yes", "--skip-preview"];

  /** The one error of a command, which names no line of code. */
  const oneError = async (args: readonly string[], of = stack): Promise<string> => {
    const text = await of.fail(args);
    assert.ok(!hasStackTrace(text), `there is a stack trace:\n${text}`);
    const [error = "", ...others] = errors(text);
    assert.deepEqual(others, [], text);
    return error;
  };

  /** The one error of a program, after which nothing is called and nothing in the cluster has changed. */
  const refused = async (args: readonly string[], rest: string): Promise<string> => {
    stack.write(program(driver.fake.endpoint, classes + rest));
    const objects = await cluster.snapshot();
    driver.forget();
    const error = await oneError(args);
    assert.deepEqual(driver.counts(), {});
    assert.deepEqual(await cluster.snapshot(), objects);
    return error;
  };
  const refusedInPreview = (rest: string): Promise<string> => refused(["preview"], rest);

  before(async () => {
    cluster = await Cluster.start({ controllerManager: false });
    await cluster.createNamespace(namespace);
    driver = await new WatchedDriver().start();
    stack = await Stack.create(
      { source: program(driver.fake.endpoint, classes) },
      { ...cluster.variables, ...quickProgram },
    );
    await stack.up();
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
    await cluster.stop();
  });

  describe("is seen in the preview, and nothing is called or written:", () => {
    it("a claim with neither class nor Bucket, or with both [OS1-016]", async () => {
      assert.equal(
        await refusedInPreview(claim('protocols: ["S3"]')),
        "BucketClaim photos: bucketClass and existingBucket are both missing: give one of them",
      );
      const bucket = `const old = new cosi.objectstorage.Bucket("old", {
        bucketClass: gold, existingBucketId: "old", protocols: ["S3"],
      });\n`;
      assert.equal(
        await refusedInPreview(bucket + claim('bucketClass: gold, existingBucket: old, protocols: ["S3"]')),
        "BucketClaim photos: bucketClass and existingBucket are both given: leave one of them out",
      );
    });

    it("a protocol that the API does not know", async () => {
      assert.equal(
        await refusedInPreview(claim('bucketClass: gold, protocols: ["NFS"]')),
        'BucketClaim photos: protocols has "NFS": the protocols are "S3", "Azure", "GCP"',
      );
    });

    it("a name of more than 63 characters", async () => {
      const name = "n".repeat(64);
      const error = await refusedInPreview(`new cosi.Bucket("photos", { driver, name: "${name}" });`);
      assert.match(
        error,
        /resource 'photos' has a problem: name has 64 characters, and a driver takes at most 63/,
      );
    });

    it("an empty id of a bucket that exists", async () => {
      const error = await refusedInPreview('new cosi.Bucket("photos", { driver, existingBucketId: "" });');
      assert.match(
        error,
        /resource 'photos' has a problem: existingBucketId is empty: give the id of the bucket/,
      );
    });

    it("the policy Delete for a bucket that exists", async () => {
      const error = await refusedInPreview(
        'new cosi.Bucket("photos", { driver, existingBucketId: "old", deletionPolicy: "Delete" });',
      );
      assert.match(
        error,
        /resource 'photos' has a problem: existingBucketId is given with deletionPolicy "Delete".*: use "Retain"/,
      );
    });
  });

  describe("is seen at up, and nothing is called or written:", () => {
    it("a claim that is there already and is not ours, or has no namespace, or no proper name [OS1-018]", async () => {
      const foreign = await cluster.client.create(bucketClaimKind, {
        metadata: { namespace, name: "photos" },
        spec: { bucketClassName: "silver", protocols: ["S3"] },
      });
      const taken = await refused(up, goodClaim);
      assert.match(taken, /BucketClaim shop\/photos/);
      const nowhere =
        'new cosi.objectstorage.BucketClaim("photos", { namespace: "nowhere", bucketClass: gold, protocols: ["S3"] });';
      assert.match(await refused(up, nowhere), /namespace.*nowhere/i);
      assert.match(
        await refusedInPreview(claim('name: "Photos!", bucketClass: gold, protocols: ["S3"]')),
        /Photos!/,
      );
      stack.write(program(driver.fake.endpoint, classes));
      assert.deepEqual(await cluster.get(bucketClaimKind, "photos", namespace), foreign);
    });

    it("a Secret that belongs to somebody else, before a key is made [OS1-046] [CASE-C26]", async () => {
      const foreign = await cluster.client.create(secretKind, {
        metadata: { namespace, name: "photos-creds" },
        data: { password: "c2VjcmV0" },
      });
      const access = `new cosi.objectstorage.BucketAccess("pictures-rw", {
        namespace: "${namespace}", bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
      });`;
      const pictures = claim('bucketClass: gold, protocols: ["S3"]', "pictures");
      stack.write(program(driver.fake.endpoint, classes + pictures + access));
      driver.forget();
      const error = await oneError(up);
      assert.match(error, /Secret shop\/photos-creds exists and does not belong to BucketAccess pictures-rw/);
      assert.deepEqual(driver.counts(), { DriverGetInfo: 1, DriverCreateBucket: 1 });
      assert.deepEqual(await cluster.get(secretKind, "photos-creds", namespace), foreign);
    });

    it("and destroy leaves what is not ours as it was", async () => {
      const objects = await cluster.snapshot();
      await stack.destroy();
      const left = Object.entries(await cluster.snapshot()).filter(
        ([name]) => !name.startsWith("CustomResourceDefinition "),
      );
      assert.deepEqual(left.map(([name]) => name).sort(), [
        `BucketClaim ${namespace}/photos`,
        `Secret ${namespace}/photos-creds`,
      ]);
      for (const [name, version] of left) assert.equal(version, objects[name], name);
    });
  });

  describe("of the driver's endpoint:", () => {
    it("nobody listens at the socket", async () => {
      const temporary = await OwnTemporaryFolder.create();
      const absent = path.join(temporary.path, "absent.sock");
      stack.write(
        program(
          `unix://${absent}`,
          classes + claim('bucketClass: gold, protocols: ["S3"]', "films"),
          "connectTimeoutSeconds: 2",
        ),
      );
      await cluster.installDefinitions();
      const objects = await cluster.snapshot();
      const error = await oneError(up);
      assert.match(error, /^DriverGetInfo: UNAVAILABLE: no socket appeared at (.*) within 2 s/);
      assert.ok(error.includes(absent), error);
      assert.deepEqual(await cluster.snapshot(), objects);
      await temporary.remove();
    });

    describe("another driver listens at the socket", () => {
      const others = 'new cosi.Bucket("photos", { driver, deletionPolicy: "Delete" });';
      let other: WatchedDriver;
      let own: Stack;

      const at = (watched: WatchedDriver): Record<string, string> => ({
        COSI_ENDPOINT: watched.fake.endpoint,
      });
      const source = (settings: string, rest: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { ${settings} });
${rest}`;

      before(async () => {
        other = await new WatchedDriver("other.example.com").start();
        own = await Stack.create({ source: source("", others) }, { ...quickProgram, ...at(driver) });
        await own.up();
      });
      after(async () => {
        await own.remove();
        other.fake.stop();
      });

      it("so nothing is sent to it, on destroy too, until the program says that it was renamed [GRPC-009] [CASE-C29]", async () => {
        const names =
          /belongs to driver "fake\.example\.com", but .* calls itself "other\.example\.com".*driverName/;
        own.write(source("", others + 'new cosi.Bucket("films", { driver, deletionPolicy: "Delete" });'));
        const refusedUp = await own.fail([...up], at(other));
        assert.match(errors(refusedUp).join(), names);
        const refusedDestroy = await own.fail(["destroy", "--yes", "--skip-preview"], at(other));
        assert.match(errors(refusedDestroy).join(), names);
        assert.deepEqual(other.counts(), { DriverGetInfo: 2 });

        own.write(source('driverName: "other.example.com"', others));
        assert.match(await own.succeed(["preview"], at(other)), /~ 2 to update/);
        await own.succeed(up, at(other));
        await own.destroy(at(other));
        assert.deepEqual(
          other.fake.paths().filter((rpc) => rpc !== "DriverGetInfo"),
          ["DriverDeleteBucket"],
        );
      });
    });
  });
});
