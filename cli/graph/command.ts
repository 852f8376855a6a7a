import * as fs from "node:fs";
import { errorText } from "../../provider/dynamic/error-text";
import type { Command, Terminal } from "../command";
import { exitCodes } from "../exit-codes";
import { printable } from "../printable";
import { PreviewError } from "../review/preview";
import { UsageError } from "../usage-error";
import { readGraphArguments, type GraphArguments, type GraphSource } from "./arguments";
import { lifeCycleOf } from "./build-life-cycle";
import { lifeCyclePicture } from "./life-cycle-picture";
import { mermaidOf } from "./mermaid";
import { orderPicture } from "./order-picture";
import type { Picture } from "./picture";
import { readResources } from "./read-resources";
import { GraphInputError, type GraphResource } from "./resource";
import { runExport } from "./run-export";
import { foldAlike } from "./shapes";
import { svgOf } from "./svg";

const help = `pulumi-cosi graph: the life cycle of a stack as a picture

  pulumi-cosi graph                            runs pulumi stack export in this folder
  pulumi-cosi graph -- --stack prod            the same, with arguments for pulumi stack export
  pulumi-cosi graph state.json                 reads what pulumi stack export has written
  pulumi preview --json --show-sames | pulumi-cosi graph -
                                               what will be, and what is created, replaced and deleted for it

It shows drivers, classes, claims, buckets, accesses, Secrets and the workloads that need them, and what a destroy does
to each, numbered in its order. It needs neither a driver nor a cluster, and shows no secret. Without --show-sames a
preview leaves out what stays as it is; so does the picture, and no order of a destroy can be told.

  --format mermaid|svg   default: mermaid
  --out <file>           default: standard output
  --order                the steps of a destroy alone
  --all                  shows each; else of four or more that are alike but for their names one stands for all
  -h, --help

Exit code: 0 done; 2 wrong command line; 3 there is no state or preview to read, or the file cannot be written.
`;

/** `pulumi-cosi graph`. */
export const graphCommand: Command = {
  name: "graph",
  summary: "draw claims, buckets, accesses and Secrets, and the order of a destroy",
  help,
  run: async (args, terminal) => {
    const asked = readGraphArguments(args);
    if (asked.help) {
      terminal.out(help);
      return exitCodes.ok;
    }
    try {
      const picture = pictureOf(await resourcesOf(asked.source, terminal), asked);
      const text = asked.format === "svg" ? svgOf(picture) : mermaidOf(picture);
      if (asked.out === undefined) terminal.out(text);
      else writeFile(asked.out, text);
      return exitCodes.ok;
    } catch (error) {
      if (!(error instanceof GraphInputError || error instanceof PreviewError)) throw error;
      terminal.err(`pulumi-cosi graph: ${printable(error.message)}\n`);
      return exitCodes.cannotRun;
    }
  },
};

function pictureOf(
  resources: readonly GraphResource[],
  { order, all }: Pick<GraphArguments, "order" | "all">,
): Picture {
  const cycle = lifeCycleOf(resources);
  if (cycle.nodes.length === 0) {
    throw new GraphInputError("it has nothing of this package: no driver, claim, bucket or access");
  }
  if (!order) return lifeCyclePicture(all ? { ...cycle, more: new Map() } : foldAlike(cycle));
  if (cycle.nodes.every(({ ending }) => ending === undefined)) {
    throw new GraphInputError(
      "the preview leaves out what stays as it is, so the order of a destroy cannot be shown: run pulumi preview --json --show-sames",
    );
  }
  return orderPicture(cycle, all);
}

async function resourcesOf(source: GraphSource, terminal: Terminal): Promise<GraphResource[]> {
  switch (source.kind) {
    case "run":
      return readResources(await runExport(source.args, terminal), "the output of pulumi stack export");
    case "input":
      if (terminal.input === undefined) {
        throw new UsageError("nothing is piped in: pulumi stack export | pulumi-cosi graph -");
      }
      return readResources(await terminal.input(), "the input");
    case "file":
      return readResources(readFile(source.file), source.file);
  }
}

function readFile(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new GraphInputError(`${file} cannot be read: ${errorText(error)}`);
  }
}

function writeFile(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text);
  } catch (error) {
    throw new GraphInputError(`${file} cannot be written: ${errorText(error)}`);
  }
}
