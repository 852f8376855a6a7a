/**
 * Prints what it costs a program to load each entry of the package, as a table: how many files, how much of them is the
 * package's own, and the processor's milliseconds in a process of its own. Pulumi's SDK alone, which every program loads,
 * comes first: the last column is what the median of an entry adds to it.
 *
 *     npm run entries -- [--runs <number>] [entry …]
 *
 * It measures dist: `npm run build` comes before.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const sdk = "@pulumi/pulumi";
const own = join(root, "dist") + sep;

/** `core`, or `.` for the whole package. */
const all = Object.keys(exports)
  .map((key) => (key === "." ? key : key.slice(2)))
  .filter((key) => !key.includes("*") && key !== "package.json");

const { runs, chosen } = readArguments(process.argv.slice(2));
const floors = [sdk, "@pulumi/kubernetes"];
const measured = [...floors, ...chosen.map((entry) => (entry === "." ? name : `${name}/${entry}`))];
const found = new Map(measured.map((entry) => [entry, []]));
// In turns: what else the machine does meets all of them alike.
for (let run = 0; run < runs; run++) for (const entry of measured) found.get(entry).push(load(entry));

const floor = median(found.get(sdk).map(({ milliseconds }) => milliseconds));
console.log("| entry | files | own files | own KB | ms, least | ms, median | added ms |");
console.log("|---|---|---|---|---|---|---|");
for (const [entry, loads] of found) {
  const [{ bytes }] = loads;
  const ours = Object.entries(bytes).filter(([file]) => file.startsWith(own));
  const times = loads.map(({ milliseconds }) => milliseconds);
  const cells = [
    `\`${entry}\``,
    Object.keys(bytes).length,
    ours.length,
    Math.round(ours.reduce((sum, [, size]) => sum + size, 0) / 1024),
    Math.round(Math.min(...times)),
    Math.round(median(times)),
    entry === sdk ? "" : Math.round(median(times) - floor),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** In a process of its own, without what the environment would have it load before. */
function load(entry) {
  const script = join(root, "tools", "loaded.mjs");
  const env = { ...process.env, NODE_OPTIONS: "" };
  return JSON.parse(execFileSync(process.execPath, [script, entry], { cwd: root, env, encoding: "utf8" }));
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function readArguments(args) {
  const rest = [...args];
  const at = rest.indexOf("--runs");
  const [, text = "9"] = at === -1 ? [] : rest.splice(at, 2);
  const count = Number(text);
  const unknown = rest.filter((entry) => !all.includes(entry));
  if (!Number.isInteger(count) || count < 1 || unknown.length > 0) {
    console.error(
      unknown.length > 0
        ? `${name} has no entry ${unknown.join(", ")}: it has ${all.join(", ")}`
        : `--runs is ${JSON.stringify(text)}: it has to be a number from 1 on`,
    );
    process.exit(2);
  }
  return { runs: count, chosen: rest.length > 0 ? rest : all };
}
