import * as fs from "node:fs";
import * as path from "node:path";
import type { CommandResult } from "../../support/stack";

const repository = path.join(__dirname, "..", "..", "..");

/** The three lines of a user, without settings. */
export const plainPack = `import { cosiPolicyPack } from "pulumi-cosi/policy";

cosiPolicyPack("storage");
`;

/**
 * Writes a policy pack as a user has it, and a program that starts it.
 *
 * The language host that this repository builds has no RunPlugin, which the CLI asks for a folder with a policy pack: it is the
 * last one that is published as source. The CLI runs a program as well, and this one does what the host of a release does.
 *
 * @returns what `--policy-pack` takes.
 */
export function writePolicyPack(folder: string, source: string): string {
  fs.mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string, mode = 0o644): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text, { mode });
    return file;
  };
  write("PulumiPolicy.yaml", "runtime: nodejs\nversion: 1.2.3\n");
  write("package.json", '{ "version": "1.2.3", "main": "index.ts" }');
  write("index.ts", source);
  const modules = path.join(folder, "node_modules");
  if (!fs.existsSync(modules)) fs.symlinkSync(path.join(repository, "node_modules"), modules);
  const start = [
    "#!/bin/sh",
    'cd "$(dirname "$0")" || exit 1',
    'exec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$1" .',
  ];
  return write("start", `${start.join("\n")}\n`, 0o755);
}

/** Violations as the CLI shows them: level, rule and resource. */
export function violationsIn({ text }: CommandResult): string[] {
  const lines = text.matchAll(/- \[(\w+)\] \[severity: \w+\]\s+([\w-]+)\s+\(([^)]*)\)/g);
  return [...lines].map(([, level, rule, resource]) => `${level} ${rule} ${resource}`).sort();
}
