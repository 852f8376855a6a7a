import assert from "node:assert/strict";
import { FailedResourceError } from "../../../provider/dynamic/failed";

describe("FailedResourceError", () => {
  it("has what Pulumi's host looks for, and the cause", () => {
    const cause = new Error("no answer");
    const error = new FailedResourceError("the outcome is unknown", "b1", { __provider: "text" }, { cause });
    assert.ok(error instanceof Error);
    assert.equal(error.message, "the outcome is unknown");
    assert.equal(error.id, "b1");
    assert.deepEqual(error.properties, { __provider: "text" });
    assert.deepEqual(error.reasons, ["the outcome is unknown"]);
    assert.equal(error.cause, cause);
  });
});
