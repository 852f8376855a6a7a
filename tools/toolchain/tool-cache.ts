import { chmod } from "node:fs/promises";
import { dirname, join } from "node:path";

import { contentHash } from "../setup/content-hash.mjs";
import { addEntry } from "./cache-entry";
import type { Tool } from "./tool";
import type { Report } from "./tool-source";
import { isExecutable } from "./user-source";

/** The environment of a `go build` beside the user's own: it decides what comes out. */
export const goBuildEnvironment = {
  CGO_ENABLED: "0",
  GOFLAGS: "-buildvcs=false",
  GOWORK: "off",
  GOOS: undefined,
  GOARCH: undefined,
} as const;

/**
 * The built tools of this machine: `tools/<name>/<version>-<hash>/<name>` in the cache folder. The hash is of all that
 * decides what is built, so a changed go.sum or flag is another entry. An entry is there only when it is complete.
 */
export class ToolCache {
  /**
   * @param folder - The project's cache folder.
   * @param modules - The folder of the Go modules, tools/go.
   */
  constructor(
    readonly folder: string,
    readonly modules: string,
  ) {}

  /** The path that the tool has once it is there. */
  async pathOf(tool: Tool): Promise<string> {
    return join(await this.#entry(tool), tool.name);
  }

  /** The path of the tool when it is there. */
  async find(tool: Tool): Promise<string | undefined> {
    const path = await this.pathOf(tool);
    return (await isExecutable(path)) ? path : undefined;
  }

  /**
   * Makes the entry of a tool, unless it is there by then: another run that does the same is waited for.
   *
   * @param make - Puts the program, named as the tool, into the folder that it is given. What it leaves there when it
   * throws or is killed is removed and never used.
   * @returns the path of the tool.
   */
  async add(tool: Tool, make: (folder: string) => Promise<void>, report: Report): Promise<string> {
    return addEntry(await this.#entry(tool), {
      find: () => this.find(tool),
      make: async (folder) => {
        await make(folder);
        // Whatever the umask of this process is.
        await chmod(join(folder, tool.name), 0o755);
      },
      onWait: (pid) => {
        report(`waiting for another run (pid ${pid}) that provides ${tool.name}`);
      },
    });
  }

  async #entry(tool: Tool): Promise<string> {
    const hash = await contentHash(
      dirname(join(this.modules, tool.go.module)),
      [tool.go.module],
      [
        tool.version,
        tool.go.package,
        tool.go.ldflags,
        JSON.stringify(tool.go.embedded ?? null),
        JSON.stringify(goBuildEnvironment),
        process.platform,
        process.arch,
      ],
    );
    return join(this.folder, "tools", tool.name, `${tool.version}-${hash}`);
  }
}
