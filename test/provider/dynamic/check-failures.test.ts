import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../../provider/dynamic/check-failures";

describe("CheckFailures", () => {
  it("collects every problem, with the property in its text, as the engine prints the value of one beside it", () => {
    const failures = new CheckFailures();
    failures.judge("a", 1, (value) => `is ${value}`);
    failures.judge("b", 2, () => undefined);
    failures.add("c", "is missing");
    assert.deepEqual(failures.result({ a: 1 }), {
      inputs: { a: 1 },
      failures: [
        { property: "", reason: "a is 1" },
        { property: "", reason: "c is missing" },
      ],
    });
  });

  it("judges nothing that is absent or unknown", () => {
    const failures = new CheckFailures();
    for (const value of [undefined, pulumi.runtime.unknownValue])
      failures.judge("a", value, () => "is wrong");
    assert.deepEqual(failures.result({}).failures, []);
  });
});
