import assert from "node:assert/strict";
import * as cosi from "../../index";

/** Classes of components by the name of their module. */
const modules = {
  objectstorage: cosi.objectstorage,
  objectbucket: cosi.objectbucket,
  deployment: cosi.deployment,
  cosi20200227: cosi.cosi20200227,
  cosi20200708: cosi.cosi20200708,
};

describe("the types of components", () => {
  it("stand on their classes, by which a policy pack recognises them", () => {
    let count = 0;
    for (const [module, exported] of Object.entries(modules)) {
      for (const [name, value] of Object.entries(exported)) {
        if (typeof value !== "function" || !("__pulumiType" in value)) continue;
        count += 1;
        assert.equal(Reflect.get(value, "__pulumiType"), `cosi:${module}:${name}`);
      }
    }
    assert.ok(count >= 20, String(count));
  });
});
