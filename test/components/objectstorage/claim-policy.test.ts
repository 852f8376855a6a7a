import assert from "node:assert/strict";
import * as objectstorage from "../../../components/objectstorage";
import { Driver } from "../../../provider/driver-resource/driver";
import { only, run, type Registered } from "./mocks";

describe("the deletion policy of a claim", function () {
  this.timeout(60_000);

  const program = (deletionPolicy?: string) =>
    run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const gold = new objectstorage.BucketClass("gold", { driver, deletionPolicy: "Delete" });
      new objectstorage.BucketClaim("photos", {
        namespace: "shop",
        bucketClass: gold,
        protocols: ["S3"],
        ...(deletionPolicy === undefined ? {} : { deletionPolicy }),
      });
    });
  const policies = (registered: Registered[]) => {
    const object = only(registered, "ClaimBinding").inputs["bucketFields"];
    const bucket = only(registered, "dynamic/cosi:Bucket").inputs;
    const { deletionPolicy } = object as { deletionPolicy?: string };
    return [deletionPolicy, bucket["deletionPolicy"], bucket["ownDeletionPolicy"]];
  };

  it("goes before that of the class, on the Bucket object and at the driver", async () => {
    assert.deepEqual(policies(await program("Retain")), ["Retain", "Retain", true]);
    assert.deepEqual(policies(await program()), ["Delete", "Delete", undefined]);
  });

  it("is Retain or Delete", async () => {
    await assert.rejects(program("retain"), /deletionPolicy is "retain": give "Retain", "Delete"/);
  });

  it("has no place beside a static Bucket, which is always kept [OS1-068]", async () => {
    const program = run(() => {
      const driver = new Driver("store", { endpoint: "unix:///run/cosi/cosi.sock" });
      const bucketClass = new objectstorage.BucketClass("gold", { driver });
      const existingBucket = new objectstorage.Bucket("archive", {
        bucketClass,
        existingBucketId: "archive-2019",
        protocols: ["S3"],
      });
      const protocols = ["S3"];
      new objectstorage.BucketClaim("photos", {
        namespace: "shop",
        existingBucket,
        protocols,
        deletionPolicy: "Delete",
      });
    });
    await assert.rejects(program, /deletionPolicy is given beside existingBucket, which is always kept/);
  });
});
