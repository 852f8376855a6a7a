import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "@grpc/grpc-js";
import type { ConformanceOptions } from "../../../conformance/options";
import type { Report, ReportLine } from "../../../conformance/report";
import { runConformance, type RunHooks } from "../../../conformance/run";
import { FakeStore } from "./fake-store";
import { MemoryDriver, type Fault } from "./memory-driver";
import type { SpokenContract } from "./speech";
import { trialScript } from "./trial-script";
import { options } from "./options";
import { serve, type Interceptor } from "./serve";

/** What a driver speaks. */
interface Speaking {
  readonly contract?: SpokenContract;
  readonly tellsStatus?: boolean;
}

/** A driver in memory on a socket, with a store that knows its keys. */
export class TestedDriver {
  readonly #folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
  readonly socket = join(this.#folder, "driver.sock");
  readonly endpoint = `unix://${this.socket}`;

  private constructor(
    readonly driver: MemoryDriver,
    readonly store: FakeStore,
    private readonly contract: SpokenContract,
    private server?: Server,
  ) {}

  static async start(
    faults: readonly Fault[] = [],
    intercept?: Interceptor,
    { contract = "cosi.v1alpha1", tellsStatus = false }: Speaking = {},
  ): Promise<TestedDriver> {
    const store = await new FakeStore().start();
    const tested = new TestedDriver(new MemoryDriver(new Set(faults), store, contract), store, contract);
    tested.driver.tellsStatus = tellsStatus;
    tested.server = await serve(tested.driver, tested.socket, intercept);
    return tested;
  }

  /** Runs the conformance check against it. */
  run(more: Partial<ConformanceOptions> = {}, hooks: RunHooks = {}): Promise<Report> {
    const { contract, endpoint } = this;
    return runConformance(options({ contract, endpoint, ...more }), hooks);
  }

  /** Options with which a run tries the credentials that it is granted. */
  looking(): Partial<ConformanceOptions> {
    if (this.contract === "cosi.v1alpha1") return { checkCredentials: true };
    return { tryCredentials: trialScript(this.#folder) };
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

/** The line of an id. @throws AssertionError if there is none */
export function line(report: Report, id: string): ReportLine {
  const found = report.lines.find((entry) => entry.id === id);
  assert.ok(found, id);
  return found;
}
