import assert from "node:assert/strict";
import { definitions } from "../../../../provider/models/objectstorage-v1alpha1/definitions";

describe("the definitions of COSI that are installed", () => {
  it("are of its group and its one version, and have no short names [OS1-001]", () => {
    const shown = definitions.map(({ metadata, spec: { group, names, versions } }) => [
      metadata.name,
      group,
      names.singular === names.kind.toLowerCase(),
      names.shortNames ?? [],
      versions.map(({ name, served, storage }) => [name, served, storage]),
    ]);
    const expected = ["buckets", "bucketclasses", "bucketclaims", "bucketaccesses", "bucketaccessclasses"];
    assert.deepEqual(
      shown,
      expected.map((plural) => [
        `${plural}.objectstorage.k8s.io`,
        "objectstorage.k8s.io",
        true,
        [],
        [["v1alpha1", true, true]],
      ]),
    );
  });
});
