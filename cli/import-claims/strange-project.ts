import * as fs from "node:fs";
import * as path from "node:path";
import { isRecord } from "../../provider/dynamic/values";

/**
 * What is in the way of a program, where a folder has files of a project already: each would keep Pulumi from running it.
 *
 * @param program What `index.ts` has to be.
 */
export function strangersIn(folder: string, program: string): string[] {
  const judged: readonly (readonly [string, (text: string) => string | undefined])[] = [
    ["index.ts", (text) => (text === program ? undefined : "is another program")],
    ["Pulumi.yaml", projectFault],
    ["package.json", manifestFault],
  ];
  return judged.flatMap(([name, faultOf]) => {
    const text = textIn(path.join(folder, name));
    const fault = text === null ? "cannot be read" : text === undefined ? undefined : faultOf(text);
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
}

/** True for a link that leads nowhere too; false where nothing can be. */
export function isThere(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** @returns `undefined` where there is none, `null` where it cannot be read, as a link that leads nowhere. */
function textIn(file: string): string | null | undefined {
  if (!isThere(file)) return undefined;
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function projectFault(text: string): string | undefined {
  if (!/\bruntime["']?\s*:\s*(?:\{?\s*["']?name["']?\s*:\s*)?["']?nodejs\b/.test(text)) {
    return "is of another runtime than nodejs";
  }
  return /^main\s*:(?!\s*(?:\.\/?|["']\.\/?["'])\s*$)/m.test(text)
    ? "has its program elsewhere (main)"
    : undefined;
}

function manifestFault(text: string): string | undefined {
  const manifest = parsed(text);
  const { main, dependencies, devDependencies } = manifest;
  if (main !== undefined && (typeof main !== "string" || path.normalize(main) !== "index.ts")) {
    return `has its program elsewhere (main: ${JSON.stringify(main)})`;
  }
  const known = {
    ...(isRecord(devDependencies) ? devDependencies : {}),
    ...(isRecord(dependencies) ? dependencies : {}),
  };
  return known["pulumi-cosi"] === undefined ? "has no dependency pulumi-cosi" : undefined;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
