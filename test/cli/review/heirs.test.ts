import assert from "node:assert/strict";
import { driver as named, found, languages, secretOfState, step, unknownText } from "./steps";

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`what another resource has from now on, of a program in ${language}`, () => {
    const [bucket, deployment] = [typeOf("Bucket"), typeOf("Deployment")];
    const driver = { ...named, endpoint: "unix:///run/a.sock", seed: "a" };
    const other = { ...named, endpoint: "unix:///run/b.sock", seed: "b" };
    const lost = ["data-loss Bucket old"];

    const gone = (more: object = {}) =>
      step("delete", bucket, "old", { driver, name: "photos", deletionPolicy: "Delete", ...more });
    const heir = (op: string, inputs: object, before?: object) =>
      step(op, bucket, "new", before === undefined ? undefined : { driver, ...before }, {
        driver,
        ...inputs,
      });

    it("is not lost, by the id that the program takes over or the name that it asks for", () => {
      assert.deepEqual(found(gone()), lost);
      assert.deepEqual(found(gone(), heir("create", { existingBucketId: "photos" })), []);
      assert.deepEqual(found(gone(), heir("create", { name: "photos" })), []);
      assert.deepEqual(
        found(gone(), heir("replace", { name: "photos" }, { name: "other", deletionPolicy: "Retain" })),
        ["orphaned-data Bucket new"],
      );
      assert.deepEqual(found(gone(), heir("create", { name: "other" })), lost);
    });

    it("is not lost where the other one is unchanged", () => {
      const taken = { existingBucketId: "photos", name: "photos" };
      assert.deepEqual(found(gone(), heir("same", taken, taken)), []);
      const kept = { name: "photos" };
      assert.deepEqual(found(gone(), heir("same", kept, kept)), []);
      assert.deepEqual(found(gone(), heir("update", kept, kept)), []);
    });

    it("is lost where the other one has it at another driver", () => {
      assert.deepEqual(found(gone(), heir("create", { driver: other, existingBucketId: "photos" })), lost);
      assert.deepEqual(found(gone(), heir("create", { driver: other, name: "photos" })), lost);
    });

    it("is told by the Driver resource, wherever that leads, and by the place, whatever the Driver is called", () => {
      const moved = { ...driver, endpoint: other.endpoint };
      const renamed = { ...driver, seed: "c" };
      for (const known of [moved, renamed]) {
        assert.deepEqual(found(gone(), heir("create", { driver: known, name: "photos" })), []);
      }
      const store = step("update", typeOf("Driver"), "store", driver, { ...named, endpoint: other.endpoint });
      assert.deepEqual(found(gone(), store, heir("create", { driver: other, name: "photos" })), []);
    });

    it("is at one place by the environment of the up, which a review does not know", () => {
      const before = process.env["COSI_ENDPOINT"];
      process.env["COSI_ENDPOINT"] = driver.endpoint;
      try {
        const [one, another] = [
          { ...named, seed: "c" },
          { ...named, seed: "d" },
        ];
        const user = { existingBucketId: "photos" };
        assert.deepEqual(found(gone({ driver: one }), heir("create", { driver: another, ...user })), []);
        assert.deepEqual(found(gone({ driver: one }), heir("create", user)), lost);
      } finally {
        if (before === undefined) delete process.env["COSI_ENDPOINT"];
        else process.env["COSI_ENDPOINT"] = before;
      }
    });

    it("is lost where it is a deployment of the name of a bucket, or leaves the program, too", () => {
      const theirs = step("create", deployment, "new", undefined, {
        driver,
        existingDeploymentId: "photos",
      });
      assert.deepEqual(found(gone(), theirs), lost);
      const seen = step("refresh", bucket, "old", { driver, name: "photos" }, { driver, name: "photos" });
      assert.deepEqual(found(gone(), seen), lost);
    });

    it("is lost where a resource is made anew under its own name", () => {
      const inputs = { driver, name: "photos", deletionPolicy: "Delete" };
      assert.deepEqual(found(step("replace", bucket, "old", inputs, inputs)), lost);
    });

    it("is lost where a replacement deletes it, before the run has come to the other one", () => {
      const [was, is] = [
        { driver, name: "photos", deletionPolicy: "Delete" },
        { driver, name: "photos-2", deletionPolicy: "Delete" },
      ];
      const replaced = (inputs: object) => step("replace", bucket, "old", { ...was, ...inputs }, is);
      const user = heir("create", { existingBucketId: "photos" });
      assert.deepEqual(found(replaced({}), user), lost);
      const leaves = { ...gone(), op: "delete-replaced" };
      assert.deepEqual(found(leaves, user), lost);
      assert.deepEqual(found(replaced({ deletionPolicy: "Retain" }), user), [], "it is in the way of nobody");
      const taken = { driver, existingBucketId: "photos" };
      assert.deepEqual(found(step("replace", bucket, "old", was, taken)), [], "by the resource itself");
    });

    it("is lost where the other one is seen to by another process, which knows nothing of it", () => {
      const provider = (name: string) => ({
        provider: `urn:pulumi:prod::shop::pulumi:providers:cosi::${name}::id`,
      });
      const at = (name: string, one: { readonly newState?: object; readonly oldState?: object }) => ({
        ...one,
        ...(one.oldState === undefined ? {} : { oldState: { ...one.oldState, ...provider(name) } }),
        ...(one.newState === undefined ? {} : { newState: { ...one.newState, ...provider(name) } }),
      });
      const user = heir("create", { name: "photos" });
      assert.deepEqual(found(at("default", gone()), at("default", user)), []);
      assert.deepEqual(found(at("default", gone()), at("default_0_2_0", user)), lost);
      const elsewhere =
        Object.values(languages).find((each) => each !== typeOf) ?? assert.fail("one language");
      const moved = step("create", elsewhere("Bucket"), "new", undefined, { driver, name: "photos" });
      assert.deepEqual(found(gone(), moved), lost);
    });

    it("is not told by what the preview does not show", () => {
      for (const hidden of ["[secret]", secretOfState, unknownText]) {
        const hiding = gone({ name: hidden });
        assert.deepEqual(found(hiding, heir("create", { existingBucketId: hidden })), lost);
        assert.deepEqual(found(hiding, heir("create", { name: hidden })), lost);
        const [atA, atB] = [{ ...named, endpoint: hidden, seed: hidden }, hidden];
        assert.deepEqual(found(gone({ driver: atA }), heir("create", { driver: atA, name: "photos" })), lost);
        assert.deepEqual(found(gone({ driver: atB }), heir("create", { driver: atB, name: "photos" })), lost);
      }
    });
  });
}
