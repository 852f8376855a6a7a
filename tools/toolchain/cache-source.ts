import type { ToolCache } from "./tool-cache";
import type { ToolSource } from "./tool-source";

/** The tools that an earlier run has put into the project's cache folder. */
export function cacheSource(cache: ToolCache): ToolSource {
  return {
    label: "cache",
    description: `the cache folder ${cache.folder}`,
    find: async (tool) => {
      const path = await cache.find(tool);
      return path === undefined ? { reason: "not there yet" } : { path, version: tool.version };
    },
  };
}
