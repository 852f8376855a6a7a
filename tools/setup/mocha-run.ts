import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Outcome } from "./outcome";
import { step } from "./progress.mjs";
import { runChild } from "./run-child.mjs";

/** Which tests one mocha runs. */
export interface MochaRun {
  readonly title: string;
  /** Test files or globs. */
  readonly files: readonly string[];
  /** Globs of test files that are left out. @default none */
  readonly ignore?: readonly string[];
  /**
   * File that takes the output, which is then shown in one piece at the end.
   *
   * @default none: it is shown as it comes
   */
  readonly log?: string;
}

/**
 * Runs mocha in a process of its own.
 *
 * @throws Error when mocha ends before it has told its counts, or tells of no failure and yet fails.
 */
export async function runMocha(root: string, { title, files, ignore = [], log }: MochaRun): Promise<Outcome> {
  return step(
    title,
    async ({ detail }) => {
      let outcome: Outcome | undefined;
      const end = await runChild(process.execPath, mochaArguments(root, files, ignore), {
        cwd: root,
        ownsChildren: true,
        ...(log === undefined ? {} : { log }),
        onMessage: (message) => {
          outcome = outcomeOf(message) ?? outcome;
        },
      });
      if (log !== undefined) console.log(await readFile(log, "utf8"));
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

function mochaArguments(root: string, files: readonly string[], ignore: readonly string[]): string[] {
  return [
    join(root, "node_modules", "mocha", "bin", "mocha.js"),
    "--reporter",
    join(__dirname, "counting-reporter.ts"),
    ...ignore.flatMap((glob) => ["--ignore", glob]),
    ...files,
  ];
}

function outcomeOf(message: unknown): Outcome | undefined {
  if (message === null || typeof message !== "object") return undefined;
  if (!("passed" in message) || typeof message.passed !== "number") return undefined;
  if (!("failed" in message) || typeof message.failed !== "number") return undefined;
  if (!("failures" in message) || !Array.isArray(message.failures)) return undefined;
  return { passed: message.passed, failed: message.failed, failures: message.failures.map(String) };
}
