import { platformOf } from "./release/platform";
import type { ReleaseCache } from "./release/release-cache";
import type { ToolCache } from "./tool-cache";
import type { ToolSource } from "./tool-source";

/** The tools that an earlier run has put into the project's cache folder: the release rather than what was built. */
export function cacheSource(cache: ToolCache, releases: ReleaseCache): ToolSource {
  const platform = platformOf(process.platform, process.arch);
  return {
    label: "cache",
    description: `the cache folder ${cache.folder}`,
    find: async (tool) => {
      const release = platform === undefined ? undefined : tool.release(platform);
      if (release !== undefined && !("absent" in release)) {
        const path = await releases.find(release, tool.name);
        if (path !== undefined) return { path, version: release.version };
      }
      const path = await cache.find(tool);
      return path === undefined ? { reason: "not there yet" } : { path, version: tool.version };
    },
  };
}
