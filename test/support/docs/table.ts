import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";

const root = path.join(__dirname, "..", "..", "..");

/** Rows of a table, the first of which is its head. */
export type Rows = readonly (readonly string[])[];

/**
 * Makes sure that a table of a page says what was seen; with `UPDATE_TABLE=1` in the environment it is written instead.
 *
 * @param file Relative to the repository.
 * @param name Stands in the comments around the table: `<!-- table: options -->` and `<!-- end -->`.
 */
export function requireTable(file: string, name: string, rows: Rows): void {
  const page = fs.readFileSync(path.join(root, file), "utf8");
  const form = new RegExp(`(<!-- table: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  assert.match(page, form, `${file} has no table ${name}`);
  const written = page.replace(form, (_, start: string, end: string) => `${start}${textOf(rows)}${end}`);
  if (process.env["UPDATE_TABLE"] === "1") fs.writeFileSync(path.join(root, file), written);
  else assert.equal(page, written, `${file}: UPDATE_TABLE=1 writes what was seen`);
}

function textOf([head = [], ...rows]: Rows): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
