import * as fs from "node:fs";
import { errorText } from "../../provider/dynamic/error-text";
import type { Command, Terminal } from "../command";
import { exitCodes } from "../exit-codes";
import { UsageError } from "../usage-error";
import { printable } from "../printable";
import { withoutAllowed } from "./allowed";
import { readReviewArguments, type PreviewSource } from "./arguments";
import { categories } from "./finding";
import { markdownOf } from "./markdown";
import { PreviewError, readPreview, type PlannedStep } from "./preview";
import { review } from "./review";
import { runPreview } from "./run-preview";

const help = `pulumi-cosi review: what a preview does to data, credentials and access, in the order of what matters

  pulumi-cosi review                              runs pulumi preview --json in this folder
  pulumi-cosi review -- --stack prod --refresh    the same, with arguments for pulumi preview
  pulumi-cosi review preview.json                 reads what pulumi preview --json has written
  pulumi preview --json --show-replacement-steps --show-sames | pulumi-cosi review -

Without --show-replacement-steps Pulumi leaves out what leaves the program in the change that replaces what it hangs on, and
what an earlier run has left to be deleted, data too. Without --show-sames it leaves out what stays as it is: a bucket that such
a resource has is then said to be deleted with another one, and an option that is taken away from it is not told.

It writes Markdown, for a comment on a pull request. It needs neither a driver nor a cluster, and prints no secret.

  --fail-on <category,…>   exit code 1 if there is any of them; may be repeated
  --allow <name,…>         buckets, deployments and accounts, by their names at the driver, of which --fail-on lets all pass:
                           what is said of them is meant. A name that means several needs its driver, <name>@<driver>, or
                           the category, <category>:<name>
  --json                   for programs
  -h, --help

Categories: ${categories.join(", ")}

Exit code: 0 nothing of --fail-on; 1 something of it; 2 wrong command line; 3 there is no preview to read, it failed, or it
does something to a resource of this package of which nobody can say what that is.
`;

/** `pulumi-cosi review`. */
export const reviewCommand: Command = {
  name: "review",
  summary: "say what a preview does to data, credentials and access",
  help,
  run: async (args, terminal) => {
    const asked = readReviewArguments(args);
    if (asked.help) {
      terminal.out(help);
      return exitCodes.ok;
    }
    const { source, failOn, allow, json } = asked;
    try {
      const steps = await stepsOf(source, terminal);
      const found = review(steps);
      if (source.kind !== "run" && !showsWhatStays(steps)) terminal.err(leftOutNote);
      terminal.out(json ? `${JSON.stringify(found, undefined, 2)}\n` : markdownOf(found));
      const hits = found.findings.filter(({ category }) => failOn.includes(category));
      const { left, problems } = withoutAllowed(hits, allow);
      for (const problem of problems) terminal.err(`pulumi-cosi review: ${printable(problem)}\n`);
      return left.length > 0 ? exitCodes.found : exitCodes.ok;
    } catch (error) {
      if (!(error instanceof PreviewError)) throw error;
      terminal.err(`pulumi-cosi review: ${printable(error.message)}\n`);
      return exitCodes.cannotRun;
    }
  },
};

/** A preview without these options cannot be told from one that has nothing to show by them. */
const leftOutNote =
  "pulumi-cosi review: the preview has nothing that stays as it is. Unless it was made with --show-replacement-steps and " +
  "--show-sames, it also leaves out what an earlier run has left to be deleted, and options that are taken away\n";

function showsWhatStays(steps: readonly PlannedStep[]): boolean {
  return steps.some(({ op, type }) => op === "same" && !type.startsWith("pulumi:"));
}

async function stepsOf(source: PreviewSource, terminal: Terminal): Promise<PlannedStep[]> {
  switch (source.kind) {
    case "run":
      return readPreview(await runPreview(source.args, terminal), "the output of pulumi preview");
    case "input":
      if (terminal.input === undefined) {
        throw new UsageError(
          "nothing is piped in: pulumi preview --json --show-replacement-steps --show-sames | pulumi-cosi review -",
        );
      }
      return readPreview(await terminal.input(), "the input");
    case "file":
      return readPreview(fileText(source.file), source.file);
  }
}

function fileText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new PreviewError(`${file} cannot be read: ${errorText(error)}`);
  }
}
