/** Draws the cost of a claim against the number of claims, from the figures of the benchmark. */
import * as fs from "node:fs";
import * as path from "node:path";
import { errorText } from "../../provider/dynamic/error-text";
import { commands, type Command } from "../measure/cycle";
import type { Pair } from "../measure/size";
import { median } from "./median";
import type { Results } from "./results";

const results = "bench/results/latest.json";
const picture = "docs/images/cost-per-claim.svg";

/** One point of the plot. */
interface Point {
  readonly n: number;
  readonly command: Command;
  readonly series: string;
  readonly milliseconds: number;
}

/** What a claim costs at each size, by command: ours and the floor's. */
export function pointsOf({ raw }: Pick<Results, "raw">): Point[] {
  return raw.flatMap(({ n, withCheckpoints, withoutCheckpoints }) => [
    ...pointsOfPairs(n, withoutCheckpoints, ""),
    ...pointsOfPairs(n, withCheckpoints, ", with checkpoints"),
  ]);
}

function pointsOfPairs(n: number, pairs: readonly Pair[], suffix: string): Point[] {
  if (pairs.length === 0) return [];
  return commands.flatMap((command) =>
    (["claims", "plain"] as const).map((program) => ({
      n,
      command,
      series: `${program === "claims" ? "pulumi-cosi" : "floor"}${suffix}`,
      milliseconds: (median(pairs.map((pair) => pair[program][command].wallSeconds)) * 1000) / n,
    })),
  );
}

async function draw(points: readonly Point[]): Promise<string> {
  // Both are ESM alone.
  const [{ compile }, { parse, View }] = await Promise.all([import("vega-lite"), import("vega")]);
  const { spec } = compile({
    data: { values: [...points] },
    mark: { type: "line", point: true },
    width: 170,
    height: 220,
    encoding: {
      column: { field: "command", type: "nominal", title: null, sort: [...commands] },
      x: { field: "n", type: "quantitative", scale: { type: "log" }, title: "claims" },
      y: {
        field: "milliseconds",
        type: "quantitative",
        scale: { type: "log" },
        title: "milliseconds per claim",
      },
      color: { field: "series", type: "nominal", title: null, legend: { orient: "bottom" } },
    },
    config: { background: "white" },
  });
  return new View(parse(spec), { renderer: "none" }).toSVG();
}

async function main(): Promise<void> {
  const known = JSON.parse(fs.readFileSync(results, "utf8")) as Results;
  fs.mkdirSync(path.dirname(picture), { recursive: true });
  fs.writeFileSync(picture, `${await draw(pointsOf(known))}\n`);
  console.log(`written to ${picture}`);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(errorText(error));
    process.exitCode = 1;
  });
}
