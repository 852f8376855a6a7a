import assert from "node:assert/strict";
import { languages, secretOfState, step, unknownText, withStates } from "../review/steps";
import { cycleOf } from "./fixtures";

const stack = "urn:pulumi:prod::shop";
const store = `${stack}::aws:ec2/instance:Instance::store`;

/** What a destroy does to the only resource of ours in a state, and whether that is marked as a loss. */
function endingsOf(type: string, inputs: object, more: object = {}): (string | undefined)[] {
  const own = { urn: `${stack}::${type}::photos`, type, custom: true, inputs, outputs: {}, ...more };
  const other = { urn: store, type: "aws:ec2/instance:Instance", custom: true, inputs: {}, outputs: {} };
  const { nodes } = cycleOf(JSON.stringify({ deployment: { resources: [other, own] } }));
  return nodes.map(({ ending }) => ending?.text);
}

for (const [language, typeOf] of Object.entries(languages)) {
  describe(`what a picture says of the end, of a program in ${language}`, () => {
    const [bucket, access] = [typeOf("Bucket"), typeOf("BucketAccess")];
    const driver = { driverName: "rgw.example.com", contract: "cosi-2020-07" };
    const may = "MAY DELETE the bucket (deletionPolicy is not shown)";

    it("is the worst that it may be where the policy cannot be read", () => {
      for (const hidden of ["[secret]", secretOfState, unknownText]) {
        assert.deepEqual(endingsOf(bucket, { deletionPolicy: hidden }), [may]);
        assert.deepEqual(endingsOf(bucket, { deletionPolicy: hidden, onDelete: hidden }), [may]);
        const told = "DELETES the bucket b and what the driver deletes with it (deletionPolicy Delete)";
        assert.deepEqual(endingsOf(bucket, { deletionPolicy: hidden, onDelete: told }), [
          "DELETES the bucket (deletionPolicy Delete)",
        ]);
        const created = step("create", bucket, "photos", undefined, { deletionPolicy: hidden });
        const [node] = cycleOf(JSON.stringify({ steps: [created] })).nodes;
        assert.equal(node?.ending?.text, may);
        const gone = step("delete", bucket, "photos", { deletionPolicy: hidden });
        assert.equal(cycleOf(JSON.stringify({ steps: [gone] })).nodes[0]?.endsNow?.text, may);
      }
      assert.deepEqual(endingsOf(bucket, {}), [may], "a state has one");
      const created = step("create", bucket, "photos", undefined, {});
      const [node] = cycleOf(JSON.stringify({ steps: [created] })).nodes;
      assert.equal(node?.ending?.text, "keeps the bucket (deletionPolicy Retain)");
    });

    it("is none for what is deleted with something that goes, too", () => {
      const stays = ["stays (option deletedWith)"];
      assert.deepEqual(endingsOf(bucket, { deletionPolicy: "Delete" }, { deletedWith: store }), stays);
      assert.deepEqual(endingsOf(access, {}, { deletedWith: store }), stays);
      const gone = withStates(step("delete", bucket, "photos", { deletionPolicy: "Delete" }), {
        before: { deletedWith: store },
      });
      const textOf = (...others: object[]) =>
        cycleOf(JSON.stringify({ steps: [gone, ...others] })).nodes.map(({ endsNow }) => endsNow?.text)[0];
      assert.equal(textOf(), "DELETES the bucket (deletionPolicy Delete)");
      const other = { ...step("delete", "aws:ec2/instance:Instance", "store", {}), urn: store };
      assert.equal(textOf(other), stays[0]);
    });

    it("is that of the object in the cluster, by the COSI proposal of 2020-07-08", () => {
      const inputs = { driver, objects: { model: "cosi-2020-07:cosi.io" } };
      assert.deepEqual(endingsOf(bucket, { ...inputs, deletionPolicy: "Retain" }), [
        "keeps the bucket (unless its Bucket in the cluster has releasePolicy Delete)",
      ]);
      assert.deepEqual(endingsOf(access, inputs), [
        "revokes the account, MAY DELETE the bucket (where it is bound last)",
      ]);
      const owner = `${stack}::cosi:cosi20200708:BucketRequest$${bucket}::catalogue`;
      assert.deepEqual(endingsOf(access, inputs, { dependencies: [owner] }), ["revokes the account"]);
    });
  });
}

describe("what an earlier run has left", () => {
  it("stands in the picture of a preview beside its successor", () => {
    const bucket = languages.TypeScript("Bucket");
    const inputs = { deletionPolicy: "Delete", name: "new" };
    const steps = [
      step("same", bucket, "photos", inputs, inputs),
      step("delete-replaced", bucket, "photos", { ...inputs, name: "old" }),
    ];
    const { nodes } = cycleOf(JSON.stringify({ steps }));
    assert.deepEqual(
      nodes.map(({ name, change, endsNow, ending }) => [name, change, endsNow?.text, ending?.text]),
      [
        ["new", undefined, undefined, "DELETES the bucket (deletionPolicy Delete)"],
        ["old", "deleted", "DELETES the bucket (deletionPolicy Delete)", undefined],
      ],
    );
  });
});
