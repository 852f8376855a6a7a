import { resolve } from "node:path";

import { cacheFolder } from "./cache-folder";
import { cacheSource } from "./cache-source";
import { goBuildSource } from "./go-build-source";
import { provideFrom, type ProvidedTool } from "./provide-tool";
import { ReleaseCache } from "./release/release-cache";
import { releaseSource } from "./release-source";
import { ToolCache } from "./tool-cache";
import type { Report, ToolSource } from "./tool-source";
import { tools, type ToolName } from "./tools";
import { userSource } from "./user-source";

export { ToolUnavailableError, type ProvidedTool } from "./provide-tool";
export type { ToolName } from "./tools";

let sources: readonly ToolSource[] | undefined;

/** The same ones for all tools of a run: what one learns of a host holds for the next tool. */
function toolSources(): readonly ToolSource[] {
  if (sources === undefined) {
    const cache = new ToolCache(cacheFolder(), resolve(__dirname, "..", "go"));
    const releases = new ReleaseCache(cache.folder);
    sources = [
      userSource(process.env),
      cacheSource(cache, releases),
      releaseSource(releases, { environment: process.env }),
      goBuildSource(cache, process.env),
    ];
  }
  return sources;
}

const provided = new Map<ToolName, Promise<ProvidedTool>>();

/**
 * Provides a tool: the user's own when it is new enough, else the one in the cache, else the official release, else a
 * build with Go. The build takes minutes the first time on a machine; the set-up does it before the tests run.
 *
 * @param options.report - Takes a line when something takes long. @default silent
 * @throws ToolUnavailableError when it cannot be had in any of these ways.
 */
export function provideTool(
  name: ToolName,
  options: { readonly report?: Report } = {},
): Promise<ProvidedTool> {
  const known = provided.get(name);
  if (known !== undefined) return known;
  const tool = provideFrom(toolSources(), tools[name], options.report ?? (() => undefined));
  provided.set(name, tool);
  return tool;
}
