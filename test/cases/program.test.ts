import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as objectstorage from "../../components/objectstorage";
import { Bucket, BucketAccess, Driver } from "../../index";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { closeConnections } from "../../provider/driver/connections";
import { only, run } from "../components/objectstorage/mocks";
import { obligingDriver } from "../support/cosi-v1alpha1";
import { Lifecycle } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference } from "../support/settings";

describe("what programs ask Pulumi for", function () {
  this.timeout(60_000);

  it("an import is refused in the program, before Pulumi's own words for it, and the error names the way that works [CASE-U03]", async () => {
    const wayOn =
      /^(Driver store|Bucket archive|BucketAccess reader): the option import is "old-2019", .*existingBucketId of cosi\.Bucket or objectstorage\.Bucket/s;
    const importing = { import: "old-2019" };
    const registered = await run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const bucket = new Bucket("archive", { driver, existingBucketId: "old-2019" });
      for (const attempt of [
        () => new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" }, importing),
        () => new Bucket("archive", { driver }, importing),
        () => new BucketAccess("reader", { bucket }, importing),
      ]) {
        assert.throws(
          attempt,
          (error: unknown) => pulumi.RunError.isInstance(error) && wayOn.test(error.message),
        );
      }
    });
    const resources = registered.filter(({ type }) => type.includes("dynamic/cosi:"));
    assert.deepEqual(
      resources.map(({ name }) => name),
      ["store", "archive"],
      "what was refused is not registered",
    );

    // The way that the error and the documents name.
    const readme = fs.readFileSync(path.join(__dirname, "..", "..", "README.md"), "utf8");
    assert.match(readme, /`pulumi import` cannot take a bucket over .*: use `existingBucketId`/);
    const driver = await obligingDriver().start();
    try {
      beginRun();
      const bucket = new Lifecycle(bucketProvider);
      const taken = { logicalName: "archive", existingBucketId: "old-2019" };
      const { outputs } = await bucket.create({ ...taken, driver: driverReference(driver.endpoint) });
      assert.equal(outputs["bucketId"], "old-2019");
      await bucket.delete(outputs);
      assert.deepEqual(driver.paths(), []);
    } finally {
      await closeConnections();
      driver.stop();
    }
  });

  it("a workload that takes nothing but the bucket's name of a claim waits for its bucket, new or existing [CASE-U28]", async () => {
    for (const existing of [false, true]) {
      const registered = await run(() => {
        const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
        const bucketClass = new objectstorage.BucketClass("gold", { driver });
        const existingBucket = new objectstorage.Bucket("old", {
          bucketClass,
          existingBucketId: "old-2019",
          protocols: ["S3"],
        });
        const claim = new objectstorage.BucketClaim("photos", {
          namespace: "shop",
          protocols: ["S3"],
          ...(existing ? { existingBucket } : { bucketClass }),
        });
        new k8s.core.v1.ConfigMap("workload", { data: { bucket: claim.bucketName } });
      });
      const place = (type: string, name: string): number =>
        registered.findIndex((resource) => resource.type === type && resource.name === name);
      const bucket = place("pulumi-nodejs:dynamic/cosi:Bucket", existing ? "old" : "photos");
      assert.ok(bucket >= 0);
      assert.ok(bucket < place("kubernetes:core/v1:ConfigMap", "workload"), JSON.stringify(registered));
      const data = only(registered, "ConfigMap").inputs["data"] as { bucket: string };
      assert.match(data.bucket, existing ? /^old$/ : /^bucket-/);
    }
  });
});
