import * as fs from "node:fs";
import * as path from "node:path";

/** The programs that are measured; each is an `index.ts` of a project of its own. */
export type ProgramName = "claims" | "plain" | "bare";

/** Text of a program. */
export function sourceOf(name: ProgramName): string {
  return fs.readFileSync(path.join(__dirname, `${name}.ts`), "utf8");
}
