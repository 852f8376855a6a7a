import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder outside the repository that keeps what is made once per machine: the tools, and the record of running
 * processes.
 *
 * @param environment - `PULUMI_COSI_CACHE` names it; else it is `pulumi-cosi` in `XDG_CACHE_HOME`, else in `~/.cache`
 * (XDG Base Directory Specification).
 */
export function cacheFolder(environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const { PULUMI_COSI_CACHE: own, XDG_CACHE_HOME: caches } = environment;
  if (own !== undefined && own !== "") return own;
  return join(caches === undefined || caches === "" ? join(homedir(), ".cache") : caches, "pulumi-cosi");
}
