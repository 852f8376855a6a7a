/**
 * Tries far more cases than the tests have time for, random by a seed: see `arguments.ts`. Its report names what was tried
 * and how to repeat what failed; the exit code is 1 if anything did.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { errorText } from "../../provider/dynamic/error-text";
import { subjects } from "../../test/support/kills/subjects";
import { soakArguments, usage, type SoakArguments } from "./arguments";
import { parts } from "./parts";
import { reportText, type SoakReport } from "./report";

async function main({ parts: chosen, report, ...options }: SoakArguments): Promise<number> {
  console.log(`soak with seed ${options.seed}`);
  const reports: SoakReport[] = [];
  for (const [name, soak] of Object.entries(parts)) {
    if (!chosen.includes(name)) continue;
    for await (const each of soak({ ...options, tell: console.log })) {
      reports.push(each);
      // What is known stays, whatever becomes of the next one.
      fs.mkdirSync(path.dirname(report), { recursive: true });
      fs.writeFileSync(report, reportText(options.seed, reports));
    }
  }
  console.log(`\n${reportText(options.seed, reports)}\nwritten to ${report}`);
  return reports.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

function given(): SoakArguments | undefined {
  try {
    const models = subjects.map(({ name }) => name);
    return soakArguments(process.argv.slice(2), Object.keys(parts), models);
  } catch (error) {
    console.error(`${errorText(error)}\n${usage}`);
    return undefined;
  }
}

const options = given();
void (async () => {
  try {
    process.exit(options === undefined ? 2 : await main(options));
  } catch (error) {
    console.error(errorText(error));
    process.exit(1);
  }
})();
