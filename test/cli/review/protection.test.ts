import assert from "node:assert/strict";
import { driver as named, findingsOf, found, languages, step, withStates } from "./steps";

const deletes = { deletionPolicy: "Delete" };
const keeps = { deletionPolicy: "Retain" };

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`protection that goes, of a program in ${language}`, () => {
    const [bucket, access] = [typeOf("Bucket"), typeOf("BucketAccess")];
    const lowered = ["protection-lowered Bucket b"];

    for (const op of ["same", "update"]) {
      it(`is told where an option of Pulumi's is taken away (${op})`, () => {
        const changed = (inputs: object, before: object, after: object = {}) =>
          found(withStates(step(op, bucket, "b", inputs, inputs), { before, after }));
        for (const option of [{ retainOnDelete: true }, { protect: true }]) {
          assert.deepEqual(changed(deletes, option), lowered);
          assert.deepEqual(new Set(changed({ deletionPolicy: "[secret]" }, option)), new Set(lowered));
          assert.deepEqual(changed(deletes, option, option), []);
          assert.deepEqual(changed(keeps, option), [], "its policy keeps it");
          assert.deepEqual(changed({ ...deletes, existingBucketId: "b" }, option), [], "it is never deleted");
          assert.deepEqual(changed(deletes, {}, option), []);
        }
        assert.deepEqual(changed(deletes, { protect: true }, { retainOnDelete: true }), []);
        const adopted = { retainOnDelete: true, outputs: { adopted: true } };
        if (op === "same") assert.deepEqual(changed(deletes, adopted), []);
      });

      it(`is told of an account that an option has kept alive (${op})`, () => {
        const changed = (inputs: object, before: object, after: object = {}) =>
          found(withStates(step(op, access, "a", inputs, inputs), { before, after }));
        for (const option of [{ retainOnDelete: true }, { protect: true }]) {
          assert.deepEqual(changed({}, option), ["protection-lowered BucketAccess a"]);
          assert.deepEqual(changed({}, option, option), []);
          assert.deepEqual(changed({ existingAccount: { accountId: "theirs" } }, option), []);
        }
      });
    }

    it("says which option it was", () => {
      const [finding] = findingsOf(
        withStates(step("same", bucket, "b", deletes, deletes), { before: { retainOnDelete: true } }),
      );
      assert.equal(finding?.why, "the option retainOnDelete is taken away");
      assert.match(
        finding.what,
        /^the bucket b will be deleted when its resource goes; until now it would be kept$/,
      );
    });

    it("is none where nothing changes, though nobody can read it", () => {
      const hidden = { deletionPolicy: "[secret]", protectData: "[secret]" };
      assert.deepEqual(found(step("same", bucket, "b", hidden, hidden)), []);
    });
  });

  describe(`protection of what changes hands, of a program in ${language}`, () => {
    const bucket = typeOf("Bucket");
    const driver = { ...named, endpoint: "unix:///run/a.sock", seed: "a" };
    const handed = (before: object, after: object, op = "create") =>
      found(
        step("delete", bucket, "old", { driver, ...before }),
        step(op, bucket, "new", op === "create" ? undefined : { driver, ...after }, { driver, ...after }),
      );
    const lowered = ["protection-lowered Bucket new"];

    it("is that of the object, whatever its resource is called", () => {
      const [kept, deleted] = [
        { name: "photos", ...keeps },
        { name: "photos", ...deletes },
      ];
      assert.deepEqual(handed(kept, deleted), lowered);
      assert.deepEqual(handed({ existingBucketId: "photos", ...keeps }, deleted), lowered);
      assert.deepEqual(handed(deleted, { ...deleted, protectData: false }), lowered);
      assert.deepEqual(handed(kept, kept), []);
      assert.deepEqual(handed(deleted, kept), []);
      assert.deepEqual(handed(deleted, deleted), []);
      assert.deepEqual(handed(kept, { existingBucketId: "photos", ...deletes }), []);
      assert.deepEqual(handed(kept, { ...deleted, name: "another" }), ["orphaned-data Bucket old"]);
    });

    it("is less where the last one that kept it goes", () => {
      const deleted = { name: "photos", ...deletes };
      assert.deepEqual(handed({ name: "photos", ...keeps }, deleted, "same"), lowered);
      assert.deepEqual(handed(deleted, deleted, "same"), []);
    });

    it("is less where another resource has it besides, by its name", () => {
      const user = { driver, existingBucketId: "photos", ...keeps };
      const asks = step("create", bucket, "new", undefined, { driver, name: "photos", ...deletes });
      assert.deepEqual(found(step("same", bucket, "user", user, user), asks), lowered);
    });

    it("is told once, by what the option or the policy was", () => {
      const [first, ...others] = findingsOf(
        step("delete", bucket, "old", { driver, existingBucketId: "photos", ...keeps }),
        step("create", bucket, "new", undefined, { driver, name: "photos", ...deletes }),
      );
      assert.equal(first?.why, "until now it counts as there before, and is never deleted");
      assert.equal(first.object, "photos");
      assert.deepEqual(others, []);
    });
  });
}
