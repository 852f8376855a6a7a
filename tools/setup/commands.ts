import { buildPackage } from "./build-package";
import { step } from "./progress.mjs";
import { provideTools, toolsOfBench, toolsOfDemo } from "./provide-tools";
import { runChild } from "./run-child.mjs";
import { runTests } from "./test-command";

/**
 * Runs one of the commands of package.json, after run.mjs has installed the dependencies.
 *
 * @param command - `build` compiles the package; `demo` shows it; `test` checks everything, or with `args` only the
 * test files that they name; `soak` tries more than the tests have time for; `bench` measures.
 * @param root - The root folder of the repository, which is also the working directory.
 * @returns the exit code.
 * @throws Error when a step before the command itself fails.
 */
export async function runCommand(command: string, args: readonly string[], root: string): Promise<number> {
  await step("build", async ({ note, detail }) => {
    detail(await buildPackage(root, note));
  });
  switch (command) {
    case "build":
      return 0;
    case "test":
      return runTests(root, args);
    case "demo":
      await provideTools(toolsOfDemo(process.env));
      return runScript("tools/demo/main.ts", args, root);
    case "soak":
      await provideTools(toolsOfDemo(process.env));
      return runScript("tools/soak/main.ts", args, root);
    case "bench":
      await provideTools(toolsOfBench(process.env));
      return runScript("bench/main.ts", args, root);
    default:
      throw new Error(`There is no command "${command}".`);
  }
}

/** Runs a script in a process of its own. */
async function runScript(script: string, args: readonly string[], root: string): Promise<number> {
  const end = await runChild(process.execPath, ["-r", "ts-node/register/transpile-only", script, ...args], {
    cwd: root,
    ownsChildren: true,
  });
  if (end.code === null) throw new Error(`${script} was ended by ${end.signal ?? "an unknown signal"}.`);
  return end.code;
}
