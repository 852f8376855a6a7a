#!/usr/bin/env node
/*
 * The one way in: `npm run demo`, `npm run soak`, `npm run bench`, `npm test` and `npm run build` end here, on a fresh
 * checkout with any Node from 20 on and nothing installed. It installs the dependencies, goes on under the Node version
 * that they pin, and hands over to the TypeScript part (commands.ts).
 */
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { installDependencies, pinnedNodeVersion } from "./dependencies.mjs";
import { requireUnix } from "./platform.mjs";
import { step } from "./progress.mjs";
import { runChild } from "./run-child.mjs";
import { endWithParent } from "./shutdown.mjs";

const INSTALLED = "--installed";
const COMMANDS = ["demo", "test", "build", "soak", "bench"];

const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const installed = process.argv[2] === INSTALLED;
const [command = "", ...args] = process.argv.slice(installed ? 3 : 2);

/** @returns {Promise<number>} the exit code */
const run = async () => {
  requireUnix(process.platform);
  if (!installed) {
    await step("dependencies", async ({ note, detail }) => detail(await installDependencies(root, note)));
    const bin = join(root, "node_modules", ".bin");
    process.env["PATH"] = [bin, process.env["PATH"]].join(delimiter);
    if (process.version !== (await pinnedNodeVersion(root))) {
      const end = await runChild(
        join(bin, "node"),
        [fileURLToPath(import.meta.url), INSTALLED, command, ...args],
        { cwd: root, ownsChildren: true },
      );
      if (end.code === null) throw new Error(`The run was ended by ${end.signal}.`);
      return end.code;
    }
  }
  const require = createRequire(import.meta.url);
  process.chdir(root);
  require("ts-node/register/transpile-only");
  return require("./commands.ts").runCommand(command, args, root);
};

if (!COMMANDS.includes(command)) {
  console.error(`usage: node tools/setup/run.mjs ${COMMANDS.join("|")} [arguments]`);
  process.exit(2);
}
if (!installed && process.env["npm_lifecycle_event"] !== undefined) endWithParent();
try {
  process.exitCode = await run();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  // Who counts the tests finds the same last line whatever happened.
  if (command === "test") console.log("0 passed, 1 failed");
  process.exitCode = 1;
}
