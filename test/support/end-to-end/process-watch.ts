import * as fs from "node:fs";
import * as path from "node:path";

/** What a process is to the package: a driver that it started, what stands between, or Pulumi's own. */
export type ProcessRole = "driver" | "supervisor" | "pulumi";

/** A process of a run, as it was seen while it ran. */
export interface SeenProcess {
  readonly role: ProcessRole;
  /** Arguments, separated by blanks. */
  readonly command: string;
  /** `NAME=value` each. */
  readonly environment: readonly string[];
}

/** A file, or a folder, that the package made in the run's temporary folder. */
export interface SeenEntry {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** In milliseconds. */
const interval = 150;
/** In bytes; a larger one is a program or an archive. */
const largestFile = 1024 * 1024;
/** Prefix of the folders that the package makes. */
const ownPrefix = "cosi-";

/** Looks, while commands run, at the processes that they start and at the temporary files that these make. */
export class ProcessWatch {
  /** Processes that were there before the command; to look at those of everybody else costs much. */
  #earlier: ReadonlySet<string> = new Set();
  readonly #processes = new Map<string, SeenProcess>();
  readonly #files = new Map<string, string>();
  readonly #own = new Map<string, SeenEntry>();

  /**
   * @param mark A variable that all processes of the run have in their environment, `HOME=…`, and no other process.
   * @param temporary The run's temporary folder.
   */
  constructor(
    private readonly mark: string,
    private readonly temporary: string,
  ) {}

  get processes(): readonly SeenProcess[] {
    return [...this.#processes.values()];
  }

  /** Contents of temporary files, by path; of one that changed, each. */
  get files(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#files);
  }

  get ownEntries(): readonly SeenEntry[] {
    return [...this.#own.values()];
  }

  async during<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#earlier = new Set(processIds());
    const timer = setInterval(() => {
      this.#look();
    }, interval);
    try {
      return await action();
    } finally {
      clearInterval(timer);
      this.#look();
    }
  }

  #look(): void {
    for (const pid of processIds()) {
      if (!this.#earlier.has(pid))
        ignoringAbsence(() => {
          this.#lookAt(pid);
        });
    }
    this.#lookInto(this.temporary, false);
  }

  #lookAt(pid: string): void {
    const environment = fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    if (!environment.includes(this.mark)) return;
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    const seen = { role: roleOf(command, environment), command, environment };
    this.#processes.set(JSON.stringify(seen), seen);
  }

  #lookInto(folder: string, own: boolean): void {
    ignoringAbsence(() => {
      for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const file = path.join(folder, entry.name);
        const isOwn = own || entry.name.startsWith(ownPrefix);
        ignoringAbsence(() => {
          const { mode, size, mtimeMs } = fs.lstatSync(file);
          if (isOwn) {
            const seen = { path: file, mode: mode & 0o777, isFolder: entry.isDirectory() };
            this.#own.set(`${file} ${seen.mode}`, seen);
          }
          if (entry.isFile() && size <= largestFile) {
            const id = `${file} of ${mtimeMs}, ${size} bytes`;
            if (!this.#files.has(id)) this.#files.set(id, fs.readFileSync(file, "latin1"));
          }
        });
        if (entry.isDirectory()) this.#lookInto(file, isOwn);
      }
    });
  }
}

function processIds(): string[] {
  return fs.readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
}

function roleOf(command: string, environment: readonly string[]): ProcessRole {
  if (environment.some((variable) => /^COSI_ENDPOINT=unix:.*\/cosi-[^/]+\/driver\.sock$/.test(variable)))
    return "driver";
  return command.includes("provider/driver/process/supervisor") ? "supervisor" : "pulumi";
}

/** Runs something on a process or a file that may have gone meanwhile, or be another user's. */
function ignoringAbsence(action: () => void): void {
  try {
    action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !["ENOENT", "ESRCH", "EACCES", "EPERM", "ENOTDIR"].includes(code)) throw error;
  }
}
