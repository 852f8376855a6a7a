import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import {
  canonical,
  containsUnknown,
  isUnknown,
  sameValue,
  secretOutput,
  withoutNulls,
} from "../../../provider/dynamic/values";

const unknown = pulumi.runtime.unknownValue;

describe("isUnknown and containsUnknown", () => {
  it("find what Pulumi does not know yet, at any depth", () => {
    assert.ok(isUnknown(unknown));
    assert.ok(!isUnknown("known"));
    for (const value of [unknown, [unknown], { a: unknown }, { a: [{ b: unknown }] }]) {
      assert.ok(containsUnknown(value));
    }
    for (const value of [undefined, null, "", 0, [], {}, { [unknown]: "a key" }, ["x", { a: null }]]) {
      assert.ok(!containsUnknown(value));
    }
  });
});

describe("sameValue", () => {
  it("has no regard to the order of keys, and takes what is absent for null", () => {
    assert.ok(sameValue({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }));
    assert.ok(sameValue({ a: undefined, b: null }, {}));
    assert.ok(sameValue(undefined, null));
  });

  it("tells types, orders of lists and empty values apart", () => {
    for (const [left, right] of [
      ["1", 1],
      ["null", null],
      ["", null],
      [{}, null],
      [{}, []],
      [
        [1, 2],
        [2, 1],
      ],
      [[null], []],
      [{ a: "b" }, { a: { b: "" } }],
      [["a,b"], ["a", "b"]],
    ] as const) {
      assert.ok(!sameValue(left, right), `${JSON.stringify(left)} and ${JSON.stringify(right)}`);
    }
  });

  it("is equality of JSON documents but for order and null", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.ok(sameValue(value, JSON.parse(JSON.stringify(value))));
        assert.ok(sameValue(value, reversed(value)));
      }),
    );
  });
});

describe("canonical", () => {
  it("is one text for one value, from release to release, as names are hashed from it", () => {
    assert.equal(
      canonical({ b: [1, "x", null], a: { d: true, c: undefined } }),
      '{"a":{"d":true},"b":[1,"x",null]}',
    );
  });
});

describe("withoutNulls", () => {
  it("leaves out the properties that are null, and looks no deeper", () => {
    const properties = { a: null, b: undefined, c: { d: null }, e: [null], f: 0, g: "" };
    assert.deepEqual(withoutNulls(properties), { b: undefined, c: { d: null }, e: [null], f: 0, g: "" });
    assert.equal(properties.a, null);
  });
});

describe("secretOutput", () => {
  it("is what Pulumi reads as a secret, and null for null", () => {
    assert.deepEqual(secretOutput({ a: "b" }), {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: { a: "b" },
    });
    assert.equal(secretOutput(null), null);
  });
});

/** The same value with the keys of its objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversed(entry)]),
  );
}
