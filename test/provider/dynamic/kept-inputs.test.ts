import assert from "node:assert/strict";
import { keepClassCopy, keepParent } from "../../../provider/dynamic/kept-inputs";

describe("keepParent", () => {
  const kept = (olds: { name?: string; parent?: string }, inputs: { parent?: string }) => {
    keepParent(olds, inputs);
    return inputs;
  };

  it("keeps the parent that is in the state, or that there is none", () => {
    assert.deepEqual(kept({ name: "b", parent: "old" }, { parent: "new" }), { parent: "old" });
    assert.deepEqual(kept({ name: "b", parent: "old" }, {}), { parent: "old" });
    assert.deepEqual(kept({ name: "b" }, { parent: "new" }), {});
  });

  it("takes the program's where nothing is in the state", () => {
    assert.deepEqual(kept({}, { parent: "new" }), { parent: "new" });
  });
});

describe("keepClassCopy", () => {
  interface Inputs {
    className?: string;
    parameters?: Record<string, string>;
  }
  const kept = (olds: Inputs, inputs: Inputs) => {
    keepClassCopy(olds, inputs, "className", ["parameters"]);
    return inputs;
  };
  const gold = { className: "gold", parameters: { tier: "1" } };

  it("keeps the copy while the class name stays, also an absent one", () => {
    assert.deepEqual(kept(gold, { className: "gold", parameters: { tier: "2" } }), gold);
    assert.deepEqual(kept(gold, { className: "gold" }), gold);
    assert.deepEqual(kept({ className: "gold" }, { ...gold }), { className: "gold" });
  });

  it("takes the program's copy with another class, with none, and at the first time", () => {
    const silver = { className: "silver", parameters: { tier: "2" } };
    assert.deepEqual(kept(gold, { ...silver }), silver);
    assert.deepEqual(kept(gold, { parameters: { tier: "2" } }), { parameters: { tier: "2" } });
    assert.deepEqual(kept({ parameters: { tier: "1" } }, { ...silver }), silver);
    assert.deepEqual(kept({}, { ...gold }), gold);
  });
});
