import assert from "node:assert/strict";
import { findingsOf, found, languages, secretOfState, step, unknownText } from "./steps";

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`accounts in a review, of a program in ${language}`, () => {
    const access = typeOf("BucketAccess");

    it("are revoked and granted anew where their keys were lost", () => {
      const updated = (outputs: object) => findingsOf(step("update", access, "a", {}, {}, { outputs }));
      const [rotated, ...others] = updated({ accountId: "a-1", granted: null });
      assert.equal(rotated?.category, "credential-rotated");
      assert.equal(rotated.why, "its keys were lost");
      assert.deepEqual(others, []);
      assert.deepEqual(updated({ accountId: "a-1", granted: "[secret]" }), []);
      const [minted] = updated({ accountId: null, granted: null });
      assert.equal(minted?.category, "credential-minted");
    });

    it("are granted where the preview does not know yet whether one is taken over", () => {
      const created = (existingAccount: unknown) =>
        found(step("create", access, "a", undefined, { existingAccount }));
      assert.deepEqual(created(unknownText), ["credential-minted BucketAccess a"]);
      assert.deepEqual(created("[secret]"), []);
    });

    it("stay alive where a replacement has their name before they go", () => {
      const [old, name] = [{ rotation: { generation: 1 }, name: "a-1" }, "a-1"];
      const replace = (op: string, news: object = { name }, reasons: string[] = []) => ({
        ...step(op, access, "a", old, op === "delete-replaced" ? undefined : news, {
          outputs: { accountId: "a-1-r1" },
        }),
        replaceReasons: reasons,
      });
      const parts = (...ops: string[]) => found(...ops.map((op) => replace(op)));
      const left = ["credential-left BucketAccess a", "credential-minted BucketAccess a"];
      const revoked = ["credential-revoked BucketAccess a", "credential-minted BucketAccess a"];
      assert.deepEqual(parts("create-replacement", "replace", "delete-replaced"), left);
      assert.deepEqual(parts("delete-replaced", "replace", "create-replacement"), revoked);
      assert.deepEqual(parts("replace"), revoked, "nothing says what comes first");
      const ops = ["create-replacement", "replace", "delete-replaced"];
      assert.deepEqual(found(...ops.map((op) => replace(op, { name: "b" }))), revoked);
      const [other] = findingsOf(...ops.map((op) => replace(op, { name: "b" })));
      assert.match(
        other?.what ?? "",
        /is revoked, unless the driver gives the new one the same credentials; what/,
      );
      for (const hidden of ["[secret]", secretOfState, unknownText]) {
        assert.deepEqual(found(...ops.map((op) => replace(op, { name: hidden }))), left);
      }
      assert.deepEqual(found(...ops.map((op) => replace(op, { name }, ["rotation"]))), [
        "credential-rotated BucketAccess a",
      ]);
    });

    it("are called by no word that stands for what is hidden", () => {
      for (const hidden of ["[secret]", secretOfState]) {
        const inputs = { name: hidden, bucketName: hidden, driver: hidden, bucket: hidden };
        const [finding] = findingsOf(step("delete", access, "a", inputs));
        assert.equal(finding?.category, "credential-revoked");
        assert.doesNotMatch(JSON.stringify(finding), /\[secret\]|4dabf/);
        assert.equal(finding.object, "an account that is named at up");
      }
    });
  });
}
