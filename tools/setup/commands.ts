import { buildPackage } from "./build-package";
import { step } from "./progress.mjs";
import { provideTools, toolsOfDemo } from "./provide-tools";
import { runChild } from "./run-child.mjs";
import { runTests } from "./test-command";

/**
 * Runs one of the commands of package.json, after run.mjs has installed the dependencies.
 *
 * @param command - `build` compiles the package; `demo` shows it; `test` checks everything, or with `args` only the
 * test files that they name; `soak` tries more than the tests have time for.
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
      return runScript("demo", args, root);
    case "soak":
      await provideTools(toolsOfDemo(process.env));
      return runScript("soak", args, root);
    default:
      throw new Error(`There is no command "${command}".`);
  }
}

/** Runs `tools/<name>/main.ts` in a process of its own. */
async function runScript(name: string, args: readonly string[], root: string): Promise<number> {
  const end = await runChild(
    process.execPath,
    ["-r", "ts-node/register/transpile-only", `tools/${name}/main.ts`, ...args],
    { cwd: root, ownsChildren: true },
  );
  if (end.code === null) throw new Error(`The ${name} was ended by ${end.signal ?? "an unknown signal"}.`);
  return end.code;
}
