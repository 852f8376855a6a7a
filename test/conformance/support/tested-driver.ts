import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "@grpc/grpc-js";
import type { ConformanceOptions } from "../../../conformance/options";
import type { Report } from "../../../conformance/report";
import { runConformance, type RunHooks } from "../../../conformance/run";
import { FakeStore } from "./fake-store";
import { MemoryDriver, type Fault } from "./memory-driver";
import { options } from "./options";
import { serve, type Interceptor } from "./serve";

/** A driver in memory on a socket, with a store that knows its keys. */
export class TestedDriver {
  readonly #folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
  readonly socket = join(this.#folder, "driver.sock");
  readonly endpoint = `unix://${this.socket}`;

  private constructor(
    readonly driver: MemoryDriver,
    readonly store: FakeStore,
    private server?: Server,
  ) {}

  static async start(faults: readonly Fault[] = [], intercept?: Interceptor): Promise<TestedDriver> {
    const store = await new FakeStore().start();
    const tested = new TestedDriver(new MemoryDriver(new Set(faults), store), store);
    tested.server = await serve(tested.driver, tested.socket, intercept);
    return tested;
  }

  /** Runs the conformance check against it. */
  run(more: Partial<ConformanceOptions> = {}, hooks: RunHooks = {}): Promise<Report> {
    return runConformance(options({ endpoint: this.endpoint, ...more }), hooks);
  }

  async stop(): Promise<void> {
    this.server?.forceShutdown();
    await this.store.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Ids of the lines with this status. */
export function idsWith(report: Report, status: Report["lines"][number]["status"]): string[] {
  return report.lines.filter((line) => line.status === status).map(({ id }) => id);
}
