import * as fs from "node:fs";
import * as path from "node:path";
import type { Stack } from "./stack";

const repository = path.join(__dirname, "..", "..");
const program = "pulumi-resource-cosi";

/**
 * Has the program of a stack find the package's plugin, by its Pulumi.yaml, which is written anew.
 *
 * @returns The path of the plugin's program.
 */
export function linkPlugin({ folder }: Pick<Stack, "folder">): string {
  const manifest = fs.readFileSync(path.join(repository, "package.json"), "utf8");
  const { bin } = JSON.parse(manifest) as { bin: Record<string, string> };
  const plugins = path.join(folder, "plugins");
  fs.mkdirSync(plugins);
  const linked = path.join(plugins, program);
  fs.symlinkSync(path.join(repository, bin[program] ?? ""), linked);
  fs.writeFileSync(
    path.join(folder, "Pulumi.yaml"),
    "name: program\nruntime: nodejs\nplugins: { providers: [{ name: cosi, path: plugins }] }\n",
  );
  return linked;
}
