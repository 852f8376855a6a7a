/**
 * Prints for each list of docs/requirements which ids a test's title carries, and which not.
 *
 * An id counts if a test under test/ has it in square brackets in its title, or in the table that its title is taken
 * from. Withdrawn lines, which keep an id that is
 * not bold, are left out; ids of docs/requirements/exceptions.md, and those of a list's section "Waiting", are shown
 * with that word. An id in a title that no list has is an error, and so is one that waits although a test has it.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const lists = join(root, "docs", "requirements");
const notLists = new Set(["README.md", "exceptions.md"]);
/** `GRPC-014`, `CASE-C01`. */
const anId = "[A-Z0-9]+-[A-Z]?\\d+";

/** Ids of the lines of a list: `- **GRPC-014** …`. */
function idsOf(text) {
  return [...text.matchAll(new RegExp(`^- \\*\\*(${anId})\\*\\*`, "gm"))].map(([, id]) => id);
}

/** Ids of plain lines: `- GRPC-014 …`. */
function plainIdsOf(text) {
  return new Set([...text.matchAll(new RegExp(`^- (${anId})\\b`, "gm"))].map(([, id]) => id));
}

/** Ids of a list's section "Waiting". */
function waitingIdsOf(text) {
  return plainIdsOf(/^## Waiting\n(.*?)(?=^## |$(?![^]))/ms.exec(text)?.[1] ?? "");
}

function testFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join(folder, file));
}

/** Ids in the titles of tests: texts that end in ids, wherever they stand; nothing else is written so. */
function coveredIds() {
  const titles = new RegExp(`(?:\\[${anId}\\] ?)+(?=["'\`])`, "g");
  return new Set(
    testFiles(join(root, "test"))
      .flatMap((file) => [...readFileSync(file, "utf8").matchAll(titles)].map(([title]) => title))
      .flatMap((title) => [...title.matchAll(new RegExp(`\\[(${anId})\\]`, "g"))].map(([, id]) => id)),
  );
}

function exceptions() {
  try {
    return plainIdsOf(readFileSync(join(lists, "exceptions.md"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return new Set();
    throw error;
  }
}

const covered = coveredIds();
const excepted = exceptions();
const known = new Set();
const waitingAndCovered = [];
for (const list of readdirSync(lists)
  .filter((file) => file.endsWith(".md") && !notLists.has(file))
  .sort()) {
  const text = readFileSync(join(lists, list), "utf8");
  const ids = idsOf(text);
  const waiting = waitingIdsOf(text);
  for (const id of ids) known.add(id);
  waitingAndCovered.push(...ids.filter((id) => waiting.has(id) && covered.has(id)));
  const open = ids.filter((id) => !covered.has(id) && !excepted.has(id) && !waiting.has(id));
  const count = ids.filter((id) => covered.has(id)).length;
  const excused = ids.filter((id) => excepted.has(id)).length;
  const share = ids.length === 0 ? 0 : Math.floor((100 * count) / ids.length);
  const later = waiting.size === 0 ? "" : `, ${waiting.size} waiting`;
  console.log(`${list}: ${count} of ${ids.length} covered (${share} %), ${excused} exceptions${later}`);
  console.log(`  covered:     ${ids.filter((id) => covered.has(id)).join(" ") || "none"}`);
  console.log(`  not covered: ${open.join(" ") || "none"}`);
  if (waiting.size > 0) console.log(`  waiting:     ${ids.filter((id) => waiting.has(id)).join(" ")}`);
}
const strangers = [...covered].filter((id) => !known.has(id));
if (strangers.length > 0) {
  console.error(`ids in test titles that no list has: ${strangers.join(", ")}`);
  process.exitCode = 1;
}
if (waitingAndCovered.length > 0) {
  console.error(`ids that a list has as waiting, and a test in its title: ${waitingAndCovered.join(", ")}`);
  process.exitCode = 1;
}
