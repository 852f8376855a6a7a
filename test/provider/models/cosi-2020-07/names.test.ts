import assert from "node:assert/strict";
import { derivedNameProblem } from "../../../../provider/models/cosi-2020-07/names";
import { provisionerLabelValue } from "../../../../provider/models/cosi-proposals/provisioner-label";

describe("names of the proposal of 2020-07-08", () => {
  const labels: readonly [what: string, provisioner: string, value: string][] = [
    [
      "the proposal's own",
      "ceph-rgw-provisoning/ceph-rgw.cosi.ceph.com",
      "ceph-rgw-provisoning-ceph-rgw.cosi.ceph.com",
    ],
    ["a character that no label has", "stores/s3@eu", "stores-s3-eu"],
    ["a dash at the end", "stores/s3-", "stores-s3"],
    ["what is no letter or digit at the beginning", "_stores/s3", "stores-s3"],
    ["more than 63 characters", `stores/${"a".repeat(80)}`, `stores-${"a".repeat(56)}`],
    ["a dash at the 63rd character", `stores/${"a".repeat(55)}@b`, `stores-${"a".repeat(55)}`],
  ];
  for (const [what, provisioner, value] of labels) {
    it(`make a label of a provisioner with ${what} [K07-015] [K02-016]`, () => {
      assert.equal(provisionerLabelValue(provisioner), value);
    });
  }

  it("have the length of an object's, and the message says how long they are", () => {
    assert.equal(derivedNameProblem("a".repeat(253)), undefined);
    assert.match(
      derivedNameProblem("a".repeat(254)) ?? "",
      /of 254 characters, and an object's has at most 253/,
    );
  });
});
