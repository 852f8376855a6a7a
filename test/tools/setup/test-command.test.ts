import assert from "node:assert/strict";

import { collect, lastLinesOf } from "../../../tools/setup/test-command";

describe("the counts of a test run", () => {
  it("add up, and a step that breaks is one failure after which the others still run", async () => {
    const told: string[] = [];
    const steps = [
      () => Promise.resolve({ passed: 1, failed: 0, failures: [] }),
      () => Promise.reject(new Error("eslint: no")),
      () => Promise.resolve({ passed: 10, failed: 2, failures: ["a test\n1 is not 2", "another"] }),
    ];
    const outcome = await collect(steps, (message) => told.push(message));
    assert.deepEqual(outcome, {
      passed: 11,
      failed: 3,
      failures: ["eslint: no", "a test\n1 is not 2", "another"],
    });
    assert.deepEqual(told, ["\neslint: no\n"]);
  });

  it("are the last line, after what failed", () => {
    const lines = lastLinesOf({ passed: 11, failed: 2, failures: ["a test\n1 is not 2", "another"] }).split(
      "\n",
    );
    assert.deepEqual(lines, [
      "",
      "What failed:",
      "",
      "✗ a test",
      "  1 is not 2",
      "",
      "✗ another",
      "",
      "11 passed, 2 failed",
    ]);
    assert.equal(lastLinesOf({ passed: 3, failed: 0, failures: [] }), "3 passed, 0 failed");
  });
});
