/**
 * Loads one entry of the package, as a program in the working directory would, and says as JSON what that took. It is for
 * a process of its own, where nothing is loaded yet. The time is that of the processor, to which nothing adds that the
 * machine does beside it.
 */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [entry] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), "program.js"));
const before = process.cpuUsage();
require(entry);
const { user, system } = process.cpuUsage(before);
const bytes = Object.fromEntries(Object.keys(require.cache).map((file) => [file, statSync(file).size]));
process.stdout.write(JSON.stringify({ milliseconds: (user + system) / 1000, bytes }));
