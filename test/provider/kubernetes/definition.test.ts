import assert from "node:assert/strict";
import { problemOf, type CustomResourceDefinition } from "../../../provider/kubernetes/definition";

const text = { type: "string" };
const object = (properties: object) => ({ type: "object", properties });

function definition(
  scope: "Cluster" | "Namespaced",
  schema: object,
  version = "v1",
): CustomResourceDefinition {
  return {
    metadata: { name: "jars.example.com" },
    spec: {
      group: "example.com",
      scope,
      names: { kind: "Jar", listKind: "JarList", plural: "jars", singular: "jar" },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const oldSchema = object({ spec: object({ lid: text }) });
const newSchema = object({ spec: object({ cork: text }) });

const inWords = {
  model: "the new proposal",
  otherModel: "the old proposal",
  wayOut: "give the input group",
};

/** Two models of one name, each as the one that is wanted. */
const wanted = {
  new: {
    ...definition("Cluster", newSchema),
    namesake: {
      ...inWords,
      field: ["spec", "cork"],
      otherField: ["spec", "lid"],
      otherScope: "Namespaced" as const,
    },
  },
  old: {
    ...definition("Namespaced", oldSchema),
    namesake: {
      ...inWords,
      model: inWords.otherModel,
      otherModel: inWords.model,
      field: ["spec", "lid"],
      otherField: ["spec", "cork"],
      otherScope: "Cluster" as const,
    },
  },
};

describe("a definition that a cluster has already", () => {
  it("serves if scope, version and fields are those of the model", () => {
    assert.equal(problemOf(wanted.new, definition("Cluster", newSchema)), undefined);
    assert.equal(problemOf(wanted.old, definition("Namespaced", oldSchema)), undefined);
  });

  it("is told to be that of the other model, from either side, by scope, by field, or by both", () => {
    assert.equal(
      problemOf(wanted.new, definition("Namespaced", oldSchema)),
      "has the scope Namespaced and the field spec.lid, like the one of the old proposal, but the one of the new proposal " +
        "is needed; it stays as it is. Next: give the input group",
    );
    assert.equal(
      problemOf(wanted.old, definition("Cluster", newSchema)),
      "has the scope Cluster and the field spec.cork, like the one of the new proposal, but the one of the old proposal " +
        "is needed; it stays as it is. Next: give the input group",
    );
    assert.match(
      problemOf(wanted.new, definition("Cluster", oldSchema)) ?? "",
      /^has the field spec\.lid, like/,
    );
    assert.match(
      problemOf(wanted.new, definition("Namespaced", object({}))) ?? "",
      /^has the scope Namespaced, like/,
    );
  });

  it("does not serve without the field by which the model is known, unless it keeps what it does not know", () => {
    assert.match(
      problemOf(wanted.new, definition("Cluster", object({ spec: object({}) }))) ?? "",
      /^has no field spec\.cork, which the API server would drop/,
    );
    const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    for (const schema of [open, object({ spec: open })]) {
      assert.equal(problemOf(wanted.new, definition("Cluster", schema)), undefined);
    }
  });

  it("does not serve with another version", () => {
    assert.match(
      problemOf(wanted.new, definition("Cluster", oldSchema, "v2")) ?? "",
      /^it serves v2, but v1 is needed; it stays as it is/,
    );
  });
});
