/**
 * Prints for each list of docs/requirements which ids a test's title carries, and which not.
 *
 * An id counts if a test under test/ has it in square brackets in its title, or in the table that its title is taken
 * from. Withdrawn lines, which keep an id that is
 * not bold, are left out; ids of docs/requirements/exceptions.md are shown with that word. An id in a title that no
 * list has is an error.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const lists = join(root, "docs", "requirements");
const notLists = new Set(["README.md", "exceptions.md"]);

/** Ids of the lines of a list: `- **GRPC-014** …`. */
function idsOf(list) {
  return [...readFileSync(join(lists, list), "utf8").matchAll(/^- \*\*([A-Z0-9]+-\d+)\*\*/gm)].map(
    ([, id]) => id,
  );
}

function testFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join(folder, file));
}

/** Ids in the titles of tests: texts that end in ids, wherever they stand; nothing else is written so. */
function coveredIds() {
  const titles = /(?:\[[A-Z0-9]+-\d+\] ?)+(?=["'`])/g;
  return new Set(
    testFiles(join(root, "test"))
      .flatMap((file) => [...readFileSync(file, "utf8").matchAll(titles)].map(([title]) => title))
      .flatMap((title) => [...title.matchAll(/\[([A-Z0-9]+-\d+)\]/g)].map(([, id]) => id)),
  );
}

function exceptions() {
  try {
    return new Set(
      [...readFileSync(join(lists, "exceptions.md"), "utf8").matchAll(/^- ([A-Z0-9]+-\d+)\b/gm)].map(
        ([, id]) => id,
      ),
    );
  } catch (error) {
    if (error.code === "ENOENT") return new Set();
    throw error;
  }
}

const covered = coveredIds();
const excepted = exceptions();
const known = new Set();
for (const list of readdirSync(lists)
  .filter((file) => file.endsWith(".md") && !notLists.has(file))
  .sort()) {
  const ids = idsOf(list);
  for (const id of ids) known.add(id);
  const open = ids.filter((id) => !covered.has(id) && !excepted.has(id));
  const count = ids.filter((id) => covered.has(id)).length;
  const excused = ids.filter((id) => excepted.has(id)).length;
  const share = ids.length === 0 ? 0 : Math.floor((100 * count) / ids.length);
  console.log(`${list}: ${count} of ${ids.length} covered (${share} %), ${excused} exceptions`);
  console.log(`  covered:     ${ids.filter((id) => covered.has(id)).join(" ") || "none"}`);
  console.log(`  not covered: ${open.join(" ") || "none"}`);
}
const strangers = [...covered].filter((id) => !known.has(id));
if (strangers.length > 0) {
  console.error(`ids in test titles that no list has: ${strangers.join(", ")}`);
  process.exitCode = 1;
}
