import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { sleep } from "../../provider/driver/call/retry";

/** What a stub driver says of one start of it. */
export interface StubReport {
  readonly pid: number;
  /** Process that started it. */
  readonly parent: number;
  /** Process that the stub left running, if it was told to. */
  readonly child?: number;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The program stub-driver.mjs, and what it reports. */
export class StubDriver {
  static readonly driverName = "stub.example.com";
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "stub-driver-"));
  readonly #report = path.join(this.#folder, "report");
  readonly #calls = path.join(this.#folder, "calls");
  readonly #signals = path.join(this.#folder, "signals");

  /** The command that starts it. */
  readonly command = [process.execPath, path.join(__dirname, "stub-driver.mjs")];

  /** The environment that it needs, and more. */
  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const files = { STUB_REPORT: this.#report, STUB_CALLS: this.#calls, STUB_SIGNALS: this.#signals };
    return { ...files, ...more };
  }

  /** Path and body, in hex, of every call that came, whichever start it came to. */
  calls(): string[] {
    if (!fs.existsSync(this.#calls)) return [];
    return fs.readFileSync(this.#calls, "utf8").trim().split("\n");
  }

  /** Ids of the processes that got a SIGTERM, one per signal. */
  terminated(): number[] {
    if (!fs.existsSync(this.#signals)) return [];
    return fs.readFileSync(this.#signals, "utf8").trim().split("\n").map(Number);
  }

  /** One report per start. */
  starts(): StubReport[] {
    if (!fs.existsSync(this.#report)) return [];
    const lines = fs.readFileSync(this.#report, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as StubReport);
  }

  /** The report of the only start. */
  get start(): StubReport {
    const [only, ...others] = this.starts();
    if (only === undefined || others.length > 0)
      throw new Error(`${this.starts().length} starts, one is due`);
    return only;
  }

  /** Folder of the socket that it was given. */
  get socketFolder(): string {
    const { COSI_ENDPOINT, Deployment_ENDPOINT } = this.start.environment;
    return path.dirname((COSI_ENDPOINT ?? Deployment_ENDPOINT ?? "").slice("unix://".length));
  }

  /** True while the process, its child or the folder of its socket is there. */
  remains(): boolean {
    const { pid, child } = this.start;
    return isAlive(pid) || (child !== undefined && isAlive(child)) || fs.existsSync(this.socketFolder);
  }

  dispose(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** True if there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves as soon as the condition holds. @throws Error if it does not within 10 seconds. */
export async function eventually(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`after 10 seconds it is still not true that ${what}`);
    await sleep(50);
  }
}
