import * as fs from "node:fs";
import * as path from "node:path";
import { gzipSync } from "node:zlib";
import type { ExportedResource, Stack } from "../../tools/local/stack";

/** A state as the file backend keeps it. */
export interface StateSize {
  /** Of the file. */
  readonly bytes: number;
  /** Of the file as it is with `PULUMI_DIY_BACKEND_GZIP`. */
  readonly gzipBytes: number;
  readonly resources: readonly ExportedResource[];
  /** Of the longest `__provider`: what each dynamic resource carries of its code. */
  readonly providerBytes: number;
}

/** Looks at the state of a stack. */
export async function stateSize(stack: Stack): Promise<StateSize> {
  const { resources } = await stack.state();
  const texts = resources
    .map(({ inputs }) => inputs?.["__provider"])
    .filter((text) => typeof text === "string");
  const file = fs.readFileSync(stateFile(stack));
  return {
    bytes: file.length,
    gzipBytes: gzipSync(file).length,
    resources,
    providerBytes: Math.max(0, ...texts.map((text) => Buffer.byteLength(text))),
  };
}

/** The one checkpoint below the backend's folder; its backup ends with `.bak`. */
function stateFile({ environment }: Stack): string {
  const folder = path.join(environment.backend, ".pulumi", "stacks");
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  const file = files.find((name) => name.endsWith(".json"));
  if (file === undefined) throw new Error(`there is no state in ${folder}: ${files.join(", ")}`);
  return path.join(folder, file);
}
