import { parseArgs } from "node:util";

/** With the checkpoints that the file backend writes after each step, without, or both. */
export type Checkpoints = "with" | "without" | "both";

/** How the benchmark is run. */
export interface BenchArguments {
  /** Numbers of claims. */
  readonly sizes: readonly number[];
  /** @returns what is measured at a size. */
  readonly checkpoints: (n: number) => Checkpoints;
  /** Cycles of each program at a size. */
  readonly repeats: (n: number) => number;
  /** Where the figures are written. */
  readonly results: string;
  /** Tell where the time of an `up` goes, instead of measuring. */
  readonly profile: boolean;
}

export const usage = `usage: npm run bench -- [options]
  --n N              number of claims; may be repeated (10, 100, 500, 1000)
  --checkpoints C    with, without or both (both up to 100 claims, without them above: their cost grows with the square)
  --repeats R        cycles of each program at each size (3 up to 10 claims, else 1)
  --results FILE     where the figures are written (bench/results/latest.json)
  --profile          tells where the CPU time of an up without checkpoints goes, by process and package, and measures nothing`;

/** Sizes up to which a cycle with checkpoints takes minutes, and one takes seconds. */
const [largestWithCheckpoints, largestRepeated] = [100, 10];

/**
 * Reads the command line.
 *
 * @throws Error for an option that is unknown or has no such value.
 */
export function benchArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      n: { type: "string", multiple: true, default: ["10", "100", "500", "1000"] },
      checkpoints: { type: "string" },
      repeats: { type: "string" },
      results: { type: "string", default: "bench/results/latest.json" },
      profile: { type: "boolean", default: false },
    },
  });
  const given = values.checkpoints;
  const checkpoints = given === undefined ? undefined : checkpointsOf(given);
  const repeats = values.repeats === undefined ? undefined : count("repeats", values.repeats);
  return {
    sizes: values.n.map((text) => count("n", text)),
    checkpoints: (n) => checkpoints ?? (n <= largestWithCheckpoints ? "both" : "without"),
    repeats: (n) => repeats ?? (n <= largestRepeated ? 3 : 1),
    results: values.results,
    profile: values.profile,
  };
}

function checkpointsOf(text: string): Checkpoints {
  if (text === "with" || text === "without" || text === "both") return text;
  throw new Error(`--checkpoints ${text}: give with, without or both`);
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} ${text}: give a whole number from 1 on`);
  return Number(text);
}
