import assert from "node:assert/strict";

import { collect } from "../../../tools/setup/test-command";

describe("the counts of a test run", () => {
  it("add up, and a step that breaks is one failure after which the others still run", async () => {
    const told: string[] = [];
    const steps = [
      () => Promise.resolve({ passed: 1, failed: 0 }),
      () => Promise.reject(new Error("eslint: no")),
      () => Promise.resolve({ passed: 10, failed: 2 }),
    ];
    const outcome = await collect(steps, (message) => told.push(message));
    assert.deepEqual(outcome, { passed: 11, failed: 3 });
    assert.deepEqual(told, ["\neslint: no\n"]);
  });
});
