import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { scripts } from "../../../package.json";

describe("the way in", () => {
  it("knows each command that package.json hands to it, and says so of one that it does not", () => {
    const handed = Object.values(scripts).flatMap((script) => {
      const [, command] = /^node tools\/setup\/run\.mjs (\S+)$/.exec(script) ?? [];
      return command === undefined ? [] : [command];
    });
    const run = resolve("tools", "setup", "run.mjs");
    const { status, stderr } = spawnSync(process.execPath, [run, "other"], { encoding: "utf8" });
    assert.equal(status, 2);
    const [, known = ""] = /^usage: node tools\/setup\/run\.mjs (\S+) \[arguments\]\n$/.exec(stderr) ?? [];
    assert.deepEqual(known.split("|").sort(), handed.sort());
  });
});
