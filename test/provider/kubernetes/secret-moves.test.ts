import assert from "node:assert/strict";
import { provider } from "../../../provider/kubernetes/secret";

const inputs = {
  namespace: "shop",
  name: "creds",
  owner: { apiVersion: "cosi.io/v1alpha1", kind: "BucketAccessRequest", name: "web", uid: "u" },
  data: { key: "value" },
};
/** Inputs of a program; what only the package reads has a hidden name there. */
const { owner, ...shown } = inputs;
const news = { ...shown, __owner: owner, __moves: true };
/** A state from before `moves` was hidden. */
const olds = { ...shown, __owner: owner, moves: true, uid: "s", drift: null, __schemaVersion: 1 };

describe("a Secret that moves", () => {
  const diff = (more: object) => provider.diff("shop/creds", olds as never, { ...news, ...more } as never);

  it("is unchanged where the state has that under its old name", async () => {
    const { changes, replaces } = await diff({});
    assert.deepEqual([changes, replaces ?? []], [false, []]);
  });

  it("is written under its new name before the old one goes", async () => {
    const { replaces, deleteBeforeReplace } = await diff({ name: "new" });
    assert.deepEqual([replaces, deleteBeforeReplace], [["name"], false]);
  });
});
