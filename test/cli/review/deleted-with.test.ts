import assert from "node:assert/strict";
import { driver, findingsOf, found, languages, step, withStates } from "./steps";

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`what is deleted with something else, of a program in ${language}`, () => {
    const [bucket, access] = [typeOf("Bucket"), typeOf("BucketAccess")];
    const store = {
      type: "aws:ec2/instance:Instance",
      urn: "urn:pulumi:prod::shop::aws:ec2/instance:Instance::store",
    };
    const before = { deletedWith: store.urn };
    const lost = withStates(step("delete", bucket, "b", { deletionPolicy: "Delete" }), { before });
    const account = withStates(step("delete", access, "a", {}), { before });
    const goes = step("delete", store.type, "store", {});

    it("is told to nobody: data and accounts stay", () => {
      assert.deepEqual(found(lost, account, goes), [
        "orphaned-data Bucket b",
        "credential-left BucketAccess a",
      ]);
      const [data, keys] = findingsOf(lost, account, goes);
      assert.match(data?.what ?? "", /stays at db.example.com, as the option deletedWith says/);
      assert.equal(keys?.why, "the option deletedWith");
    });

    it("is deleted and revoked where that stays", () => {
      const ended = ["data-loss Bucket b", "credential-revoked BucketAccess a"];
      assert.deepEqual(found(lost, account), ended);
      assert.deepEqual(found(lost, account, step("same", store.type, "store", {}, {})), ended);
    });

    it("counts as the worst of both where that is replaced", () => {
      assert.deepEqual(found(lost, account, step("replace", store.type, "store", {}, {})), [
        "data-loss Bucket b",
        "credential-left BucketAccess a",
      ]);
    });

    it("leaves the account that comes with a bucket alive, too", () => {
      const inputs = { driver: { ...driver, contract: "cosi-2020-02" }, deletionPolicy: "Delete" };
      const both = withStates(step("delete", bucket, "b", inputs), { before });
      assert.deepEqual(found(both, goes), ["orphaned-data Bucket b", "credential-left Bucket b"]);
    });
  });
}
