import * as fs from "node:fs";
import * as path from "node:path";

/** A profile as the inspector of V8 writes it, as far as it is read here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Seconds of CPU that a process spent in the code of a package, by its name. */
export type ByPackage = Readonly<Record<string, number>>;

/** Adds up the profiles of a role (`host` or `program`) in a folder. Waiting is left out. */
export function summarise(folder: string, role: string): ByPackage {
  const seconds: Record<string, number> = {};
  for (const file of fs.readdirSync(folder)) {
    if (!file.startsWith(`${role}-`)) continue;
    const profile = JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as Profile;
    const owners = new Map(profile.nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]));
    profile.samples.forEach((id, index) => {
      const owner = owners.get(id) ?? "other";
      seconds[owner] = (seconds[owner] ?? 0) + (profile.timeDeltas[index] ?? 0) / 1e6;
    });
  }
  delete seconds["(idle)"];
  return Object.fromEntries(Object.entries(seconds).sort(([, a], [, b]) => b - a));
}

function ownerOf({ functionName, url }: { functionName: string; url: string }): string {
  if (/^\((idle|garbage collector|program|root)\)$/.test(functionName)) return functionName;
  if (url.startsWith("node:") || url === "") return "node";
  const inModules = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules\/)/.exec(url)?.[1];
  return inModules ?? "pulumi-cosi";
}
