import assert from "node:assert/strict";
import { driver as named, findingsOf, found, languages, step, unknownText, withStates } from "./steps";

const [bucket, access] = [languages.TypeScript("Bucket"), languages.TypeScript("BucketAccess")];
const model = "cosi-2020-07:cosi.io";
const driver = { ...named, contract: "cosi-2020-07" };
const objects = { model, bucket: { name: "bucket-catalogue-shop" } };
const owner = `urn:pulumi:prod::shop::cosi:cosi20200708:BucketRequest$${bucket}::catalogue`;

describe("a bucket of the COSI proposal of 2020-07-08, whose object in the cluster decides", () => {
  const account = { driver, objects, bucketId: "catalogue", name: "reader" };
  const ended = (op: string, before: object = {}) =>
    withStates(step(op, access, "reader", account, op === "delete" ? undefined : account), { before });

  it("may be lost by the end of an account of another stack", () => {
    for (const op of ["delete", "replace"]) {
      const all = findingsOf(ended(op));
      assert.equal(all[0]?.category, "data-loss");
      assert.equal(all[0].object, "catalogue");
      assert.match(
        all[0].what,
        /may be deleted, .*: it is deleted if its owner is gone and nobody else is bound to it/,
      );
    }
  });

  it("is not lost by that of an account whose bucket the program has, or that is not revoked", () => {
    const revoked = ["credential-revoked BucketAccess reader"];
    assert.deepEqual(found(ended("delete", { dependencies: [owner] })), revoked);
    assert.deepEqual(found(ended("delete", { retainOnDelete: true })), [
      "credential-left BucketAccess reader",
    ]);
    const other = { ...account, objects: { ...objects, model: "objectstorage-v1alpha1" } };
    assert.deepEqual(found(step("delete", access, "reader", other)), revoked);
  });

  it("may be lost under Retain, as the object may say otherwise by now", () => {
    const inputs = { driver, objects, name: "catalogue", deletionPolicy: "Retain" };
    const [finding, ...others] = findingsOf(step("delete", bucket, "b", inputs));
    assert.equal(finding?.category, "data-loss");
    assert.match(
      finding.what,
      /may be deleted, .*does not show the releasePolicy of its Bucket in the cluster$/,
    );
    assert.equal(finding.policy, "Retain");
    assert.deepEqual(others, []);
    const onDelete = "keeps the bucket and its data (deletionPolicy Retain)";
    assert.deepEqual(found(step("delete", bucket, "b", { ...inputs, onDelete })), ["data-loss Bucket b"]);
    const existing = { ...inputs, existingBucketId: "catalogue" };
    assert.deepEqual(found(step("delete", bucket, "b", existing)), []);
    const kept = withStates(step("delete", bucket, "b", inputs), { before: { retainOnDelete: true } });
    assert.deepEqual(found(kept), ["orphaned-data Bucket b"]);
    const later = { ...inputs, deletionPolicy: unknownText };
    assert.deepEqual(found(step("update", bucket, "b", inputs, inputs)), []);
    assert.deepEqual(found(step("update", bucket, "b", inputs, later)), ["protection-lowered Bucket b"]);
  });
});
