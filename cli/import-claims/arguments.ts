import { parseArgs } from "node:util";
import { parseEndpoint } from "../../provider/driver/connect/endpoint";
import { errorText } from "../../provider/dynamic/error-text";
import { UsageError } from "../usage-error";

/** The driver that the program will call. */
export interface ImportedDriver {
  readonly endpoint: string;
  /** For a driver on the network; what Node.js trusts is enough. */
  readonly tls?: Readonly<Record<string, never>>;
  readonly driverName?: string;
}

/** What the command line asks for. */
export interface ImportArguments {
  readonly help: false;
  /** File with the claims. @default what is piped in */
  readonly file: string | undefined;
  readonly objectBuckets: string | undefined;
  readonly storageClasses: string | undefined;
  /** Names of the classes whose claims are wanted; empty for all. */
  readonly classes: readonly string[];
  readonly driver: ImportedDriver;
  readonly folder: string;
}

const flags = {
  endpoint: { type: "string" },
  "driver-name": { type: "string" },
  out: { type: "string" },
  "object-buckets": { type: "string" },
  "storage-classes": { type: "string" },
  class: { type: "string", multiple: true },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Reads the command line of `pulumi-cosi import-claims`. @throws UsageError */
export function readImportArguments(args: readonly string[]): ImportArguments | { readonly help: true } {
  const { values, positionals } = parsed(args);
  if (values.help) return { help: true };
  const [file, ...more] = positionals;
  const [second] = more;
  if (second !== undefined) {
    throw new UsageError(
      `${JSON.stringify(second)} is a second file: the claims come from one file; give other lists with --object-buckets and --storage-classes`,
    );
  }
  const { out = "" } = values;
  if (out === "")
    throw new UsageError("no folder is given for the program: write --out <folder>, such as --out claims");
  return {
    help: false,
    file: file === "-" ? undefined : file,
    objectBuckets: values["object-buckets"],
    storageClasses: values["storage-classes"],
    classes: values.class ?? [],
    driver: driverOf(values.endpoint, values["driver-name"]),
    folder: out,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}

function driverOf(address: string | undefined, driverName: string | undefined): ImportedDriver {
  if (address === undefined) {
    throw new UsageError(
      "no driver is given for the program to reach the store: write --endpoint unix:///path/driver.sock",
    );
  }
  try {
    const { kind } = parseEndpoint(address);
    return {
      endpoint: address,
      ...(kind === "network" ? { tls: {} } : {}),
      ...(driverName === undefined ? {} : { driverName }),
    };
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}
