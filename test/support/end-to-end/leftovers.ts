import * as fs from "node:fs";
import { createRunFolder } from "../../../tools/local/run-folder";

/** A process, and the command line that it was started with. */
export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
  /** It was started as a driver, with a socket below the folder. */
  readonly isDriver: boolean;
}

/**
 * A temporary folder of a test's own. It tells the processes that the test's commands start, and the folders that
 * they make, from those of everybody else on the machine.
 */
export class OwnTemporaryFolder {
  /** For the environment of the commands. */
  readonly variables: Readonly<Record<string, string>>;

  private constructor(
    readonly path: string,
    readonly remove: () => Promise<void>,
  ) {
    this.variables = { TMPDIR: path };
  }

  static async create(): Promise<OwnTemporaryFolder> {
    const { path, remove } = await createRunFolder("e2e");
    return new OwnTemporaryFolder(path, remove);
  }

  /** Every process that was started with this folder in its environment, whoever is its parent by now. */
  processes(): FoundProcess[] {
    const found: FoundProcess[] = [];
    for (const entry of fs.readdirSync("/proc")) {
      const pid = Number(entry);
      if (!Number.isInteger(pid)) continue;
      try {
        const environment = fs.readFileSync(`/proc/${entry}/environ`, "utf8").split("\0");
        if (!environment.includes(`TMPDIR=${this.path}`)) continue;
        const command = fs.readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        const sockets = ["COSI", "Deployment"].map((prefix) => `${prefix}_ENDPOINT=unix://${this.path}/`);
        const isDriver = environment.some((variable) =>
          sockets.some((socket) => variable.startsWith(socket)),
        );
        found.push({ pid, command, isDriver });
      } catch {
        // It has ended meanwhile, or is another user's.
      }
    }
    return found;
  }

  /** Folders of sockets that the package made for the drivers it started. */
  socketFolders(): string[] {
    return fs.readdirSync(this.path).filter((name) => name.startsWith("cosi-"));
  }

  /** Every file below the folder, as text by path. */
  files(): Record<string, string> {
    const entries = fs.readdirSync(this.path, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`);
    return Object.fromEntries(files.map((file) => [file, fs.readFileSync(file, "latin1")]));
  }

  /** Runs something, and collects the processes that were seen meanwhile. */
  async watch<Result>(action: () => Promise<Result>): Promise<{ result: Result; seen: FoundProcess[] }> {
    const seen = new Map<number, FoundProcess>();
    // A process is another one after its `exec`, with the same id.
    const look = (): void => {
      for (const found of this.processes()) seen.set(found.pid, found);
    };
    const timer = setInterval(look, 100);
    try {
      return { result: await action(), seen: [...seen.values()] };
    } finally {
      clearInterval(timer);
    }
  }
}
