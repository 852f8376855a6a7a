import { parseArgs } from "node:util";
import { errorText } from "../../provider/dynamic/error-text";
import { UsageError } from "../usage-error";

/** Where state or preview come from. */
export type GraphSource =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "input" }
  /** `pulumi stack export` is run, with these arguments beside its own. */
  | { readonly kind: "run"; readonly args: readonly string[] };

export const formats = ["mermaid", "svg"] as const;

/** What the command line asks for. */
export interface GraphArguments {
  readonly help: false;
  readonly source: GraphSource;
  readonly format: (typeof formats)[number];
  /** File to write; standard output without. */
  readonly out: string | undefined;
  readonly order: boolean;
  readonly all: boolean;
}

const flags = {
  format: { type: "string", default: "mermaid" },
  out: { type: "string" },
  order: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Reads the command line of `pulumi-cosi graph`. What follows `--` is for `pulumi stack export`. @throws UsageError */
export function readGraphArguments(args: readonly string[]): GraphArguments | { readonly help: true } {
  const at = args.indexOf("--");
  const { values, positionals } = parsed(at === -1 ? args : args.slice(0, at));
  if (values.help) return { help: true };
  const [file, second] = positionals;
  if (second !== undefined) {
    throw new UsageError(`${JSON.stringify(second)} is a second file: a picture is of one state or preview`);
  }
  if (file !== undefined && at !== -1) {
    throw new UsageError(
      "both a file and arguments for pulumi stack export are given: leave one of them out",
    );
  }
  const format = formats.find((each) => each === values.format);
  if (format === undefined) {
    throw new UsageError(
      `--format is ${JSON.stringify(values.format)}, and there are: ${formats.join(", ")}`,
    );
  }
  const { out, order, all } = values;
  return {
    help: false,
    source: sourceOf(file, at === -1 ? [] : args.slice(at + 1)),
    format,
    out,
    order,
    all,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}

function sourceOf(file: string | undefined, args: readonly string[]): GraphSource {
  if (file === undefined) return { kind: "run", args };
  return file === "-" ? { kind: "input" } : { kind: "file", file };
}
