/** Measures what the package adds to what Pulumi and a driver cost anyway: see `arguments.ts` and docs/performance.md. */
import { errorText } from "../provider/dynamic/error-text";
import { Cluster } from "../test/support/end-to-end/cluster";
import { benchArguments, usage, type BenchArguments } from "./arguments";
import type { Parts } from "./measure/cycle";
import { measureSingle, type Single } from "./measure/single";
import { measurePair, type Pair } from "./measure/size";
import { ApiReader } from "./parts/api-reader";
import { DriverProcess } from "./parts/driver-process";
import { profileOf } from "./profile/profile";
import type { Measured } from "./report/figures";
import { resultsOf, writeResults } from "./report/results";
import { tableOf } from "./report/table";

/** The size at which calls fail, as one in ten of them does on a bad day. */
const [faultsFrom, failing] = [100, 0.1];

async function main(options: BenchArguments): Promise<void> {
  const cluster = await Cluster.start({ controllerManager: false });
  const driver = await DriverProcess.start();
  try {
    const namespace = "bench";
    await cluster.installDefinitions();
    await cluster.createNamespace(namespace);
    const { kubeconfig } = cluster.plane;
    const parts = { kubeconfig, api: new ApiReader(kubeconfig), driver, namespace };
    if (options.profile) {
      for (const n of options.sizes) console.log(`\n${await profileOf(parts, n)}`);
      return;
    }
    console.log("start-up, and what one claim is made of");
    const single = await measureSingle(parts);
    const measured: Measured[] = [];
    for (const n of options.sizes) {
      measured.push(await measureSize(parts, single, n, options));
      // What is known stays, whatever becomes of the next size.
      writeResults(options.results, resultsOf(measured, single));
    }
    console.log(`\n${tableOf(resultsOf(measured, single))}\n\nwritten to ${options.results}`);
  } finally {
    await driver.stop();
    await cluster.stop();
  }
}

async function measureSize(
  parts: Parts,
  { shape }: Single,
  n: number,
  options: BenchArguments,
): Promise<Measured> {
  const pairs = async (title: string, times: number, checkpoints: boolean, failed = 0): Promise<Pair[]> => {
    const found: Pair[] = [];
    for (let index = 0; index < times; index += 1) {
      console.log(`${n} claims, ${title}`);
      found.push(await measurePair(parts, { n, shape, checkpoints, failing: failed }));
    }
    return found;
  };
  const asked = options.checkpoints(n);
  const repeats = options.repeats(n);
  return {
    n,
    withCheckpoints: asked === "without" ? [] : await pairs("with checkpoints", repeats, true),
    withoutCheckpoints: asked === "with" ? [] : await pairs("without checkpoints", repeats, false),
    withFaults:
      n === faultsFrom && asked !== "with"
        ? await pairs("without checkpoints, every tenth call failing once", repeats, false, failing)
        : [],
  };
}

function given(): BenchArguments | undefined {
  try {
    return benchArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${errorText(error)}\n${usage}`);
    return undefined;
  }
}

const options = given();
void (async () => {
  try {
    if (options !== undefined) await main(options);
    process.exit(options === undefined ? 2 : 0);
  } catch (error) {
    console.error(errorText(error));
    process.exit(1);
  }
})();
