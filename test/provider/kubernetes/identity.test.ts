import assert from "node:assert/strict";
import { identityChanges, keepUid } from "../../../provider/kubernetes/identity";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const olds = { claim: { namespace: "shop", name: "photos", uid: "1" }, other: "x" };

describe("the identity of a resource", () => {
  const cases: [string, unknown, string[]][] = [
    ["stays with equal names and UIDs", { ...olds.claim }, []],
    ["changes with a name", { ...olds.claim, name: "films" }, ["claim"]],
    ["changes with a UID", { ...olds.claim, uid: "2" }, ["claim"]],
    ["changes with a UID that is not known yet", { ...olds.claim, uid: unknown }, ["claim"]],
    ["changes with a reference that is not known yet", unknown, ["claim"]],
    ["stays with an absent UID, which says nothing", { namespace: "shop", name: "photos" }, []],
  ];
  for (const [what, claim, expected] of cases) {
    it(what, () => {
      assert.deepEqual(
        identityChanges<object>(olds, { claim, other: unknown }, ["claim" as never]),
        expected,
      );
    });
  }

  it("keeps the recorded UID where it is absent, of the same object only", () => {
    assert.deepEqual(keepUid(olds.claim, { namespace: "shop", name: "photos" }), olds.claim);
    assert.deepEqual(keepUid(olds.claim, { namespace: "shop", name: "films" }), {
      namespace: "shop",
      name: "films",
    });
    assert.deepEqual(keepUid(undefined, { name: "photos" }), { name: "photos" });
  });
});
