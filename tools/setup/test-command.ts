import { join } from "node:path";

import { contractFolders } from "./build-package";
import { runMocha } from "./mocha-run";
import { sumOf, type Outcome } from "./outcome";
import { step } from "./progress.mjs";
import { provideTools, toolsOfTests } from "./provide-tools";
import { lastLines, runChild } from "./run-child.mjs";

interface Check {
  readonly title: string;
  /** Commands of node_modules/.bin, which all have to succeed. */
  readonly commands: readonly (readonly [tool: string, ...args: string[]])[];
}

/** Tests that run a real API server, store or CLI. */
const REAL_PARTS = "test/**/integration/**/*.test.ts";

/** Those of them that wait the most: they run beside the others, and both together take about as long as the longer part. */
const WAITING_PARTS = [
  "kills",
  "objectbucket",
  "deployment",
  "drivers-postgres",
  "previews",
  "published",
  "story",
].map((folder) => `test/integration/${folder}/**/*.test.ts`);

/**
 * Runs all checks and all tests, and closes with the line `N passed, N failed`: the tests, and one for each check. A
 * step that breaks counts as one failure. What failed comes once more before that line: a log of an hour is long, and
 * who reads its end alone wants to see why.
 *
 * @param files - Test files: then only these run, and no checks.
 * @returns the exit code: 1 when anything failed.
 */
export async function runTests(root: string, files: readonly string[]): Promise<number> {
  const outcome = await (files.length > 0 ? runNamed(root, files) : runAll(root));
  console.log(lastLinesOf(outcome));
  return outcome.failed === 0 ? 0 : 1;
}

/** What failed, and the counts. */
export function lastLinesOf({ passed, failed, failures }: Outcome): string {
  const told = failures.map((failure) => `✗ ${failure.replaceAll("\n", "\n  ")}\n`);
  return [
    ...(told.length > 0 ? ["", "What failed:", ""] : []),
    ...told,
    `${passed} passed, ${failed} failed`,
  ].join("\n");
}

function runNamed(root: string, files: readonly string[]): Promise<Outcome> {
  return collect([
    async () => {
      if (needTools(files)) await provideTools(toolsOfTests(process.env));
      return runMocha(root, { title: "tests (mocha)", files });
    },
  ]);
}

/** What needs no tools runs beside their builds, and beside the tests with real parts, which wait for these a lot. */
async function runAll(root: string): Promise<Outcome> {
  const list = await checks(root);
  const outcomes = await Promise.all([
    collect([
      ...list.map((check) => () => runCheck(root, check)),
      () =>
        runMocha(root, {
          title: "tests without real parts (mocha)",
          files: ["test/**/*.test.ts"],
          ignore: [REAL_PARTS],
          log: join(root, ".setup", "mocha.log"),
        }),
    ]),
    collect([
      async () => {
        await provideTools(toolsOfTests(process.env));
        return inLanes(root);
      },
    ]),
  ]);
  return sumOf(outcomes);
}

/** Runs the tests with real parts in two processes, each with parts of its own. */
async function inLanes(root: string): Promise<Outcome> {
  const lanes = [
    { title: "tests with real parts (mocha)", files: [REAL_PARTS], ignore: WAITING_PARTS },
    {
      title: "tests with real parts, second half (mocha)",
      files: WAITING_PARTS,
      log: join(root, ".setup", "mocha-waiting.log"),
    },
  ];
  return sumOf(await Promise.all(lanes.map((lane) => collect([() => runMocha(root, lane)]))));
}

/** Runs the steps one after the other and adds up; one that throws is told and counts as one failure. */
export async function collect(
  steps: readonly (() => Promise<Outcome>)[],
  tell: (message: string) => void = console.error,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const run of steps) {
    try {
      outcomes.push(await run());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      tell(`\n${message}\n`);
      outcomes.push({ passed: 0, failed: 1, failures: [message] });
    }
  }
  return sumOf(outcomes);
}

/** Only the tests that run real parts need tools; whoever names files of other folders does not wait for them. */
function needTools(files: readonly string[]): boolean {
  return files.some((file) => file.includes("integration"));
}

async function checks(root: string): Promise<Check[]> {
  const contracts = await contractFolders(root);
  return [
    { title: "format (prettier)", commands: [["prettier", "--check", "."]] },
    { title: "lint (eslint)", commands: [["eslint", "."]] },
    {
      title: "types (tsc)",
      commands: [
        ["tsc", "-p", "tsconfig.json", "--noEmit"],
        ["tsc", "-p", "tools/setup/tsconfig.json", "--noEmit"],
      ],
    },
    ...contracts.map((contract): Check => ({
      title: `proto/${contract} (buf lint)`,
      commands: [["buf", "lint", join("proto", contract)]],
    })),
  ];
}

async function runCheck(root: string, check: Check): Promise<Outcome> {
  return step(check.title, async () => {
    for (const [tool, ...args] of check.commands) {
      const log = join(root, ".setup", `check-${tool}.log`);
      const { code } = await runChild(join(root, "node_modules", ".bin", tool), args, { cwd: root, log });
      if (code !== 0) throw new Error(`${tool} ${args.join(" ")}:\n${await lastLines(log, 200)}`);
    }
    return { passed: 1, failed: 0, failures: [] };
  });
}
