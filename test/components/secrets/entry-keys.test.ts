import assert from "node:assert/strict";
import { entryKeys } from "../../../components/secrets/entry-keys";
import { LayoutError } from "../../../components/secrets/granted-access";

describe("the keys of a deployment's account in a Secret", () => {
  it("are those of a single entry as they are, and those of several after their entry [DEP-088]", () => {
    assert.deepEqual(entryKeys({ cred: { DB_USER: "u", empty: "" } }), { DB_USER: "u", empty: "" });
    assert.deepEqual(entryKeys({ a: { user: "1" }, b: { user: "2" } }), { "a.user": "1", "b.user": "2" });
    assert.deepEqual(entryKeys({}), {});
  });

  const refused: [string, Record<string, Record<string, string>>, RegExp][] = [
    ["a space in it", { cred: { "a b": "hidden" } }, /the key "a b", but keys of a Secret have letters/],
    ["a slash in its entry", { "a/b": { user: "hidden" }, c: {} }, /the key "a\/b\.user", but/],
    ["nothing in it", { cred: { "": "hidden" } }, /the key "", but/],
    [
      "two dots first",
      { cred: { "..data": "hidden" } },
      /the key "\.\.data", but .* do not begin with "\.\."/,
    ],
    ["254 characters", { cred: { ["k".repeat(254)]: "hidden" } }, /have at most 253 characters/],
    [
      "that of another entry",
      { "a.b": { c: "hidden" }, a: { "b.c": "hidden" } },
      /two credentials for the same key of the Secret, "a\.b\.c", one of them in the entry "a"/,
    ],
  ];
  for (const [what, credentials, message] of refused) {
    it(`are refused with ${what}, and no value is told`, () => {
      assert.throws(
        () => entryKeys(credentials),
        (error) =>
          error instanceof LayoutError && message.test(error.message) && !error.message.includes("hidden"),
      );
    });
  }
});
