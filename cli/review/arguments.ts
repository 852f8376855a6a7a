import { parseArgs } from "node:util";
import { errorText } from "../../provider/dynamic/error-text";
import { UsageError } from "../usage-error";
import { categories, type Category } from "./finding";

/** Where the preview comes from. */
export type PreviewSource =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "input" }
  /** It is run, with these arguments beside its own. */
  | { readonly kind: "run"; readonly args: readonly string[] };

/** What the command line asks for. */
export interface ReviewArguments {
  readonly help: false;
  readonly source: PreviewSource;
  readonly failOn: readonly Category[];
  /** Buckets, deployments and accounts, by their names at the driver, of which a finding is meant. */
  readonly allow: readonly string[];
  readonly json: boolean;
}

const flags = {
  "fail-on": { type: "string", multiple: true },
  allow: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Reads the command line of `pulumi-cosi review`. What follows `--` is for `pulumi preview`. @throws UsageError */
export function readReviewArguments(args: readonly string[]): ReviewArguments | { readonly help: true } {
  const at = args.indexOf("--");
  const own = at === -1 ? args : args.slice(0, at);
  const { values, positionals } = parsed(own);
  if (values.help) return { help: true };
  const [file, second] = positionals;
  if (second !== undefined) {
    throw new UsageError(`${JSON.stringify(second)} is a second file: a review is of one preview`);
  }
  if (file !== undefined && at !== -1) {
    throw new UsageError("both a file and arguments for pulumi preview are given: leave one of them out");
  }
  return {
    help: false,
    source: sourceOf(file, at === -1 ? [] : args.slice(at + 1)),
    failOn: (values["fail-on"] ?? []).flatMap((list) => list.split(",")).map(category),
    allow: (values.allow ?? []).flatMap((list) => list.split(/[\s,]+/)).filter((name) => name !== ""),
    json: values.json,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}

function sourceOf(file: string | undefined, args: readonly string[]): PreviewSource {
  if (file === undefined) return { kind: "run", args };
  return file === "-" ? { kind: "input" } : { kind: "file", file };
}

function category(text: string): Category {
  const known = categories.find((each) => each === text.trim());
  if (known !== undefined) return known;
  throw new UsageError(
    `--fail-on has ${JSON.stringify(text)}, and the categories are: ${categories.join(", ")}`,
  );
}
