import assert from "node:assert/strict";
import type { LifeCycle, Node } from "../../../cli/graph/life-cycle";
import { expected } from "./expected";
import { cycleOf, edgesOf, fixture, stepsOf, told } from "./fixtures";
import { stateOf } from "./hand-made";

function named(cycle: LifeCycle, name: string): Node {
  return cycle.nodes.find((node) => told(node) === name) ?? assert.fail(`there is no ${name}`);
}

describe("the life cycle that is read out of a state", () => {
  it("has a class in no namespace, whatever @pulumi/kubernetes adds", () => {
    const text = stateOf([{ name: "photos", namespace: "shop" }]);
    const added = text.replaceAll(
      '"metadata":{"name":"gold"}',
      '"metadata":{"name":"gold","namespace":"default"}',
    );
    assert.notEqual(added, text);
    assert.deepEqual(cycleOf(added), cycleOf(text));
  });

  it("is the same in whichever order the resources were done", () => {
    for (const name of ["objectstorage.state.json", "deployment.state.json", "objectbucket.state.json"]) {
      const state = JSON.parse(fixture(name)) as { deployment: { resources: unknown[] } };
      const before = cycleOf(fixture(name));
      state.deployment.resources.reverse();
      assert.deepEqual(cycleOf(JSON.stringify(state)), before, name);
    }
  });

  for (const { model, file, edges, steps } of expected) {
    it(`tells who needs whom, and what a destroy does, of ${model}`, () => {
      const cycle = cycleOf(fixture(file));
      assert.deepEqual(edgesOf(cycle), edges);
      assert.deepEqual(stepsOf(cycle), steps);
    });
  }

  it("knows an account by the name that the driver gave it, and a class by its policy", () => {
    const cycle = cycleOf(fixture("objectstorage.state.json"));
    assert.match(named(cycle, "BucketAccess shop/photos-rw").account ?? "", /^ba-/);
    assert.deepEqual(named(cycle, "BucketClass gold-shop").details, ["deletionPolicy Delete"]);
    assert.deepEqual(named(cycle, "Driver store").details, ["fake.example.com"]);
  });

  it("shows what the plugin has for other languages as it shows that of TypeScript", () => {
    const files = ["bare.state.json", "bare.preview.json", "bare.preview-with-sames.json"];
    const withoutTypes = (cycle: LifeCycle): Node[] =>
      cycle.nodes.map((node) => ({ ...node, id: node.id.slice(node.id.lastIndexOf(":")) }));
    for (const text of files.map(fixture)) {
      const ofPlugin = cycleOf(text.replaceAll("pulumi-nodejs:dynamic/cosi:", "cosi:index:"));
      assert.deepEqual(withoutTypes(ofPlugin), withoutTypes(cycleOf(text)));
      assert.deepEqual(edgesOf(ofPlugin), edgesOf(cycleOf(text)));
    }
  });

  it("says where a destroy is refused by protect", () => {
    const cycle = cycleOf(stateOf([{ name: "photos", namespace: "shop", protect: true }]));
    assert.match(named(cycle, "bucket bucket-photos").ending?.text ?? "", /; refused before, by protect$/);
  });

  it("is read whatever a resource of another provider has in its properties", () => {
    const state = JSON.parse(stateOf([{ name: "photos", namespace: "shop" }])) as {
      deployment: { resources: { type: string; inputs: object; outputs: object }[] };
    };
    const before = cycleOf(JSON.stringify(state));
    const pods = state.deployment.resources.filter(({ type }) => type === "kubernetes:core/v1:Pod");
    assert.equal(pods.length, 1);
    for (const pod of pods) pod.outputs = pod.inputs = { ...pod.inputs, granted: "{ a: grant }" };
    assert.deepEqual(cycleOf(JSON.stringify(state)), before);
  });

  it("shows what waits at a driver for its delete since a replacement, beside its successor", () => {
    const { deployment } = JSON.parse(stateOf([{ name: "photos", namespace: "shop" }])) as {
      deployment: { resources: { urn: string }[] };
    };
    const resources = deployment.resources.flatMap((each) => [{ ...each, delete: true }, each]);
    const once = cycleOf(JSON.stringify({ deployment }));
    const { nodes } = cycleOf(JSON.stringify({ deployment: { resources } }));
    const left = nodes.filter(({ id }) => id.includes("::left-"));
    assert.deepEqual(
      nodes.filter((node) => !left.includes(node)),
      once.nodes,
    );
    assert.deepEqual(
      left.map((node) => [told(node), node.details, node.ending?.text]),
      [
        [
          "bucket bucket-photos",
          ["left by an earlier run; the next up ends it"],
          "DELETES the bucket (deletionPolicy Delete)",
        ],
        ["account ba-photos", ["left by an earlier run; the next up ends it"], "revokes the account"],
      ],
    );
    const alone = resources.filter((each) => "delete" in each);
    assert.equal(cycleOf(JSON.stringify({ deployment: { resources: alone } })).nodes.length, 2);
  });
});

describe("the life cycle that is read out of a preview", () => {
  const changesOf = ({ nodes }: LifeCycle): string[] =>
    nodes
      .filter(({ change }) => change !== undefined)
      .map((node) => [told(node), node.change, node.endsNow?.text ?? ""].join(" | ").trimEnd())
      .sort();

  it("marks what is created, replaced and deleted, and says what that does", () => {
    const changes = [
      "account photos-rw | replaced | revokes the account",
      "bucket kept-<id> | deleted | keeps the bucket (deletionPolicy Retain)",
      "bucket new-<id> | created |",
      "bucket option-<id> | deleted | stays (option retainOnDelete)",
      "bucket photos-<id> | replaced | DELETES the bucket (deletionPolicy Delete)",
    ];
    assert.deepEqual(changesOf(cycleOf(fixture("bare.preview-with-sames.json"))), changes);
    assert.deepEqual(changesOf(cycleOf(fixture("bare.preview.json"))), changes);
  });

  it("tells the order of the destroy after it where it has what stays, and none where it has not", () => {
    assert.deepEqual(stepsOf(cycleOf(fixture("bare.preview-with-sames.json"))), [
      " 1 account photos-rw: revokes the account",
      " 2 bucket company-archive: keeps the bucket (it existed before)",
      " 2 bucket new-<id>: keeps the bucket (deletionPolicy Retain)",
      " 2 bucket photos-<id>: DELETES the bucket (deletionPolicy Delete)",
      " 3 Driver store: is forgotten",
    ]);
    assert.deepEqual(stepsOf(cycleOf(fixture("bare.preview.json"))), []);
  });

  it("marks claims, accesses and Secrets by what becomes of their parts", () => {
    const cycle = cycleOf(fixture("objectstorage.preview.json"));
    assert.equal(named(cycle, "BucketClaim shop/fresh").change, "created");
    assert.equal(named(cycle, "BucketAccess shop/archive-ro").change, "replaced");
    assert.equal(named(cycle, "BucketAccess shop/photos-ro").change, "deleted");
    assert.equal(named(cycle, "bucket bucket-<id>").change, "changed");
    assert.equal(named(cycle, "Secret shop/fresh-rw-creds").change, "created");
  });

  it("shows what stays as far as the changed resources name it", () => {
    const cycle = cycleOf(fixture("objectstorage.preview.json"));
    const edges = edgesOf(cycle);
    assert.ok(edges.includes("BucketClass gold | class of | BucketClaim shop/fresh"), edges.join("\n"));
    assert.ok(edges.includes("BucketClaim archive | accessed by | BucketAccess shop/archive-ro"));
    assert.equal(named(cycle, "Driver store").change, undefined);
  });
});
