import * as fs from "node:fs";
import * as path from "node:path";

/** Files that decide what Pulumi runs, in any case: there are file systems that know no difference. */
const deciding = /^(?:pulumi\.(?:ya?ml|json)|package\.json|tsconfig\.json|index\..+)$/i;

/**
 * Names of what decides which program Pulumi runs in a folder, and is not as the program has it. What such a file means is
 * not asked: there are too many ways to have another program run.
 *
 * @param there Names of what the folder has.
 * @param program Text of each file of the program, by name.
 */
export function foreignFiles(
  folder: string,
  there: readonly string[],
  program: Readonly<Record<string, string>>,
): string[] {
  const isForeign = (name: string): boolean => {
    const text = program[name];
    return text === undefined || textOf(path.join(folder, name)) !== text;
  };
  return there.filter((name) => deciding.test(name) && isForeign(name)).sort();
}

/** Text of a file, with the line ends that this package writes; `undefined` for a link and a folder. */
function textOf(file: string): string | undefined {
  return fs.lstatSync(file).isFile() ? fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n") : undefined;
}
