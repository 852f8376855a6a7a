import { createHash } from "node:crypto";
import { join } from "node:path";

import { addEntry } from "../cache-entry";
import type { Report } from "../tool-source";
import { isExecutable } from "../user-source";
import type { Release } from "./release";

/**
 * The unpacked releases of this machine: `releases/<program>-<version>-<hash>/` in the cache folder, with all programs of
 * one release file. The hash is of the recipe. An entry is there only when it is complete and checked.
 */
export class ReleaseCache {
  /**
   * @param folder - The project's cache folder.
   */
  constructor(readonly folder: string) {}

  /** The path of a program when it is there. */
  async find(release: Release, program: string): Promise<string | undefined> {
    const path = join(this.#entry(release), program);
    return (await isExecutable(path)) ? path : undefined;
  }

  /**
   * Makes the entry of a release, unless it is there by then: another run that does the same is waited for.
   *
   * @param make - Puts the programs into the folder that it is given. What it leaves there when it throws or is killed is
   * removed and never used. Its second argument is a path for a download, which outlives a failure; no other run uses it
   * meanwhile.
   * @returns the path of the program.
   */
  async add(
    release: Release,
    program: string,
    make: (folder: string, download: string) => Promise<void>,
    report: Report,
  ): Promise<string> {
    const entry = this.#entry(release);
    return addEntry(entry, {
      find: () => this.find(release, program),
      make: (folder) => make(folder, `${entry}.download`),
      onWait: (pid) => {
        report(`waiting for another run (pid ${pid}) that downloads ${program}`);
      },
    });
  }

  #entry(release: Release): string {
    const hash = createHash("sha256").update(JSON.stringify(release)).digest("hex").slice(0, 16);
    const [program = ""] = Object.keys(release.programs);
    return join(this.folder, "releases", `${program}-${release.version}-${hash}`);
  }
}
