import * as fs from "node:fs";
import * as path from "node:path";
import { measure } from "../measure/command";
import type { Parts } from "../measure/cycle";
import { roles } from "../measure/process-tree";
import { createStack, withoutCheckpoints } from "../measure/size";
import { summarise, type ByPackage } from "./summary";

/** Seconds below which a package is not told of. */
const least = 0.05;

/** Runs an `up` of `n` claims under V8's profiler. @returns tables of Markdown: CPU by process, then by package. */
export async function profileOf(parts: Parts, n: number): Promise<string> {
  const stack = await createStack("claims", parts);
  const folder = path.join(stack.environment.folder, "profiles");
  fs.mkdirSync(folder);
  const variables = { BENCH_CLAIMS: String(n), ...withoutCheckpoints };
  try {
    const { byRole, wallSeconds } = await measure(stack, ["up", "--yes", "--skip-preview"], {
      ...variables,
      BENCH_PROFILES: folder,
      NODE_OPTIONS: `--import ${path.join(__dirname, "hook.mjs")}`,
    });
    await measure(stack, ["destroy", "--yes", "--skip-preview"], variables);
    return [
      `${n} claims: up in ${wallSeconds.toFixed(1)} s`,
      "",
      "| process | CPU, s | memory at its peak, MB |",
      "| --- | --: | --: |",
      ...roles.map((role) => {
        const { cpuSeconds, peakMegabytes } = byRole[role];
        return `| ${role} | ${cpuSeconds.toFixed(1)} | ${peakMegabytes.toFixed(0)} |`;
      }),
      ...packages("program", summarise(folder, "program")),
      ...packages("provider host", summarise(folder, "host")),
    ].join("\n");
  } finally {
    await stack.remove();
  }
}

function packages(title: string, seconds: ByPackage): string[] {
  const rows = Object.entries(seconds).filter(([, value]) => value >= least);
  return [
    "",
    `| ${title}: package | CPU, s |`,
    "| --- | --: |",
    ...rows.map(([name, value]) => `| ${name} | ${value.toFixed(2)} |`),
  ];
}
