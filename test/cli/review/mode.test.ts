import assert from "node:assert/strict";
import { findingsOf, languages, secretOfState, step, unknownText } from "./steps";

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`what a review says of an account that may do something else, of a program in ${language}`, () => {
    const access = typeOf("BucketAccess");

    /** What it says of a replacement because of the parameters, or of something else. */
    const said = (before: object, after: object, reasons = ["parameters"]): string[] => {
      const replaced = { ...step("replace", access, "a", before, after), replaceReasons: reasons };
      return findingsOf(replaced)
        .filter(({ category }) => category === "access-widening")
        .map(({ what }) => what);
    };
    const mode = (accessMode: unknown) => ({ parameters: { accessMode } });

    it("is that it may do more, and nothing where it may do less", () => {
      assert.deepEqual(said(mode("ro"), mode("rw")), ["the account may read and write (accessMode rw)"]);
      assert.deepEqual(said(mode("ro"), {}), ["the account may read and write (accessMode is left out)"]);
      assert.deepEqual(said(mode("rw"), mode("ro")), []);
      assert.deepEqual(said(mode("theirs"), mode("others")), []);
    });

    it("is that it may do more where the preview hides what it may, or might", () => {
      const isHidden = ["the account may get more access (the preview does not show accessMode)"];
      for (const word of ["[secret]", secretOfState, unknownText]) {
        assert.deepEqual(said(mode("ro"), mode(word)), isHidden);
        assert.deepEqual(said(mode(word), mode(word)), isHidden);
        assert.deepEqual(said(mode(word), mode("ro")), [
          "the account may get more access (the preview does not show accessMode of before)",
        ]);
        assert.deepEqual(said(mode(word), mode("private")), []);
      }
      assert.deepEqual(said({ parameters: {} }, { parameters: "[secret]" }), [
        "the account may get more access (the preview does not show parameters)",
      ]);
    });

    it("is nothing of what is hidden where something else replaces the account", () => {
      assert.deepEqual(said(mode("[secret]"), mode("[secret]"), ["bucketId"]), []);
    });
  });
}
