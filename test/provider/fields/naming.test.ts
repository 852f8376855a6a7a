import assert from "node:assert/strict";
import fc from "fast-check";
import { computedName, nameProblem } from "../../../provider/fields/naming";

describe("computedName", () => {
  it("leads with the readable part of the logical name", () => {
    assert.match(computedName("seed", "Photos of_2024!", {}), /^photos-of-2024-[0-9a-f]{16}$/);
    assert.match(computedName("seed", "漢字", {}), /^x-[0-9a-f]{16}$/);
    assert.match(computedName("seed", "", {}), /^x-[0-9a-f]{16}$/);
  });

  it("stays as it is from release to release [CASE-P26]", () => {
    const identity = { parent: undefined, driverName: "d.example", parameters: { b: "2", a: "1" } };
    const pinned = "photos-0e2cf6ba3af8edae";
    assert.equal(computedName("00ff", "photos", identity), pinned);
    const reordered = { parameters: { a: "1", b: "2" }, driverName: "d.example" };
    assert.equal(computedName("00ff", "photos", reordered), pinned);
  });

  it("fits every driver, whatever the program calls its resource", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.string(), (logicalName, seed) => {
        const name = computedName(seed, logicalName, {});
        assert.match(name, /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/);
        assert.equal(nameProblem(name, {}), undefined);
      }),
    );
  });

  it("differs wherever seed, logical name or identity do", () => {
    const tuple = fc.tuple(fc.string(), fc.string(), fc.dictionary(fc.string(), fc.string()));
    fc.assert(
      fc.property(tuple, tuple, (left, right) => {
        fc.pre(JSON.stringify(left) !== JSON.stringify(right));
        const same = computedName(...left) === computedName(...right);
        // Equal maps in another order are one identity.
        assert.equal(same, left[0] === right[0] && left[1] === right[1] && sameMap(left[2], right[2]));
      }),
    );
    assert.notEqual(computedName("a", "bc", {}), computedName("ab", "c", {}));
    const long = "n".repeat(80);
    assert.notEqual(computedName("s", `${long}1`, {}), computedName("s", `${long}2`, {}));
  });
});

describe("nameProblem", () => {
  it("lets names pass that a driver may judge", () => {
    for (const name of ["a", "A", "0", "a.b", "a..b", "A-b.C", "n".repeat(63)]) {
      assert.equal(nameProblem(name, {}), undefined, name);
    }
  });

  it("refuses the rest with the rule and the name", () => {
    for (const [name, text] of [
      ["", /^is empty: leave it out/],
      ["n".repeat(64), /^has 64 characters, .* at most 63: shorten "n{64}"/],
      ["-a", /"-a" does not fit/],
      ["a.", /"a\." does not fit/],
      ["a_b", /"a_b" does not fit/],
      ["a b", /"a b" does not fit/],
      ["é", /"é" does not fit/],
      ["a\n", /does not fit/],
    ] as const) {
      assert.match(nameProblem(name, {}) ?? "", text);
    }
  });

  it("leaves the form of a deployment's name to its driver, and keeps its length [DEP-039]", () => {
    const driver = { contract: "deployment.v1alpha1" } as const;
    for (const name of ["a", "-a", "a_b", "Orders DB", "é", "n".repeat(63), "é".repeat(63)]) {
      assert.equal(nameProblem(name, driver), undefined, name);
    }
    // 43 characters of three bytes.
    for (const [name, text] of [
      ["", /^is empty: leave it out/],
      ["n".repeat(64), /^has 64 characters, .* at most 63/],
      ["漢".repeat(43), /129 bytes.*128/],
    ] as const) {
      assert.match(nameProblem(name, driver) ?? "", text);
    }
    assert.equal(nameProblem("漢".repeat(43), { ...driver, largeFields: true }), undefined);
  });
});

function sameMap(left: Record<string, string>, right: Record<string, string>): boolean {
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && left[key] === right[key])
  );
}
