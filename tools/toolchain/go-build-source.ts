import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

import { lastLines, runChild } from "../setup/run-child.mjs";
import { openLedger } from "../local/process-ledger";
import type { GoRecipe, Tool } from "./tool";
import { goBuildEnvironment, type ToolCache } from "./tool-cache";
import type { ToolSource } from "./tool-source";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Builds a tool with the user's Go from the module that tools/go pins by its go.sum, into the cache.
 *
 * @param environment - PATH names the `go` to use; GOPROXY, GOTOOLCHAIN and the like stay the user's.
 */
export function goBuildSource(cache: ToolCache, environment: Environment): ToolSource {
  return {
    label: "built",
    description: `go build of ${cache.modules}`,
    find: async (tool, report) => {
      const goEnvironment = { ...environment, ...goBuildEnvironment };
      if (!(await hasGo(goEnvironment))) {
        return {
          reason: "go is not on your PATH",
          remedy: "install Go 1.21 or later from https://go.dev/dl/ and run the same command again",
        };
      }
      const log = join(cache.folder, "logs", `${tool.name}.log`);
      // It ends the builds of runs that were killed, which would go on writing where this one does.
      const ledger = await openLedger();
      try {
        const path = await cache.add(
          tool,
          async (folder) => {
            report(
              `building ${tool.name} ${tool.version} from its Go module: about ${tool.go.minutes} min the first time`,
            );
            const onStart = (pid: number) => {
              ledger.recordProcess(`go build ${tool.name}`, pid);
            };
            await build({ tool, modules: cache.modules, folder, env: goEnvironment, log, onStart });
          },
          report,
        );
        return { path, version: tool.version };
      } catch (error) {
        return {
          reason: error instanceof Error ? error.message : String(error),
          remedy: `see ${log}, put right what it names and run the same command again`,
        };
      }
    },
  };
}

async function hasGo(environment: Environment): Promise<boolean> {
  return promisify(execFile)("go", ["version"], { env: { ...environment } }).then(
    () => true,
    () => false,
  );
}

interface Build {
  readonly tool: Tool;
  readonly modules: string;
  /** Takes the program. */
  readonly folder: string;
  readonly env: Environment;
  readonly log: string;
  readonly onStart: (pid: number) => void;
}

async function build(job: Build): Promise<void> {
  const { tool, folder } = job;
  // What a killed build leaves behind goes away with the folder.
  const work = join(folder, "work");
  await mkdir(work);
  const module = join(job.modules, tool.go.module);
  const source =
    tool.go.embedded === undefined ? module : await copyWithEmbedded(job, tool.go.embedded, module, work);
  const output = join(folder, tool.name);
  await go(job, source, work, ["build", "-o", output, "-ldflags", tool.go.ldflags, tool.go.package]);
  await rm(work, { recursive: true, force: true });
}

async function go(job: Build, cwd: string, work: string, args: readonly string[]): Promise<void> {
  const env = { ...job.env, GOTMPDIR: work };
  const { code } = await runChild("go", args, { cwd, env, log: job.log, onStart: job.onStart });
  if (code === 0) return;
  const output = (await lastLines(job.log, 15)).replace(/^/gm, "      ");
  throw new Error(`go ${args[0] ?? ""} failed (exit code ${code ?? "none"}):\n${output}`);
}

/** A copy of the module with what it embeds beside it: neither the repository nor Go's cache is written to. */
async function copyWithEmbedded(
  job: Build,
  embedded: NonNullable<GoRecipe["embedded"]>,
  module: string,
  work: string,
): Promise<string> {
  const source = join(work, "source");
  await cp(module, source, { recursive: true });
  await go(job, module, work, ["mod", "download", embedded.module]);
  const { stdout } = await promisify(execFile)("go", ["list", "-m", "-f", "{{.Dir}}", embedded.module], {
    cwd: module,
    env: { ...job.env },
  });
  for (const file of embedded.files) {
    const target = join(source, basename(file));
    await copyFile(join(stdout.trim(), file), target);
    // Go's module cache is read-only, and a copy keeps the mode.
    await chmod(target, 0o644);
  }
  const versioned = join(source, embedded.versioned);
  const schema: unknown = JSON.parse(await readFile(versioned, "utf8"));
  await writeFile(versioned, JSON.stringify(Object.assign({}, schema, { version: job.tool.version })));
  return source;
}
