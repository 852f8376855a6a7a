import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { Single } from "../measure/single";
import { figuresOf, type Measured, type RunFigures } from "./figures";
import { median } from "./median";

/** What one run of the benchmark has found: bench/results/latest.json. */
export interface Results {
  readonly date: string;
  readonly machine: { readonly cpus: number; readonly memoryGigabytes: number; readonly node: string };
  readonly runs: readonly RunFigures[];
  readonly start: {
    /** Median time to the first RPC of a program of one claim, in parts of that to the first create of a bare one. */
    readonly ratio: number;
    readonly seconds: readonly number[];
    readonly bareSeconds: readonly number[];
  };
  /** Cost of a claim at the largest size in parts of that at the smallest from 100 on, by the floor's own growth. */
  readonly growth: { readonly from: number; readonly to: number; readonly ratio: number } | null;
  /** Types of the resources of one claim with its access. */
  readonly resourceTypes: readonly string[];
  readonly raw: readonly Measured[];
}

/** Judges all that was measured. */
export function resultsOf(measured: readonly Measured[], single: Single): Results {
  const runs = measured.map((each) => figuresOf(each, single));
  return {
    date: new Date().toISOString(),
    machine: {
      cpus: os.cpus().length,
      memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
      node: process.version,
    },
    runs,
    start: {
      ratio: median(single.start) / median(single.bareStart),
      seconds: single.start,
      bareSeconds: single.bareStart,
    },
    growth: growthOf(runs),
    resourceTypes: single.types,
    raw: measured,
  };
}

/** Below 100 claims the start of the processes hides what a claim costs. */
function growthOf(runs: readonly RunFigures[]): Results["growth"] {
  const large = runs.filter(({ n, withoutCheckpoints }) => n >= 100 && withoutCheckpoints !== null);
  const [first, last] = [large[0], large.at(-1)];
  if (!first?.withoutCheckpoints || !last?.withoutCheckpoints || first === last) return null;
  const ratio = last.withoutCheckpoints.upRatio / first.withoutCheckpoints.upRatio;
  return { from: first.n, to: last.n, ratio };
}

/** Writes the figures. */
export function writeResults(file: string, results: Results): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(results, undefined, 1)}\n`);
}
