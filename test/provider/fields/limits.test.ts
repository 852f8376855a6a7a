import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mapBytes, mapSizeProblem } from "../../../provider/fields/limits";

describe("mapSizeProblem", () => {
  it("counts the bytes of all keys and values together, not their characters", () => {
    assert.equal(mapBytes([]), 0);
    assert.equal(mapBytes(Object.entries({ k: "é", 漢: "" })), 6);
    assert.equal(mapSizeProblem({ a: "v".repeat(2047), b: "v".repeat(2047) }, {}), undefined);
    assert.match(mapSizeProblem({ a: "v".repeat(2047), b: "v".repeat(2048) }, {}) ?? "", /^has 4097 bytes/);
  });

  it("names size, limit and the switch, and no value", () => {
    const secret = "s3cr3t".repeat(700);
    const text = mapSizeProblem({ token: secret }, {}) ?? "";
    assert.match(text, /4205 bytes.* allows 4096.*largeFields/);
    assert.ok(!text.includes("s3cr3t"));
  });

  it("judges nothing where the driver documents larger fields, or a preview does not know it", () => {
    const large = { policy: "p".repeat(6000) };
    assert.equal(mapSizeProblem(large, { largeFields: true }), undefined);
    const unknown = { largeFields: pulumi.runtime.unknownValue } as unknown as { largeFields: boolean };
    assert.equal(mapSizeProblem(large, unknown), undefined);
    assert.match(mapSizeProblem(large, { largeFields: false }) ?? "", /6006 bytes/);
  });
});
