import assert from "node:assert/strict";
import * as february from "../../../provider/models/cosi-2020-02/kinds";
import * as july from "../../../provider/models/cosi-2020-07/kinds";
import * as deployment from "../../../provider/models/deployment/kinds";

describe("the kinds of an API model whose group the program chooses", () => {
  for (const [name, { modelNameOf, groupOfModel, kindsOfModel }] of Object.entries({
    february,
    july,
    deployment,
  })) {
    it(`are those of its group, and of no other model (${name})`, () => {
      assert.equal(kindsOfModel(modelNameOf("cosi.example.com")).group, "cosi.example.com");
      assert.equal(groupOfModel("objectstorage.k8s.io/v1alpha1"), undefined);
      assert.throws(
        () => kindsOfModel("objectstorage.k8s.io/v1alpha1"),
        /the API model objectstorage\.k8s\.io\/v1alpha1 is not one of \S+<group>; install the release/,
      );
    });
  }
});
