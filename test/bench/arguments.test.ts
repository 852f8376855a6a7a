import assert from "node:assert/strict";
import { benchArguments } from "../../bench/arguments";

describe("the arguments of the benchmark", () => {
  it("are four sizes, with checkpoints only where their cost can be borne, unless others are given", () => {
    const { sizes, checkpoints, repeats, results } = benchArguments([]);
    assert.deepEqual(sizes, [10, 100, 500, 1000]);
    assert.deepEqual(sizes.map(checkpoints), ["both", "both", "without", "without"]);
    assert.deepEqual(sizes.map(repeats), [3, 1, 1, 1]);
    assert.equal(results, "bench/results/latest.json");
  });

  it("may name sizes, checkpoints, repeats and the file", () => {
    const given = [
      "--n",
      "7",
      "--n",
      "100",
      "--checkpoints",
      "without",
      "--repeats",
      "2",
      "--results",
      "r.json",
    ];
    const { sizes, checkpoints, repeats, results } = benchArguments(given);
    assert.deepEqual([sizes, checkpoints(100), repeats(100), results], [[7, 100], "without", 2, "r.json"]);
  });

  for (const args of [
    ["--n", "0"],
    ["--n", "many"],
    ["--checkpoints", "some"],
    ["--repeats", "-1"],
    ["--fast"],
  ]) {
    it(`refuse ${args.join(" ")}, by its name`, () => {
      assert.throws(() => benchArguments(args), new RegExp(args[0] ?? ""));
    });
  }
});
