import { join } from "node:path";

import type { Outcome } from "./outcome";
import { step } from "./progress.mjs";
import { runChild } from "./run-child.mjs";

/** Not in .mocharc.json: mocha would add it to the files that are named. */
const ALL = ["test/**/*.test.ts"];

/**
 * Runs mocha in a process of its own, which shows its results as it goes.
 *
 * @param files - Test files or globs; all when empty.
 * @throws Error when mocha ends before it has told its counts, or tells of no failure and yet fails.
 */
export async function runMocha(root: string, files: readonly string[]): Promise<Outcome> {
  return step(
    "tests (mocha)",
    async ({ detail }) => {
      let outcome: Outcome | undefined;
      const end = await runChild(process.execPath, mochaArguments(root, files), {
        cwd: root,
        ownsChildren: true,
        onMessage: (message) => {
          outcome = outcomeOf(message) ?? outcome;
        },
      });
      if (outcome === undefined || (outcome.failed === 0 && end.code !== 0)) {
        throw new Error(`mocha broke off (exit code ${end.code ?? "none"}, signal ${end.signal ?? "none"}).`);
      }
      if (outcome.passed + outcome.failed === 0) throw new Error("mocha found no test to run.");
      detail(`${outcome.passed} passed, ${outcome.failed} failed`);
      return outcome;
    },
    { writes: true },
  );
}

function mochaArguments(root: string, files: readonly string[]): string[] {
  const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
  return [
    mocha,
    "--reporter",
    join(__dirname, "counting-reporter.ts"),
    ...(files.length === 0 ? ALL : files),
  ];
}

function outcomeOf(message: unknown): Outcome | undefined {
  if (message === null || typeof message !== "object") return undefined;
  if (!("passed" in message) || typeof message.passed !== "number") return undefined;
  if (!("failed" in message) || typeof message.failed !== "number") return undefined;
  return { passed: message.passed, failed: message.failed };
}
