import assert from "node:assert/strict";

import { provideFrom, ToolUnavailableError } from "../../../tools/toolchain/provide-tool";
import type { Answer, ToolSource } from "../../../tools/toolchain/tool-source";
import { fakeTool } from "../fixtures/fake-tool";

describe("the order in which a tool is looked for", () => {
  const asked: string[] = [];
  const source = (label: string, answer: Answer): ToolSource => ({
    label,
    description: `the ${label} place`,
    find: () => {
      asked.push(label);
      return Promise.resolve(answer);
    },
  });
  beforeEach(() => {
    asked.length = 0;
  });

  it("ends at the first source that has it", async () => {
    const sources = [
      source("first", { reason: "it is empty" }),
      source("second", { path: "/tools/fake", version: "1.2.4" }),
      source("third", { path: "/elsewhere/fake", version: "9.9.9" }),
    ];
    assert.deepEqual(await provideFrom(sources, fakeTool, () => undefined), {
      name: "cosi-fake-tool",
      version: "1.2.4",
      path: "/tools/fake",
      source: "second",
    });
    assert.deepEqual(asked, ["first", "second"]);
  });

  it("ends in one error that says what is missing, what was tried and what helps", async () => {
    const sources = [
      source("first", { reason: "it is empty", remedy: "put it there" }),
      source("second", { reason: "it is closed" }),
    ];
    await assert.rejects(
      provideFrom(sources, fakeTool, () => undefined),
      (error) => {
        assert.ok(error instanceof ToolUnavailableError);
        assert.equal(
          error.message,
          [
            "cosi-fake-tool 1.2.3 cannot be had. Tried, in this order:",
            "  - the first place: it is empty",
            "  - the second place: it is closed",
            "What helps, one of:",
            "  - put it there",
          ].join("\n"),
        );
        return true;
      },
    );
  });
});
